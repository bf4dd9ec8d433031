// Builds the pages of console/ into dist/console, from where the api role serves them (api/plugins/pages.ts).
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: here('.'),
  base: '/console/',
  publicDir: false,
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: here('../dist/console'),
    emptyOutDir: true,
    // Nothing inline, in whatever form: the pages' policy allows no such script, style or file.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The LiveKit client, which loads only when a visitor talks.
    chunkSizeWarningLimit: 1_000,
    rolldownOptions: { input: { playground: here('playground.html') } },
  },
});
