import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { Confirm } from './confirm.js';

interface Props {
  /** What the button says that opens the question. */
  readonly label: string;
  readonly title: string;
  /** What the button says that does it; default: the same. */
  readonly action?: string;
  readonly typed?: string;
  readonly isDangerous?: boolean;
  readonly size?: 'xs' | 'sm' | 'compact-xs';
  /** Says more to people who do not see where the button stands. */
  readonly hint?: string;
  readonly onOpen?: () => void;
  readonly onConfirm: () => Promise<unknown>;
  readonly children: ReactNode;
}

/** A button for something that is asked for before it is done. */
export function Ask({ label, action = label, size = 'xs', hint, isDangerous = false, onOpen, ...confirm }: Props) {
  const [opened, { open, close }] = useDisclosure(false, { ...(onOpen === undefined ? {} : { onOpen }) });
  return (
    <>
      <Button
        size={size}
        {...(isDangerous ? { color: 'red', variant: 'outline' } : { variant: 'default' })}
        {...(hint === undefined ? {} : { 'aria-label': `${label}: ${hint}` })}
        onClick={open}
      >
        {label}
      </Button>
      <Confirm opened={opened} onClose={close} action={action} isDangerous={isDangerous} {...confirm} />
    </>
  );
}
