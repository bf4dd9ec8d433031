// Builds the pages of console/ into dist/console, from where the api role serves them (api/plugins/pages.ts).
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: here('.'),
  base: '/console/',
  publicDir: false,
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic' } },
  build: {
    outDir: here('../dist/console'),
    emptyOutDir: true,
    // Nothing inline, in whatever form: the pages' policy allows no such script, style or file.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The LiveKit client, which loads only when a visitor talks.
    chunkSizeWarningLimit: 1_000,
    // What belongs to each page: test/browser/console/sizes.test.ts.
    manifest: true,
    rolldownOptions: {
      input: { playground: here('playground.html'), console: here('console.html') },
      // Libraries mark their files for frameworks that render on a server.
      onLog: (level, log, handle) => {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') handle(level, log);
      },
    },
  },
});
