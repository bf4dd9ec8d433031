import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Env } from '../../platform/env.js';
import { liveKitsForBrowsers } from '../../platform/livekit.js';
import type { AppDeps } from '../operation.js';
import { answerSignIn } from '../pages/sign-in.js';

/** Names of these files change with their content. */
const hashedFilesAge = '365d';

/** Stands in console.html where the nonce of a request goes. */
const noncePlace = '{{nonce}}';

/**
 * What a page may load and whom it may talk to: this service, and the LiveKits of its conversations.
 *
 * @param nonce lets the page itself make styles; omitted: it has those of its files alone
 */
function contentSecurityPolicy(env: Env, nonce?: string): string {
  // The client asks the same server by HTTP why a WebSocket was refused.
  const origins = liveKitsForBrowsers(env).flatMap(({ url }) => [url, url.replace(/^ws/, 'http')]);
  return [
    "default-src 'none'",
    "script-src 'self'",
    ["style-src 'self'", ...(nonce === undefined ? [] : [`'nonce-${nonce}'`])].join(' '),
    "img-src 'self' data:",
    ["connect-src 'self'", ...origins.map((url) => new URL(url).origin)].join(' '),
    "media-src 'self' blob:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

const headersOf = (env: Env, nonce?: string) => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': contentSecurityPolicy(env, nonce),
  'referrer-policy': 'no-referrer',
  'permissions-policy': 'microphone=(self), camera=(), geolocation=()',
  // It names the files of this very build.
  'cache-control': 'no-cache',
});

/**
 * The pages of `console/`, as built. They contain no account's data: they get it from the API, with a token that
 * the browser keeps from every address.
 */
export async function servePages(app: FastifyInstance, deps: AppDeps): Promise<void> {
  const { env, logger, pagesFolder } = deps;
  if (pagesFolder === undefined) return;
  const files = ['playground.html', 'console.html'].map((name) => join(pagesFolder, name));
  if (!files.every((path) => existsSync(path))) {
    logger.warn({ pagesFolder }, 'the pages are not built: console and playground are not served');
    return;
  }
  await app.register(fastifyStatic, {
    root: join(pagesFolder, 'assets'),
    prefix: '/console/assets/',
    index: false,
    wildcard: false,
    decorateReply: false,
    immutable: true,
    maxAge: hashedFilesAge,
  });
  const [playground = '', console = ''] = await Promise.all(files.map((path) => readFile(path, 'utf8')));
  const headers = headersOf(env);
  app.get('/playground/:agentId', { schema: { hide: true } }, (_request, reply) =>
    reply.headers(headers).send(playground),
  );

  // Which page of the console an address names, the console itself finds out.
  const sendConsole = (reply: FastifyReply) => {
    const nonce = randomBytes(16).toString('base64');
    return reply.headers(headersOf(env, nonce)).send(console.replaceAll(noncePlace, nonce));
  };
  app.get('/console', { schema: { hide: true } }, (_request, reply) => sendConsole(reply));
  app.get('/console/*', { schema: { hide: true } }, (request, reply) =>
    /^\/console\/assets(?:\/|$)|\.[a-z]+(?:\?|$)/.test(request.url) ? reply.callNotFound() : sendConsole(reply),
  );
  answerSignIn(app, deps);
}
