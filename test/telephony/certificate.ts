import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { findProgram } from '../setup/program.js';
import { logFolder } from './logs.js';

/** OPENSSL_BIN, else from the PATH: signs the certificates of carriers by TLS. */
export const openssl = findProgram('OPENSSL_BIN', 'openssl');

/** Paths of PEM files. */
export interface Certificate {
  readonly key: string;
  readonly certificate: string;
}

/** A certificate for a name or address, signed by itself: valid only for who is told to trust it. Needs `openssl`. */
export function certificateFor(name: string): Certificate {
  const folder = logFolder('certificate');
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const kind = /^[\d.]+$/.test(name) ? 'IP' : 'DNS';
  const names = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=${kind}:${name}`];
  const how = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1'];
  execFileSync(openssl ?? 'openssl', [...how, ...names, '-keyout', key, '-out', certificate], { stdio: 'ignore' });
  return { key, certificate };
}
