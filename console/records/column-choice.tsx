import { Button, Checkbox, Popover, Stack } from '@mantine/core';

interface Props {
  readonly known: readonly string[];
  readonly shown: readonly string[];
  readonly onChange: (shown: readonly string[]) => void;
}

/** Which columns of the file are shown beside what came of each record. */
export const ColumnChoice = ({ known, shown, onChange }: Props) => (
  <Popover position="bottom-start" withinPortal trapFocus>
    <Popover.Target>
      <Button variant="default" disabled={known.length === 0}>
        Columns of the file
      </Button>
    </Popover.Target>
    <Popover.Dropdown aria-label="Columns of the file" mah={360} style={{ overflowY: 'auto' }}>
      <Checkbox.Group
        label="Shown"
        value={[...shown]}
        onChange={(next) => onChange(known.filter((name) => next.includes(name)))}
      >
        <Stack gap={6} mt={4}>
          {known.map((name) => (
            <Checkbox key={name} value={name} label={name} />
          ))}
        </Stack>
      </Checkbox.Group>
    </Popover.Dropdown>
  </Popover>
);
