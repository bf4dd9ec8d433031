import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from '../api/queries.js';
import { startSession } from '../session/start.js';
import { Root } from './root.js';
import './styles.css';
import { resolver, theme } from './theme.js';

const place = document.getElementById('page');
if (place === null) throw new Error('The console has no place to be shown at.');

/** Styles that Mantine makes while it runs are allowed by the nonce of this very page. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';

// The same for the part of it that holds the page still behind a dialog.
Object.assign(window, { __webpack_nonce__: nonce });

void startSession();
createRoot(place).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={resolver}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={queryClient}>
        <Root />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
