import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Env } from '../../platform/env.js';
import { version } from '../../platform/version.js';
import { publicUrl } from '../public-url.js';
import { colourProperties, icon } from './look.js';

const style = `
:root {
  color-scheme: light dark;
  ${colourProperties}
  font: 16px/1.5 system-ui, sans-serif;
  background: var(--ground);
  color: var(--ink);
}
body { max-width: 46rem; margin: 0 auto; padding: 1rem; }
header { display: flex; align-items: center; gap: 0.6rem; font-weight: 650; }
header svg { width: 1.5rem; height: 1.5rem; }
header span { color: var(--soft); font-weight: 400; }
h1 { margin: 2rem 0 0.5rem; font-size: 1.6rem; line-height: 1.25; }
h2 { margin: 0 0 0.5rem; font-size: 1.1rem; }
section { margin-top: 1rem; padding: 1rem; border: 1px solid var(--edge); border-radius: 0.8rem; background: var(--card); }
ol, ul { margin: 0; padding-left: 1.3rem; }
li + li { margin-top: 0.5rem; }
pre { margin: 0.5rem 0; padding: 0.6rem; overflow-x: auto; border: 1px solid var(--edge); border-radius: 0.4rem; }
code { font-size: 0.85em; overflow-wrap: anywhere; }
a { color: var(--main); }
p { margin: 0; color: var(--soft); }
`;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => entities[character] ?? '');

const page = (baseUrl: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Outdial</title>
    <link rel="icon" type="image/svg+xml" href="data:image/svg+xml,${encodeURIComponent(icon)}" />
    <style>${style}</style>
  </head>
  <body>
    <header>${icon}Outdial <span>${escaped(version)}</span></header>
    <main>
      <h1>This is the HTTP API of Outdial</h1>
      <p>Voice agents and batch calls on your own SIP trunk.</p>
      <section>
        <h2>First steps</h2>
        <ol>
          <li>
            Get a token. <code>outdial up</code> keeps one in the file that it names when it starts; elsewhere the operator
            makes one with <code>outdial token issue</code>.
          </li>
          <li>
            Send it as it is, without <code>Bearer</code>:
            <pre><code>curl ${escaped(baseUrl)}/v1/account --header "Authorization: $TOKEN"</code></pre>
          </li>
          <li>
            Create an agent (<code>POST /v1/agents</code>). The answer has a <code>playgroundUrl</code>, which opens the
            agent in a browser: talk to it before it calls anyone.
          </li>
          <li>Upload a spreadsheet (<code>POST /v1/batch-calls</code>), and the agent calls every number in it.</li>
        </ol>
      </section>
      <section>
        <h2>Where things are</h2>
        <ul>
          <li><a href="/console">Console</a>: every batch call, live, and what steers it</li>
          <li><a href="/docs/">API reference</a>: every operation, with a form to try it</li>
          <li><a href="/openapi.json">OpenAPI document</a>, for clients in any language</li>
          <li>Playground: <code>/playground/{agentId}</code>, by the <code>playgroundUrl</code> of the agent</li>
          <li><a href="/readyz">Health</a>: whether the service can do its work now</li>
        </ul>
      </section>
    </main>
  </body>
</html>
`;

const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policy,
  'referrer-policy': 'no-referrer',
  vary: 'accept',
};

/** Browsers name HTML first; other clients name JSON, anything or nothing. */
const wantsPage = ({ headers: { accept = '' } }: FastifyRequest): boolean => {
  const html = accept.indexOf('text/html');
  const json = accept.indexOf('application/json');
  return html !== -1 && (json === -1 || html < json);
};

/** `GET /` says where to go: a page for browsers, JSON for all others. */
export function answerRoot(app: FastifyInstance, { env }: { readonly env: Env }): void {
  app.get('/', { schema: { hide: true } }, (request, reply) => {
    if (wantsPage(request)) return reply.headers(headers).send(page(publicUrl(env, request)));
    return reply.header('vary', 'accept').send({
      service: 'Outdial',
      version,
      console: '/console',
      documentation: '/docs',
      openapi: '/openapi.json',
      playground: '/playground/{agentId}',
      health: '/readyz',
    });
  });
}
