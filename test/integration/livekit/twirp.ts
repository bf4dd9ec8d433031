import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { AccessToken } from 'livekit-server-sdk';
import type { TwirpError } from './courses.js';

/** A `participant_left` as LiveKit's webhook tells it. */
export interface LeftEvent extends ParticipantEvent {
  readonly event: 'participant_left';
}

/** What LiveKit's webhook tells of a participant who comes or goes. */
export interface ParticipantEvent {
  readonly event: 'participant_joined' | 'participant_left';
  readonly id: string;
  readonly createdAt: string;
  readonly room: { readonly name: string; readonly sid: string };
  readonly participant: {
    readonly identity: string;
    readonly kind: 'SIP' | 'AGENT';
    readonly attributes: Readonly<Record<string, string>>;
    readonly disconnectReason: number;
  };
}

/** Body and Authorization header of a webhook, as LiveKit signs them. */
export async function signedWebhook(
  event: ParticipantEvent,
  key: { readonly apiKey: string; readonly apiSecret: string },
  ttl: number | string = '5m',
): Promise<{ body: string; authorization: string }> {
  const body = JSON.stringify(event);
  const token = new AccessToken(key.apiKey, key.apiSecret, { ttl });
  token.sha256 = createHash('sha256').update(body).digest('base64');
  return { body, authorization: await token.toJwt() };
}

export type Answer = { readonly body: object } | { readonly error: TwirpError };

export function send(response: ServerResponse, answer: Answer): void {
  if (response.writableEnded || response.destroyed) return;
  const { status, ...error } = 'error' in answer ? answer.error : { status: 200 };
  const body = 'error' in answer ? error : answer.body;
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
