import { Group, Modal } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly size?: string;
  readonly children: ReactNode;
}

/** A dialog over the page. Its head is no banner of the page, which there is one of. */
export const Dialog = ({ opened, onClose, title, size = 'md', children }: Props) => (
  <Modal.Root opened={opened} onClose={onClose} size={size} centered>
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
