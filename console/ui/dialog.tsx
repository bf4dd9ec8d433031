import { Group, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { useOpenDialog } from './unsaved.js';

interface Props {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly size?: string;
  /** It stands over other dialogs that are open. */
  readonly isOver?: boolean;
  readonly children: ReactNode;
}

/** Keys that have closed a dialog: one that is under it stays, although it listens, too. */
const handled = new WeakSet<KeyboardEvent>();
/** Above that of the others, 200. */
const overOthers = { zIndex: 300 };

/** A dialog over the page. Its head is no banner of the page, which there is one of. */
export function Dialog({ opened, onClose, title, size = 'md', isOver = false, children }: Props) {
  useOpenDialog(opened);
  return (
    <Modal.Root
      opened={opened}
      onClose={onClose}
      size={size}
      centered
      __handledEscapeEvents={handled}
      {...(isOver ? overOthers : {})}
    >
      <Modal.Overlay />
      <Modal.Content>
        <Group justify="space-between" wrap="nowrap" p="md" pb="xs">
          <Modal.Title fw={600}>{title}</Modal.Title>
          <Modal.CloseButton aria-label="Close" />
        </Group>
        <Modal.Body>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
