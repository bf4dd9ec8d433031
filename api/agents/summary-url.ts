import ipaddr from 'ipaddr.js';
import type { Env } from '../../platform/env.js';

/** A loopback or private address written out; names are looked up when something is sent. */
function isPrivateLiteral(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (host === 'localhost' || host.endsWith('.localhost')) return true;
  return ipaddr.isValid(host) && ipaddr.process(host).range() !== 'unicast';
}

/** Why the service would not send call summaries to this URL, or null where it would. */
export function refusedUrl(url: URL, env: Env): string | null {
  if (url.protocol !== 'https:' && !env.OUTDIAL_ALLOW_INSECURE_WEBHOOKS) return 'is not an https URL';
  if (isPrivateLiteral(url.hostname) && !env.OUTDIAL_ALLOW_PRIVATE_WEBHOOKS) return 'is a private address';
  return null;
}
