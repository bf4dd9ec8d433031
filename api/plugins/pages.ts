import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import type { Env } from '../../platform/env.js';
import { liveKitForBrowsers } from '../../platform/livekit.js';
import type { AppDeps } from '../operation.js';

/** Names of these files change with their content. */
const hashedFilesAge = '365d';

/** What a page may load and whom it may talk to: this service, and the LiveKit of its conversations. */
function contentSecurityPolicy(env: Env): string {
  const liveKit = liveKitForBrowsers(env);
  // The client asks the same server by HTTP why a WebSocket was refused.
  const origins = liveKit === null ? [] : [liveKit.url, liveKit.url.replace(/^ws/, 'http')];
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    ["connect-src 'self'", ...origins.map((url) => new URL(url).origin)].join(' '),
    "media-src 'self' blob:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/**
 * The pages of `console/`, as built. They contain no account's data: they get it from the API, with a token that
 * the browser keeps from every address.
 */
export async function servePages(app: FastifyInstance, { env, logger, pagesFolder }: AppDeps): Promise<void> {
  if (pagesFolder === undefined) return;
  const playground = join(pagesFolder, 'playground.html');
  if (!existsSync(playground)) {
    logger.warn({ pagesFolder }, 'the pages are not built: the playground is not served');
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
  const page = await readFile(playground, 'utf8');
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': contentSecurityPolicy(env),
    'referrer-policy': 'no-referrer',
    'permissions-policy': 'microphone=(self), camera=(), geolocation=()',
    // It names the files of this very build.
    'cache-control': 'no-cache',
  };
  app.get('/playground/:agentId', { schema: { hide: true } }, (_request, reply) => reply.headers(headers).send(page));
}
