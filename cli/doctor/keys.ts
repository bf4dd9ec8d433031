import type { Db } from '../../db/client.js';
import { secretsByKey } from '../../db/queries/accounts/sealed-secrets.js';
import type { Env } from '../../platform/env.js';
import { createSecretBox } from '../../platform/secret-box.js';
import { failed, type Finding, ok, skipped, warning, wordsOf } from './finding.js';

export function keyFinding({ OUTDIAL_ENCRYPTION_KEYS: keys }: Env): Finding {
  try {
    createSecretBox(keys);
    return ok('encryption keys', 'they can be used');
  } catch (error) {
    return failed('encryption keys', wordsOf(error));
  }
}

const secrets = (count: number): string => (count === 1 ? '1 stored secret is' : `${count} stored secrets are`);

/** Whether every key that has sealed something is there, and whether one could be dropped. Nothing is opened for it. */
export async function storedSecretsFinding({ OUTDIAL_ENCRYPTION_KEYS: keys }: Env, db: Db): Promise<Finding[]> {
  const check = 'stored secrets';
  let box;
  try {
    box = createSecretBox(keys);
  } catch {
    return []; // keyFinding says it
  }
  const { sealsWith, opensWith } = box;
  let counts: [key: string, count: number][];
  try {
    counts = [...(await secretsByKey(db))];
  } catch (error) {
    return [skipped(check, `Which keys have sealed them cannot be read: ${wordsOf(error)}`)];
  }
  const findings = counts.flatMap(([key, count]) => {
    if (key === sealsWith) return [];
    const words = `${secrets(count)} sealed with the key ${JSON.stringify(key)}, which is`;
    return opensWith.includes(key)
      ? [
          warning(
            check,
            `${words} not the first here.`,
            'Keep it until `outdial secrets rotate` says that none is left.',
          ),
        ]
      : [
          failed(
            check,
            `${words} not in OUTDIAL_ENCRYPTION_KEYS: what it has sealed cannot be read.`,
            'Add this key after the others on every process, restart them, and run `outdial secrets rotate` before it is dropped.',
          ),
        ];
  });
  return findings.length > 0 ? findings : [ok(check, `all are sealed with ${sealsWith}, the first of the keys`)];
}
