import { Text } from '@mantine/core';

/** What stands where a token that may only read is offered nothing. */
export const ReadOnly = () => <Text>Your token may only read. To do this, sign in with a token that may operate.</Text>;
