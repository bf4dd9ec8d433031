import { Text } from '@mantine/core';

/** What stands where a token that may only read is offered nothing. */
export const ReadOnly = () => <Text>Your token may only read. Somebody whose token may operate can do this.</Text>;
