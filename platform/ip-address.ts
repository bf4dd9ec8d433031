import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * How an address relates to the public internet.
 *
 * - `public`: anyone's.
 * - `private`: this machine or a network of ours; may be allowed on purpose.
 * - `forbidden`: never a destination: link-local with the clouds' metadata services, multicast, unspecified, reserved, and
 *   addresses that carry another one inside (6to4, Teredo, NAT64), which would reach what that one may not.
 */
export type AddressKind = 'public' | 'private' | 'forbidden';

const privateRanges = new Set(['private', 'loopback', 'uniqueLocal', 'carrierGradeNat']);

/** Metadata services at addresses that their range alone would let pass. */
const metadataAddresses = new Set(['168.63.129.16', '100.100.100.200', 'fd00:ec2::254', '192.0.0.192']);

/** Address inside the brackets of a URL's or an authority's IPv6 host. */
const unbracketed = (host: string): string => host.replace(/^\[(.*)\]$/, '$1');

/** The kind of an IP literal (IPv4, IPv6, bracketed or not), or null if the text is a name. */
export function addressKind(host: string): AddressKind | null {
  const text = unbracketed(host);
  // A zone id names an interface of this machine: nothing that a client may choose.
  if (text.includes('%')) return ipaddr.IPv6.isValid(text) ? 'forbidden' : null;
  if (!ipaddr.isValid(text)) return null;
  // IPv4-mapped IPv6 (::ffff:127.0.0.1) is judged as the IPv4 address that it reaches.
  const address = ipaddr.process(text);
  if (metadataAddresses.has(address.toString())) return 'forbidden';
  // The deprecated IPv4-compatible form ::a.b.c.d is in no range of the library: it counts as unicast.
  if (
    address instanceof ipaddr.IPv6 &&
    address.range() === 'unicast' &&
    address.parts.slice(0, 6).every((part) => part === 0)
  ) {
    return 'forbidden';
  }
  const range = address.range();
  if (range === 'unicast') return 'public';
  return privateRanges.has(range) ? 'private' : 'forbidden';
}

/** Names that mean this machine or its network wherever they are looked up. */
const localName = /(^|\.)(localhost|localdomain|local|internal|home\.arpa)\.?$/i;

/** Public names that lead to whatever private address is written in them, or to this machine. */
const wildcardName = /(^|\.)(nip\.io|sslip\.io|xip\.io|localtest\.me|lvh\.me|vcap\.me|lacolhost\.com)$/i;

const isLocal = (name: string): boolean => localName.test(name) || wildcardName.test(name);

/** Whether a host, name or literal, may be connected to as far as its text tells; names are judged again when looked up. */
export function mayConnectTo(host: string, { allowPrivate }: { readonly allowPrivate: boolean }): boolean {
  // A dot at the end says that the name is complete: the same name, or the same address, for a connection.
  const name = host.replace(/\.$/, '');
  const kind = addressKind(name) ?? (isLocal(name) ? 'private' : 'public');
  return kind === 'public' || (kind === 'private' && allowPrivate);
}

/** Whether a text is an address range such as 198.51.100.0/24 or 2001:db8::/32. */
export const isCidr = (text: string): boolean => /^[0-9a-fA-F.:]+\/\d{1,3}$/.test(text) && ipaddr.isValidCIDR(text);

/** Whether a text is an IP address or an address range. */
export const isAddressRange = (text: string): boolean =>
  isCidr(text) || (/^[0-9a-fA-F.:]+$/.test(text) && isIP(text) !== 0);

/** An address is a range of one. */
const rangeOf = (text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] =>
  text.includes('/') ? ipaddr.parseCIDR(text) : [ipaddr.parse(text), isIP(text) === 4 ? 32 : 128];

function contains(outer: string, inner: string): boolean {
  const [outerAddress, outerBits] = rangeOf(outer);
  const [innerAddress, innerBits] = rangeOf(inner);
  if (outerAddress.kind() !== innerAddress.kind() || innerBits < outerBits) return false;
  return innerAddress.match(outerAddress, outerBits);
}

/**
 * The addresses that lie in both lists of addresses and ranges; an empty list means all.
 * @returns null if they have none in common
 */
export function commonAddresses(one: readonly string[], other: readonly string[]): readonly string[] | null {
  if (one.length === 0) return other;
  if (other.length === 0) return one;
  const within = (ranges: readonly string[], range: string) => ranges.some((outer) => contains(outer, range));
  const common = new Set([
    ...one.filter((range) => within(other, range)),
    ...other.filter((range) => within(one, range)),
  ]);
  return common.size === 0 ? null : [...common];
}
