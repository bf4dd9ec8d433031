import { Button, Group, Stack, Text, Title } from '@mantine/core';
import type { ErrorComponentProps } from '@tanstack/react-router';

/** What stands in place of a page whose own script fails. */
export const Failed = ({ error }: ErrorComponentProps) => (
  <Stack role="alert">
    <Title order={1} size="h2">
      This page has failed
    </Title>
    <Text>
      Nothing was changed by that. If it fails again once it is loaded, report what it says:{' '}
      {error instanceof Error ? error.message : String(error)}
    </Text>
    <Group>
      <Button variant="default" onClick={() => window.location.reload()}>
        Load again
      </Button>
    </Group>
  </Stack>
);
