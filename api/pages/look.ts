/** Colours of the pages, light and dark: those of console/playground/page.css. */
export const colours = {
  ground: 'light-dark(#f4f6f6, #101415)',
  card: 'light-dark(#fff, #181e20)',
  edge: 'light-dark(#d5dcdc, #2d3639)',
  ink: 'light-dark(#172022, #e6ecec)',
  soft: 'light-dark(#55666a, #9aabaf)',
  main: 'light-dark(#0b7a6b, #35b7a2)',
  'on-main': 'light-dark(#fff, #06231f)',
} as const;

/** The same as custom properties of CSS. */
export const colourProperties = Object.entries(colours)
  .map(([name, value]) => `--${name}: ${value};`)
  .join('\n  ');

const bars = `<g fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round">
    <path d="M9 13v6M16 8v16M23 12v8" />
  </g>`;

/** The mark, as console/playground/icon.svg. */
export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
  <rect width="32" height="32" rx="9" fill="#0b7a6b" />
  ${bars}
</svg>
`;

/** Mark and name, for a dark ground. */
export const wordmark = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 152 32" role="img" aria-label="Outdial">
  <rect width="32" height="32" rx="9" fill="#0b7a6b" />
  ${bars}
  <text x="44" y="23" fill="#fff" font-family="system-ui, sans-serif" font-size="21" font-weight="650">Outdial</text>
</svg>
`;
