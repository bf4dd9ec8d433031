import { Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useUnsaved } from './unsaved.js';

interface Props {
  readonly isChanged: boolean;
  readonly isSaving: boolean;
  /** The last attempt to save was taken. */
  readonly isSaved: boolean;
  readonly onUndo: () => void;
  /** What saving would mean, before the buttons. */
  readonly children?: ReactNode;
}

/** The end of a form of settings: undo what was typed, or save it. Leaving it with something typed is asked about. */
export function SaveChanges({ isChanged, isSaving, isSaved, onUndo, children }: Props) {
  useUnsaved(isChanged);
  return (
    <Group justify="flex-end">
      {isSaved && !isChanged && <Text role="status">Saved.</Text>}
      {children}
      <Button variant="default" disabled={!isChanged} onClick={onUndo}>
        Undo
      </Button>
      <Button type="submit" disabled={!isChanged} loading={isSaving}>
        Save
      </Button>
    </Group>
  );
}
