/** Events of calls that a SIP webhook can ask for. */
export const sipWebhookEvents = [
  'call-started',
  'call-ringing',
  'call-answered',
  'call-hangup',
  'call-missed',
  'call-analyzed',
] as const;
export type SipWebhookEvent = (typeof sipWebhookEvents)[number];
