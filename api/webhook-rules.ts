import type { Env } from '../platform/env.js';
import type { OutboundRules } from '../platform/outbound-url.js';

/** Where webhooks, and questions before calls, may be sent. */
export const webhookRules = (env: Env): OutboundRules => ({
  allowInsecure: env.OUTDIAL_ALLOW_INSECURE_WEBHOOKS,
  allowPrivate: env.OUTDIAL_ALLOW_PRIVATE_WEBHOOKS,
});
