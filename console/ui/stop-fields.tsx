import { Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { MomentField } from './moment.js';
import type { Stops } from './stops.js';

const kinds: readonly Stops['stopWhat'][] = ['nothing', 'answered', 'success'];

interface Props {
  readonly value: Stops;
  /** IANA zone of the batch call. */
  readonly zone: string;
  readonly onChange: (part: Partial<Stops>) => void;
  readonly problemAt: (path: string) => string | undefined;
  /** Whether an instant can be named: batch calls that are made again and again have none. */
  readonly hasMoment?: boolean;
}

/** When a batch call stops before everybody has been called, and its share of the gateway. */
export const StopFields = ({ value, zone, onChange, problemAt, hasMoment = true }: Props) => (
  <Stack gap="sm">
    <Group align="start" gap="sm">
      <NativeSelect
        label="Stop early"
        description="Live calls go on, and count"
        value={value.stopWhat}
        error={problemAt('stopAfter')}
        data={[
          { value: 'nothing', label: 'No: everyone is called' },
          { value: 'answered', label: 'After a number of answered calls' },
          { value: 'success', label: 'After a number of successful calls' },
        ]}
        onChange={(event) =>
          onChange({ stopWhat: kinds.find((kind) => kind === event.currentTarget.value) ?? 'nothing' })
        }
      />
      {value.stopWhat !== 'nothing' && (
        <TextInput
          label="How many"
          description="From 1"
          inputMode="numeric"
          value={value.stopCount}
          error={problemAt(`stopAfter.${value.stopWhat}`)}
          onChange={(event) => onChange({ stopCount: event.currentTarget.value })}
        />
      )}
    </Group>
    {hasMoment && (
      <MomentField
        label="No calls after"
        value={value.stopsAt}
        zone={zone}
        error={problemAt('until')}
        onChange={(stopsAt) => onChange({ stopsAt })}
      />
    )}
    <TextInput
      label="Cost limit"
      description="In the currency of your prices. No one else is called once the calls have cost this much. If empty, there is no limit"
      inputMode="decimal"
      value={value.maxCost}
      error={problemAt('maxCost')}
      onChange={(event) => onChange({ maxCost: event.currentTarget.value })}
    />
    <NativeSelect
      label="Share of the gateway"
      description="Beside other batch calls on the same gateway"
      value={value.priority}
      error={problemAt('priority')}
      data={Array.from({ length: 9 }, (_, index) => {
        const priority = String(index + 1);
        const words = index === 0 ? ' (most)' : index === 4 ? ' (usual)' : index === 8 ? ' (least)' : '';
        return { value: priority, label: `Priority ${priority}${words}` };
      })}
      onChange={(event) => onChange({ priority: event.currentTarget.value })}
    />
  </Stack>
);
