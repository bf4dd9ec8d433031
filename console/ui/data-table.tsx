import { Table, UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './data-table.module.css';
import { percent } from './words.js';

interface Head {
  readonly words: string;
  readonly isNumber?: boolean;
  /** How the lines are sorted by this column; omitted: they cannot be. */
  readonly sorted?: 'ascending' | 'descending' | 'none';
  readonly onSort?: () => void;
}

const arrows = { ascending: ' ↑', descending: ' ↓', none: '' } as const;

interface Props {
  /** What the table shows, for people who do not see it. */
  readonly label: string;
  readonly head: readonly Head[];
  readonly children: ReactNode;
  /** The sum of all lines. */
  readonly foot?: ReactNode;
}

/** A table that scrolls sideways by itself if the screen is too narrow for it. */
export const DataTable = ({ label, head, children, foot }: Props) => (
  <div className={classes.frame} role="region" aria-label={label} tabIndex={0}>
    <Table verticalSpacing={6}>
      <Table.Thead>
        <Table.Tr>
          {head.map(({ words, isNumber = false, sorted, onSort }) => (
            <Table.Th key={words} scope="col" aria-sort={sorted} className={isNumber ? (classes.number ?? '') : ''}>
              {onSort === undefined ? (
                words
              ) : (
                <UnstyledButton className={classes.sort ?? ''} onClick={onSort} title="Sort by this column">
                  {words}
                  <span aria-hidden="true">{arrows[sorted ?? 'none']}</span>
                </UnstyledButton>
              )}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>{children}</Table.Tbody>
      {foot !== undefined && <Table.Tfoot>{foot}</Table.Tfoot>}
    </Table>
  </div>
);

/** A cell with a figure. */
export const NumberCell = ({ children }: { readonly children: ReactNode }) => (
  <Table.Td className={classes.number ?? ''}>{children}</Table.Td>
);

/** A cell with a telephone number, which is never broken into two lines. */
export const PhoneCell = ({ children }: { readonly children: ReactNode }) => (
  <Table.Td className={classes.phone ?? ''}>{children}</Table.Td>
);

/** A cell with a share, as a bar and in percent. Of nothing there is no share. */
export const ShareCell = ({ part, whole }: { readonly part: number; readonly whole: number }) => (
  <Table.Td className={classes.number ?? ''}>
    {whole > 0 && (
      <span className={classes.bar} aria-hidden="true">
        <div className={classes.filled} style={{ width: `${(100 * part) / whole}%` }} />
      </span>
    )}
    <span className={classes.share}>{whole > 0 ? percent(part / whole) : '–'}</span>
  </Table.Td>
);
