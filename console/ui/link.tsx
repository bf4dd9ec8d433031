import { Anchor, type AnchorProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentProps } from 'react';

const PlainAnchor = (props: AnchorProps & Omit<ComponentProps<'a'>, keyof AnchorProps>) => (
  <Anchor inherit underline="always" {...props} />
);

/** A link to a page of the console, in the text that it stands in. */
export const TextLink = createLink(PlainAnchor);
