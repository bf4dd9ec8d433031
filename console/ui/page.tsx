import { Group, Stack, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { Curl, type Request } from './curl.js';

interface Props {
  readonly title: string;
  /** Beside the title: marks and statuses. */
  readonly marks?: ReactNode;
  /** At the right: what can be done here. */
  readonly actions?: ReactNode;
  /** The requests that the page shows the answers of. */
  readonly requests: readonly Request[];
  readonly children: ReactNode;
}

/** What every page has: its title, its actions, and the requests behind it. */
export function Page({ title, marks, actions, requests, children }: Props) {
  useDocumentTitle(`${title} · Outdial`);
  return (
    <Stack gap="lg">
      <Group justify="space-between" gap="sm">
        <Group gap="sm">
          <Title order={1} size="h2" style={{ overflowWrap: 'anywhere' }}>
            {title}
          </Title>
          {marks}
        </Group>
        <Group gap="xs">
          {actions}
          <Curl requests={requests} />
        </Group>
      </Group>
      {children}
    </Stack>
  );
}
