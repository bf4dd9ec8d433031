/** What a server of this machine sees of a request that a web page may have sent. */
export interface RequestHeaders {
  readonly host?: string | undefined;
  readonly origin?: string | undefined;
}

/**
 * A web page may send requests to this machine from its visitor's browser: from another origin, or under its own host name
 * that it has let point here (DNS rebinding). A server without a login refuses both.
 * @returns how to refuse it; null for a client of this machine or of its network
 */
export function refusalOfWebPage({ host, origin }: RequestHeaders): { statusCode: number; message: string } | null {
  if (!isOwnName(host)) {
    return {
      statusCode: 421,
      message: 'the Host header names neither an IP address nor localhost nor a name without dots',
    };
  }
  if (origin !== undefined && origin !== `http://${host ?? ''}`) {
    return { statusCode: 403, message: 'requests of other web pages are refused' };
  }
  return null;
}

const port = String.raw`(?::\d{1,5})?$`;
const ownNames = [
  new RegExp(String.raw`^(?:\d{1,3}\.){3}\d{1,3}${port}`),
  new RegExp(String.raw`^\[[\da-f:.]+\]${port}`, 'i'),
  new RegExp(String.raw`^(?:[a-z\d-]+\.)*localhost${port}`, 'i'),
  new RegExp(String.raw`^[\w-]+${port}`),
];

/** Names that no stranger on the internet can own: addresses, localhost, and those of a container network. */
const isOwnName = (host: string | undefined): boolean => ownNames.some((name) => name.test(host ?? ''));
