/** The owner of a sealed secret: it opens for that owner only. Kind and owner are under its authentication tag. */
export interface SecretPlace {
  readonly kind: string;
  readonly owner: readonly string[];
}

const place =
  (kind: string) =>
  (...owner: string[]): SecretPlace => ({ kind, owner });

interface SecretPlaces {
  /** Of both columns: a rotation makes the current secret the previous one. */
  readonly webhookSecret: (accountId: string) => SecretPlace;
  readonly apiKey: (accountId: string, keyId: string) => SecretPlace;
  readonly gatewayPassword: (accountId: string, gatewayId: string) => SecretPlace;
  readonly roomPin: (accountId: string, ruleId: string) => SecretPlace;
  readonly toolHeaders: (accountId: string, toolId: string) => SecretPlace;
  /** @param path where the key stands in the version's config */
  readonly agentKey: (accountId: string, versionId: string, path: string) => SecretPlace;
  readonly storedAnswer: (accountId: string, keyId: string, idempotencyKey: string) => SecretPlace;
}

/** Places of all sealed secrets. They must not change: what was sealed names them. */
export const secretPlaces: SecretPlaces = {
  webhookSecret: place('webhook-secret'),
  apiKey: place('api-key'),
  gatewayPassword: place('gateway-password'),
  roomPin: place('room-pin'),
  toolHeaders: place('tool-headers'),
  agentKey: place('agent-key'),
  storedAnswer: place('stored-answer'),
};

interface SealedColumn {
  /** Columns of the same row, in the order in which `place` takes them. */
  readonly owner: readonly string[];
  readonly place: (...owner: string[]) => SecretPlace;
}

/** Every column of the database that holds sealed secrets. */
export const sealedColumns: Readonly<Record<string, SealedColumn>> = {
  'accounts.webhook_secret_sealed': { owner: ['id'], place: secretPlaces.webhookSecret },
  'accounts.previous_webhook_secret_sealed': { owner: ['id'], place: secretPlaces.webhookSecret },
  'api_keys.secret_sealed': { owner: ['account_id', 'id'], place: secretPlaces.apiKey },
  'gateways.auth_password_sealed': { owner: ['account_id', 'id'], place: secretPlaces.gatewayPassword },
  'routing_rules.room_pin_sealed': { owner: ['account_id', 'id'], place: secretPlaces.roomPin },
  'tools.headers_sealed': { owner: ['account_id', 'id'], place: secretPlaces.toolHeaders },
  'agent_version_secrets.secret_sealed': { owner: ['account_id', 'version_id', 'path'], place: secretPlaces.agentKey },
  'idempotency_keys.response_sealed': {
    owner: ['account_id', 'key_id', 'idempotency_key'],
    place: secretPlaces.storedAnswer,
  },
};
