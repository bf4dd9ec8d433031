import { Anchor, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';

/** What an address shows that names no page. */
export const NotFound = () => (
  <Stack>
    <Title order={1} size="h2">
      This page does not exist
    </Title>
    <Text>
      The address may be from another version.{' '}
      <Anchor component={Link} to="/" inherit>
        Go to the overview
      </Anchor>
    </Text>
  </Stack>
);
