import type { ReactNode } from 'react';
import classes from './fact-list.module.css';

/** Names with what there is to say of each. */
export const FactList = ({
  facts,
}: {
  readonly facts: readonly { readonly name: string; readonly said: ReactNode }[];
}) => (
  <dl className={classes.facts}>
    {facts.map(({ name, said }) => (
      <Fact key={name} name={name}>
        {said}
      </Fact>
    ))}
  </dl>
);

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
);
