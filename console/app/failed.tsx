import { Button, Group, Stack, Text, Title } from '@mantine/core';
import type { ErrorComponentProps } from '@tanstack/react-router';

/** What stands in place of a page whose own script fails. */
export const Failed = ({ error }: ErrorComponentProps) => (
  <Stack role="alert">
    <Title order={1} size="h2">
      This page could not be shown
    </Title>
    <Text>
      Nothing was changed. If it fails again after a reload, report this message:{' '}
      {error instanceof Error ? error.message : String(error)}
    </Text>
    <Group>
      <Button variant="default" onClick={() => window.location.reload()}>
        Reload
      </Button>
    </Group>
  </Stack>
);
