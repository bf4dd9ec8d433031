import { Button, Group, NativeSelect, Text } from '@mantine/core';
import type { Schemas } from '../api/client.js';
import { figure } from './words.js';

const perPageChoices = [20, 50, 100];

interface Props {
  readonly pageInfo: Schemas['PageInfo'];
  /** How many lines are shown. */
  readonly shown: number;
  readonly onChange: (page: number, perPage: number) => void;
}

/** Which part of a list is shown, and the ways to the others. */
export function Paging({ pageInfo, shown, onChange }: Props) {
  const { currentPage, perPage, lastPage, total, totalIsEstimate } = pageInfo;
  const before = (currentPage - 1) * perPage;
  const all = `${totalIsEstimate === true ? 'more than ' : ''}${figure(total)}`;
  const choices = [...new Set([...perPageChoices, perPage])].sort((a, b) => a - b);
  if (total <= Math.min(...perPageChoices) && currentPage === 1 && lastPage === 1) return null;
  return (
    <Group component="nav" aria-label="Pages of the list" justify="space-between" mt="md">
      <Text size="sm" role="status">
        {shown === 0 ? 'Nothing on this page' : `${figure(before + 1)} to ${figure(before + shown)}`} of {all}
      </Text>
      <Group gap="xs">
        <NativeSelect
          size="xs"
          aria-label="Lines per page"
          value={perPage}
          data={choices.map((lines) => ({ value: String(lines), label: `${lines} per page` }))}
          onChange={(event) => onChange(1, Number(event.currentTarget.value))}
        />
        <Button
          size="xs"
          variant="default"
          disabled={currentPage === 1}
          onClick={() => onChange(Math.min(currentPage - 1, lastPage), perPage)}
        >
          Previous
        </Button>
        <Button
          size="xs"
          variant="default"
          disabled={currentPage >= lastPage}
          onClick={() => onChange(currentPage + 1, perPage)}
        >
          Next
        </Button>
      </Group>
    </Group>
  );
}
