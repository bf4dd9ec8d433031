import { Checkbox, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Problem } from '../api/refused.js';
import { lazyPart } from './lazy.js';
import { problemOfWindows, type WindowValues } from './windows.js';

const WindowList = lazyPart(async () => (await import('./window-list.js')).WindowList, null);

interface Props {
  readonly values: WindowValues;
  /** What the API says is wrong with the request. */
  readonly problems: readonly Problem[];
  readonly onChange: (part: Partial<WindowValues>) => void;
  /** What holds without a window. */
  readonly otherwise?: ReactNode;
  /** Time zone that is proposed in place of that of each callee. */
  readonly zone: string;
}

/** The hours in which calls may start: one window or several, and dates on which none opens. The page has `Zones`. */
export const WindowFields = ({ values, problems, onChange, otherwise, zone }: Props) => (
  <Stack gap="sm">
    <Checkbox
      label="Calls start at certain hours only"
      description={otherwise}
      checked={values.hasWindow}
      error={problemOfWindows(problems)}
      onChange={(event) => onChange({ hasWindow: event.currentTarget.checked })}
    />
    {values.hasWindow && <WindowList {...{ values, problems, onChange, zone }} />}
  </Stack>
);
