import { Table } from '@mantine/core';
import { inZone } from './clock.js';
import type { Draft } from './draft.js';
import classes from './new-batch.module.css';

const own = Intl.DateTimeFormat().resolvedOptions().timeZone;

const zonesOfWindows = (windows: Draft['windows']): readonly string[] => [
  ...new Set(windows.map(({ timezone }) => timezone).filter((zone) => zone !== 'recipient')),
];

/** Every zone whose clocks matter to the draft, each once, with why it does. */
function zonesOf({ isScheduled, timezone, hasWindow, windows }: Draft, ofAccount: string, ofRows: readonly string[]) {
  const zones = [
    ...(isScheduled ? [{ zone: timezone, of: 'the schedule' }] : []),
    ...zonesOfWindows(hasWindow ? windows : []).map((zone) => ({ zone, of: 'the window' })),
    { zone: own, of: 'this browser' },
    { zone: ofAccount, of: 'callees whose zone is unknown' },
    ...ofRows.map((zone) => ({ zone, of: 'rows of the file' })),
    { zone: 'UTC', of: '' },
  ];
  const named = new Map<string, string[]>();
  for (const { zone, of } of zones) named.set(zone, [...(named.get(zone) ?? []), ...(of === '' ? [] : [of])]);
  return [...named].map(([zone, of]) => ({ zone, of: of.join(', ') }));
}

interface Props {
  readonly draft: Draft;
  /** Zone of callees whose zone is unknown, if the schedule names none. */
  readonly ofAccount: string;
  /** Zones that the first rows of the file name. */
  readonly ofRows: readonly string[];
  readonly startsAt: string;
  readonly firstCallAt: string | null;
}

/** When it starts and when the first call can be made, by every clock that matters. */
export function Instants({ draft, ofAccount, ofRows, startsAt, firstCallAt }: Props) {
  const fallback = draft.isScheduled ? draft.timezone : ofAccount;
  const showsFirst = firstCallAt !== null && firstCallAt !== startsAt;
  return (
    <div className={classes.scroll} tabIndex={0} role="region" aria-label="The start in every time zone">
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>By the clocks of</Table.Th>
            <Table.Th>Starts</Table.Th>
            {showsFirst && <Table.Th>First call</Table.Th>}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {zonesOf(draft, fallback, ofRows).flatMap(({ zone, of }) => {
            const starts = inZone(new Date(startsAt), zone);
            if (starts === null) return [];
            return [
              <Table.Tr key={zone}>
                <Table.Td>
                  {zone}
                  {of === '' ? '' : `: ${of}`}
                </Table.Td>
                <Table.Td>{starts}</Table.Td>
                {showsFirst && <Table.Td>{inZone(new Date(firstCallAt), zone)}</Table.Td>}
              </Table.Tr>,
            ];
          })}
        </Table.Tbody>
      </Table>
    </div>
  );
}
