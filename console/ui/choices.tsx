import { UnstyledButton } from '@mantine/core';
import classes from './choices.module.css';

interface Props<Value extends string> {
  /** What is chosen among, for people who do not see it. */
  readonly label: string;
  readonly options: readonly { readonly value: Value; readonly words: string }[];
  readonly chosen: readonly Value[];
  /** What the button says that takes all choices back. */
  readonly all: string;
  readonly onChange: (chosen: readonly Value[]) => void;
}

/** Any number of a few choices; none of them means all. */
export function Choices<Value extends string>({ label, options, chosen, all, onChange }: Props<Value>) {
  const toggled = (value: Value) =>
    chosen.includes(value)
      ? chosen.filter((other) => other !== value)
      : options.flatMap(({ value: other }) => (other === value || chosen.includes(other) ? [other] : []));
  return (
    <div role="group" aria-label={label} className={classes.choices}>
      <UnstyledButton className={classes.choice ?? ''} aria-pressed={chosen.length === 0} onClick={() => onChange([])}>
        {all}
      </UnstyledButton>
      {options.map(({ value, words }) => (
        <UnstyledButton
          key={value}
          className={classes.choice ?? ''}
          aria-pressed={chosen.includes(value)}
          onClick={() => onChange(toggled(value))}
        >
          {words}
        </UnstyledButton>
      ))}
    </div>
  );
}
