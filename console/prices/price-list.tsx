import { Button, Group, Stack } from '@mantine/core';
import { type ReactNode, useRef, useState } from 'react';

interface Props<Price> {
  readonly prices: readonly Price[];
  /** What the button says that adds one. */
  readonly adding: string;
  readonly fresh: Price;
  readonly onChange: (prices: readonly Price[]) => void;
  /** The price at this place is another one now: what was wrong with the one before says nothing of it. */
  readonly onRemoved: () => void;
  readonly children: (one: {
    readonly price: Price;
    readonly place: number;
    readonly isNew: boolean;
    readonly onChange: (part: Partial<Price>) => void;
    readonly onRemove: () => void;
  }) => ReactNode;
}

/** A list of prices in fields, which grows and shrinks. */
export function PriceList<Price extends object>({
  prices,
  adding,
  fresh,
  onChange,
  onRemoved,
  children,
}: Props<Price>) {
  const [added, setAdded] = useState<number | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const remove = (place: number) => {
    onRemoved();
    onChange(prices.filter((_, at) => at !== place));
    setAdded(null);
    button.current?.focus();
  };
  return (
    <Stack>
      {prices.map((price, place) =>
        children({
          price,
          place,
          isNew: place === added,
          onChange: (part) => onChange(prices.map((each, at) => (at === place ? { ...each, ...part } : each))),
          onRemove: () => remove(place),
        }),
      )}
      <Group>
        <Button
          ref={button}
          variant="default"
          size="xs"
          onClick={() => {
            onChange([...prices, fresh]);
            setAdded(prices.length);
          }}
        >
          {adding}
        </Button>
      </Group>
    </Stack>
  );
}
