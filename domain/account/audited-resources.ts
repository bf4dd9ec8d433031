/** What the audit log has entries about, as its actions begin: `batch-call.cancel` is about a batch call. */
export const auditedResources = [
  ...(['account', 'agent', 'batch-call', 'call', 'calls', 'campaign', 'contact', 'do-not-call', 'grant'] as const),
  ...(['guardrails', 'inbound-gateway', 'key', 'knowledge-base', 'knowledge-base-folder', 'outbound-gateway'] as const),
  ...(['phone-number', 'routing-rule', 'sip-webhook', 'token', 'tool', 'webhook-secret'] as const),
] as const;

/** An action of the audit log: `<resource>.<verb>`, such as `routing-rule.create`. */
export type AuditedAction = `${(typeof auditedResources)[number]}.${string}`;
