import { Paper, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props {
  /** Of its title, on this page. */
  readonly id: string;
  readonly title: string;
  readonly children: ReactNode;
}

/** A part of a page, with its title. */
export const Part = ({ id, title, children }: Props) => (
  <Paper withBorder p="md" component="section" aria-labelledby={id}>
    <Title order={2} size="h4" id={id} mb="xs">
      {title}
    </Title>
    {children}
  </Paper>
);
