import { Text } from '@mantine/core';
import classes from './meter.module.css';
import { figure } from './words.js';

interface Props {
  readonly name: string;
  readonly used: number;
  readonly most: number;
}

/** What is used of what there is, in figures and as a bar. */
export const Meter = ({ name, used, most }: Props) => (
  <div className={classes.meter}>
    <Text size="sm">
      {name}: {figure(used)} of {figure(most)}
    </Text>
    <div className={classes.bar} aria-hidden="true">
      <div className={classes.used} style={{ width: `${most === 0 ? 0 : Math.min(100, (used / most) * 100)}%` }} />
    </div>
  </div>
);
