import { Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { instantOf, MomentField } from './moment.js';

/** What a batch call stops after, as it is chosen. */
export interface Stops {
  readonly stopWhat: 'nothing' | 'answered' | 'success';
  readonly stopCount: string;
  /** As a field for a moment has it; empty: at no instant. */
  readonly stopsAt: string;
  /** 1 to 9 */
  readonly priority: string;
}

export const noStops: Stops = { stopWhat: 'nothing', stopCount: '', stopsAt: '', priority: '5' };

/** What is sent for the count. What is no number goes as it is, for the API to say what is wrong with it. */
export function stopAfterOf({ stopWhat, stopCount }: Stops): { answered: number } | { success: number } | null {
  const text = stopCount.trim();
  const count = text === '' || Number.isNaN(Number(text)) ? (text as unknown as number) : Number(text);
  if (stopWhat === 'nothing') return null;
  return stopWhat === 'answered' ? { answered: count } : { success: count };
}

export const untilOf = ({ stopsAt }: Stops): string | null => (stopsAt === '' ? null : instantOf(stopsAt));

const kinds: readonly Stops['stopWhat'][] = ['nothing', 'answered', 'success'];

interface Props {
  readonly value: Stops;
  /** IANA zone of the batch call. */
  readonly zone: string;
  readonly onChange: (part: Partial<Stops>) => void;
  readonly problemAt: (path: string) => string | undefined;
}

/** When a batch call stops before everybody has been called, and its share of the gateway. */
export const StopFields = ({ value, zone, onChange, problemAt }: Props) => (
  <Stack gap="sm">
    <Group align="start" gap="sm">
      <NativeSelect
        label="Stops before the end"
        description="Live calls go on and count"
        value={value.stopWhat}
        error={problemAt('stopAfter')}
        data={[
          { value: 'nothing', label: 'No: everybody is called' },
          { value: 'answered', label: 'After so many answered calls' },
          { value: 'success', label: 'After so many successes' },
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
    <MomentField
      label="No call starts from"
      value={value.stopsAt}
      zone={zone}
      error={problemAt('until')}
      onChange={(stopsAt) => onChange({ stopsAt })}
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
