import { Anchor, Button, List, Stack, Text, Title } from '@mantine/core';
import { useMayOperate } from '../session/session.js';
import { TextLink } from '../ui/link.js';

interface Props {
  readonly isFiltered: boolean;
  readonly onClear: () => void;
}

/** What stands where batch calls would: the way to see them all, or to a first one. */
export function NoBatches({ isFiltered, onClear }: Props) {
  const mayOperate = useMayOperate();
  if (isFiltered) {
    return (
      <Stack align="start">
        <Text>No batch call matches the filter.</Text>
        <Button variant="default" onClick={onClear}>
          Show all batch calls
        </Button>
      </Stack>
    );
  }
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        There are no batch calls yet
      </Title>
      {mayOperate ? (
        <>
          <Text>The first one needs three things:</Text>
          <List type="ordered">
            <List.Item>a number to call from, with the gateway of your carrier;</List.Item>
            <List.Item>an agent that is deployed, and an outbound rule that has it take the calls;</List.Item>
            <List.Item>
              a spreadsheet with a column <code>phone_number</code>, as csv, xls or xlsx.
            </List.Item>
          </List>
          <Text>
            With these, <TextLink to="/new">make a first batch call</TextLink>: the page shows what it would do before
            anybody is called. The{' '}
            <Anchor href="/docs/" underline="always">
              API reference
            </Anchor>{' '}
            has the requests for numbers, agents and rules.
          </Text>
        </>
      ) : (
        <Text>Your token may only read. To make one, sign in with a token that may operate.</Text>
      )}
    </Stack>
  );
}
