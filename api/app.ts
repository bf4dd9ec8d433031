import { randomUUID } from 'node:crypto';
import helmet from '@fastify/helmet';
import underPressure from '@fastify/under-pressure';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyRequest } from 'fastify';
import { unavailable } from '../domain/errors.js';
import { version } from '../platform/version.js';
import { watchListeners } from './calls/take-out-listeners.js';
import { answerHealth } from './health.js';
import { answerLiveKit } from './livekit-webhook/mount.js';
import type { AppDeps } from './operation.js';
import { mountOperation } from './operation-mount.js';
import { operations } from './operations.js';
import { limitPages } from './plugins/address-limit.js';
import { answerRoot } from './pages/welcome.js';
import { checkAnswers } from './plugins/answers.js';
import { createAuthentication } from './plugins/authentication.js';
import { readBodies } from './plugins/bodies.js';
import { answerErrors, sendFailure } from './plugins/errors.js';
import { servePages } from './plugins/pages.js';
import { describeApi } from './plugins/openapi.js';
import { traceRequests } from './plugins/request-spans.js';
import { limitRates } from './plugins/rate-limit.js';

/** Event loop delay from which requests are turned away: answering late costs more than answering 503. */
const busyEventLoopMs = 3_000;

/** A request that has not arrived by then never will: a 5 MB upload over a poor line takes less. */
const slowestRequestMs = 180_000;

/** What a log line says of a request: its operation, since paths and queries hold numbers, searches and tokens. */
const loggedRequest = ({ method, routeOptions, ip }: FastifyRequest) => ({
  method,
  route: routeOptions.url ?? 'none',
  remoteAddress: ip,
});

/** The whole HTTP API, not yet listening: `app.listen(…)`, or `app.inject(…)` in tests. */
export async function buildApp(deps: AppDeps): Promise<FastifyInstance> {
  const loggerInstance: FastifyBaseLogger = deps.logger.child({}, { serializers: { req: loggedRequest } });
  const app = Fastify({
    loggerInstance,
    // Only proxies named in the settings may say who asks: the audit log believes it.
    trustProxy: deps.env.OUTDIAL_TRUSTED_PROXIES.length > 0 ? deps.env.OUTDIAL_TRUSTED_PROXIES : false,
    requestTimeout: slowestRequestMs,
    // A request's id from outside is kept if it is harmless, so that a client's trace and our log meet.
    genReqId: ({ headers }) => {
      const given = headers['x-request-id'];
      return typeof given === 'string' && /^[\w.-]{8,128}$/.test(given) ? given : randomUUID();
    },
    frameworkErrors: (error, request, reply) => void sendFailure(error, request, reply),
    routerOptions: { maxParamLength: 300 },
  });
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  checkAnswers(app, deps);
  await limitPages(app, deps);
  answerErrors(app);
  // Plain http is how it runs behind a proxy and on one machine: pages must not be sent to an https that is not there.
  await app.register(helmet, { contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } } });
  await describeApi(app, version);
  answerRoot(app, deps);
  answerHealth(app, deps);
  await answerLiveKit(app, deps);
  await servePages(app, deps);
  watchListeners(app, deps);

  await app.register(async (api) => {
    readBodies(api);
    await api.register(underPressure, {
      maxEventLoopDelay: busyEventLoopMs,
      // If the loop has not turned once between two looks, the delay counts as endless.
      sampleInterval: busyEventLoopMs,
      pressureHandler: () => {
        throw unavailable('The service is too busy right now. Try again.', 5);
      },
    });
    await limitRates(api, deps);
    traceRequests(api, deps);
    const authenticate = createAuthentication(api, deps);
    for (const operation of operations) mountOperation(api, operation, deps, authenticate);
  });
  return app;
}
