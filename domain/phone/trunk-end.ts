/** How numbers stand in the SIP addresses of a trunk. */
export const numberFormats = ['e164', 'e164_without_plus', 'national'] as const;

/** The trunk end that an INVITE goes out by, credentials decrypted. Lives in memory only, never logged. */
export interface TrunkEnd {
  readonly id: string;
  /** host or host:port */
  readonly address: string;
  readonly transport: 'udp' | 'tcp' | 'tls';
  readonly auth?: { readonly username: string; readonly password: string };
  readonly mediaEncryption: 'enable' | 'disable';
  readonly region: string;
  readonly fromHost?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly numberFormat: (typeof numberFormats)[number];
}

/** What a trunk end says to SIP OPTIONS, in words that an operator can act upon. */
export interface TrunkAnswer {
  readonly reachable: boolean;
  readonly statusCode?: number;
  readonly milliseconds?: number;
  readonly message: string;
}
