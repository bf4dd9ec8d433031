import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core';

/** From the lightest to the darkest; 7 is the colour of our mark (api/pages/look.ts). */
const outdial: MantineColorsTuple = [
  ...(['#e6f6f3', '#cdeae5', '#9dd6cc', '#6ac1b2', '#35b7a2'] as const),
  ...(['#1f9c89', '#0f8675', '#0b7a6b', '#08665a', '#054f46'] as const),
];

/** Dark enough for white words on it, and light enough to be read on dark pages. */
const red: MantineColorsTuple = [
  ...(['#fdeceb', '#fad5d2', '#f5b1ac', '#f2877f', '#e5645b'] as const),
  ...(['#d8483e', '#c7352b', '#b3261e', '#961d17', '#741510'] as const),
];

/** From texts to grounds of the dark pages, in the tone of api/pages/look.ts. */
const dark: MantineColorsTuple = [
  ...(['#e6ecec', '#c9d3d5', '#a7b6ba', '#7f9095', '#435054'] as const),
  ...(['#323d41', '#232b2e', '#14191b', '#101415', '#0b0e0f'] as const),
];

export const theme = createTheme({
  primaryColor: 'outdial',
  primaryShade: 7,
  colors: { outdial, red, dark },
  fontFamily: 'system-ui, sans-serif',
  defaultRadius: 'md',
  cursorType: 'pointer',
  // Who asks their system for less motion gets dialogs and menus without transitions.
  respectReducedMotion: true,
});

/** Texts that Mantine has too pale to be read by everyone: 4.5 to 1 on every ground that they stand on. */
export const resolver: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': '#fff',
    '--mantine-color-text': '#172022',
    '--mantine-color-dimmed': '#55666a',
    '--mantine-color-placeholder': '#66757a',
    '--mantine-color-error': '#b3261e',
    '--mantine-color-anchor': '#0b7a6b',
    '--mantine-color-yellow-light-color': '#7a4a00',
  },
  dark: {
    '--mantine-color-body': '#14191b',
    '--mantine-color-text': '#e6ecec',
    '--mantine-color-dimmed': '#a7b6ba',
    '--mantine-color-placeholder': '#94a3a8',
    '--mantine-color-error': '#ff9a92',
    '--mantine-color-anchor': '#4cc9b5',
  },
});
