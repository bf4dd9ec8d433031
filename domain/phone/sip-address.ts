export interface SipAddress {
  /** Name or IP literal; IPv6 without its brackets. */
  readonly host: string;
  readonly port: number | null;
}

const authority = /^(?:\[([0-9a-fA-F:.]+)\]|([^\s:/@?#[\]]+))(?::(\d{1,5}))?$/;
const label = /^[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?$/;

/** Reads where a SIP trunk is: `host` or `host:port`, IPv6 in brackets, no scheme. Null if the text is something else. */
export function parseSipAddress(text: string): SipAddress | null {
  const [, v6, name, portText] = authority.exec(text) ?? [];
  const port = portText === undefined ? null : Number(portText);
  if (port !== null && (port < 1 || port > 65_535)) return null;
  if (v6 !== undefined) return { host: v6, port };
  if (name === undefined || name.length > 253) return null;
  const labels = name.replace(/\.$/, '').split('.');
  return labels.every((part) => label.test(part)) ? { host: name, port } : null;
}
