import { Button, Fieldset, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useGrowingList } from '../ui/growing-list.js';

/** What the fields of one price are given. */
export interface PriceProps<Price> {
  readonly price: Price;
  readonly place: number;
  /** It was just added: its first field takes the focus. */
  readonly isNew: boolean;
  readonly onChange: (part: Partial<Price>) => void;
}

interface Props<Price> {
  readonly prices: readonly Price[];
  /** What one of them is called: `price`. */
  readonly one: string;
  readonly fresh: Price;
  readonly onChange: (prices: readonly Price[]) => void;
  /** The price at this place is another one now: what was wrong with the one before says nothing of it. */
  readonly onRemove: () => void;
  readonly children: (one: PriceProps<Price>) => ReactNode;
}

/** A list of prices in fields. */
export function PriceList<Price extends object>({ prices, one, fresh, onChange, onRemove, children }: Props<Price>) {
  const list = useGrowingList(prices, onChange);
  return (
    <Stack>
      {prices.map((price, place) => (
        <Fieldset key={place} legend={`${one.charAt(0).toUpperCase()}${one.slice(1)} ${place + 1}`}>
          <Stack gap="sm">
            {children({
              ...{ price, place, isNew: list.isNew(place) },
              onChange: (part) => list.set(place, part),
            })}
            <Group justify="flex-end">
              <Button
                variant="default"
                size="xs"
                aria-label={`Remove ${one} ${place + 1}`}
                onClick={() => {
                  onRemove();
                  list.remove(place);
                }}
              >
                Remove
              </Button>
            </Group>
          </Stack>
        </Fieldset>
      ))}
      <Group>
        <Button ref={list.adding} variant="default" size="xs" onClick={() => list.add([...prices, fresh])}>
          Add a {one}
        </Button>
      </Group>
    </Stack>
  );
}
