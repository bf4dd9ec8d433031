import { Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentProps } from 'react';

const PlainButton = (props: ButtonProps & Omit<ComponentProps<'a'>, keyof ButtonProps>) => (
  <Button component="a" size="xs" {...props} />
);

/** A link to a page of the console that looks like a button: where something new is made. */
export const LinkButton = createLink(PlainButton);
