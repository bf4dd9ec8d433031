import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { readingsAtOnce } from '../../../api/file-turns.js';
import { fileReaderLimits } from '../../../contacts/read-apart.js';
import { modelProviders } from '../../../domain/agent/model-catalog.js';
import { documentReaderLimits } from '../../../knowledge/read-apart.js';
import { Env } from '../../../platform/env.js';
import { documentsAtOnce, filesAtOnce } from '../../../worker/create-workers.js';

const root = join(import.meta.dirname, '../../..');
const textOf = (path: string) => readFileSync(join(root, path), 'utf8');
const Service = z.looseObject({
  image: z.string(),
  environment: z.record(z.string(), z.union([z.string(), z.number()])).default({}),
  networks: z.array(z.string()).default([]),
  read_only: z.boolean().default(false),
  cap_drop: z.array(z.string()).default([]),
  security_opt: z.array(z.string()).default([]),
  mem_limit: z.string().optional(),
  pids_limit: z.number().optional(),
  privileged: z.boolean().optional(),
  command: z.union([z.string(), z.array(z.string())]).default([]),
});
const { services } = z
  .object({ services: z.record(z.string(), Service) })
  .parse(parse(textOf('docker-compose.yml'), { merge: true }));
const own = ['migrate', 'operator', 'api', 'worker', 'dialer', 'agent', 'carrier'];
const talking = ['api', 'worker', 'dialer', 'agent'];
const environmentOf = (name: string) => services[name]?.environment ?? {};

/** What the images set themselves, and what only `up` reads. */
const ofImage = [
  ...['OUTDIAL_HOST', 'OUTDIAL_PORT', 'OUTDIAL_METRICS_HOST', 'OUTDIAL_METRICS_PORT', 'OUTDIAL_DATA'],
  'OUTDIAL_SIGN_IN_FOLDER',
];
/** Of `migrate`, and of the operator's commands. */
const ofOwner = ['OUTDIAL_SERVICE_DATABASE_URL'];
const ofOneRole: Readonly<Record<string, string>> = {
  ...{ OUTDIAL_TRUSTED_PROXIES: 'api', OUTDIAL_RATE_LIMIT_PER_SECOND: 'api', OUTDIAL_RATE_LIMIT_BURST: 'api' },
  OUTDIAL_WORKER_BUILD_ID: 'worker',
  ...{
    OUTDIAL_AGENT_SLOTS: 'agent',
    OUTDIAL_AGENT_WARM: 'agent',
    OUTDIAL_AGENT_IGNORE_LOAD: 'agent',
    OUTDIAL_AGENT_REGION: 'agent',
  },
  OUTDIAL_AGENT_DRAIN_SECONDS: 'agent',
};
/** Agents trace nothing: what a conversation's spans need is read from the database. */
const tracing = ['api', 'worker', 'dialer'];
/** Credentials of the store that recordings move to. */
const recordingKeys = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'];
const providerKeys = [...new Set(modelProviders.flatMap(({ keyVariable }) => keyVariable ?? []))];

describe('settings', () => {
  test.each(Object.keys(Env.shape).filter((name) => !ofImage.includes(name) && !ofOwner.includes(name)))(
    'F2: %s reaches every role that uses it through docker-compose.yml',
    (name) => {
      const many = name.startsWith('OTEL_') ? tracing : talking;
      const roles = ofOneRole[name] === undefined ? many : [ofOneRole[name]];
      expect(talking.filter((role) => name in environmentOf(role))).toEqual(roles);
    },
  );

  test('F2: what the page of the settings names is what the schema has', () => {
    const named = [...textOf('docs/configuration.md').matchAll(/^\| `([A-Z_]+)`/gm)].map(([, name]) => name);
    expect(named.sort()).toEqual(Object.keys(Env.shape).sort());
  });

  test('F2: nothing is handed to a role that is neither a setting nor a key of a provider or a store', () => {
    const known = [...Object.keys(Env.shape), ...providerKeys, ...recordingKeys];
    for (const name of own) {
      expect({ name, strangers: Object.keys(environmentOf(name)).filter((each) => !known.includes(each)) }).toEqual({
        name,
        strangers: [],
      });
    }
  });

  test('F2: docker/env.example lists every variable that docker-compose.yml reads, and no other', () => {
    const read = [...textOf('docker-compose.yml').matchAll(/\$\{([A-Z_]+)/g)].map(([, name]) => name!);
    const listed = [...textOf('docker/env.example').matchAll(/^(?:# )?([A-Z][A-Z_]+)=/gm)].map(([, name]) => name!);
    const ofCompose = ['COMPOSE_PROFILES'];
    expect([...new Set(listed)].filter((name) => !ofCompose.includes(name)).sort()).toEqual([...new Set(read)].sort());
  });

  test('P3-6: keys of providers go to the roles that ask models, the key that seals secrets to those that open any', () => {
    for (const key of providerKeys) {
      expect(own.filter((name) => key in environmentOf(name))).toEqual(['api', 'worker', 'agent']);
    }
    for (const key of recordingKeys) {
      expect(own.filter((name) => key in environmentOf(name))).toEqual(['api', 'worker']);
    }
    expect(own.filter((name) => 'OUTDIAL_ENCRYPTION_KEYS' in environmentOf(name))).toEqual(['operator', ...talking]);
    expect(environmentOf('carrier')).toEqual({});
  });
});

describe('agents on a host of their own (docker/agents.yml)', () => {
  const alone = z.object({ services: z.object({ agent: Service }) }).parse(parse(textOf('docker/agents.yml')))
    .services.agent;

  test('get the settings that agents get in docker-compose.yml', () => {
    // Simulated calls have agents of their own.
    const wanted = Object.keys(environmentOf('agent')).filter((name) => name !== 'OUTDIAL_SIMULATOR_URL');
    expect(Object.keys(alone.environment).sort()).toEqual(wanted.sort());
  });

  test('can write nowhere but to memory, and have no rights to lose', () => {
    expect(alone).toMatchObject({
      ...{ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] },
      ...{ mem_limit: expect.any(String), pids_limit: expect.any(Number) },
    });
  });
});

test('the TLS proxy is the only neighbour whose word the api takes for a client’s address', () => {
  const onProxy = Object.keys(services).filter((name) => services[name]?.networks.includes('proxy'));
  expect(onProxy.sort()).toEqual(['api', 'caddy']);
  const [, subnet = 'none'] = /^ {8}- subnet: (\S+)$/m.exec(textOf('docker-compose.yml')) ?? [];
  expect(environmentOf('api').OUTDIAL_TRUSTED_PROXIES).toBe(`\${OUTDIAL_TRUSTED_PROXIES:-${subnet}}`);
});

describe('passwords', () => {
  const urlOf = (name: string, variable: string) => String(environmentOf(name)[variable]);

  test('P3-5: the roles connect as the role of the service, and only migrate and the operator know the owner’s password', () => {
    for (const role of talking) {
      expect(urlOf(role, 'OUTDIAL_DATABASE_URL')).toMatch(
        /^postgres:\/\/outdial_service:\$\{OUTDIAL_SERVICE_DATABASE_PASSWORD/,
      );
      expect(JSON.stringify(environmentOf(role))).not.toContain('{OUTDIAL_DATABASE_PASSWORD');
    }
    for (const name of ['migrate', 'operator']) {
      expect(urlOf(name, 'OUTDIAL_DATABASE_URL')).toContain('//outdial:${OUTDIAL_DATABASE_PASSWORD');
      expect(urlOf(name, 'OUTDIAL_SERVICE_DATABASE_URL')).toBe(urlOf('api', 'OUTDIAL_DATABASE_URL'));
    }
  });

  test('P2-6: Redis asks for a password, which LiveKit and LiveKit SIP have and no role of the service', () => {
    expect(JSON.stringify(services.redis?.command)).toContain('requirepass');
    const knowing = Object.keys(services).filter((name) =>
      JSON.stringify(services[name]).includes('OUTDIAL_REDIS_PASSWORD'),
    );
    expect(knowing.sort()).toEqual(['livekit', 'livekit-sip', 'redis']);
  });
});

/** What api and worker take themselves, at most, in MiB. */
const ownMiB = 300;
const mebibytes: Readonly<Record<string, number>> = { m: 1, g: 1_024 };
const limitMiB = (name: string): number => {
  const [, amount, unit = ''] = /^(\d+)([mg])$/.exec(services[name]?.mem_limit ?? '') ?? [];
  return Number(amount) * (mebibytes[unit] ?? NaN);
};

describe('containers', () => {
  test.each([
    ['api', readingsAtOnce * fileReaderLimits.memoryMiB],
    ['worker', filesAtOnce * fileReaderLimits.memoryMiB + documentsAtOnce * documentReaderLimits.memoryMiB],
  ])(
    'P0-1, P1-3: %s has the memory of all files that it reads at once, however hostile: %i MiB',
    (name, readersMiB) => {
      expect(limitMiB(name)).toBeGreaterThan(ownMiB + readersMiB);
    },
  );

  test.each(own)('P3-6: %s can write nowhere but to memory, and has no rights to lose', (name) => {
    expect(services[name]).toMatchObject({
      ...{ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] },
      ...{ mem_limit: expect.any(String), pids_limit: expect.any(Number) },
    });
  });

  test.each(Object.keys(services))('P3-6: %s has limits and gains no rights', (name) => {
    expect(services[name]?.mem_limit).toBeDefined();
    expect(services[name]?.pids_limit).toBeDefined();
    expect(services[name]?.security_opt).toContain('no-new-privileges:true');
    expect(services[name]?.privileged).toBeUndefined();
    expect(services[name]?.networks.length).toBeGreaterThan(0);
  });

  test('P2-6: LiveKit and LiveKit SIP share no network with PostgreSQL and Temporal', () => {
    const networksOf = (name: string) => services[name]?.networks ?? [];
    for (const outside of ['livekit', 'livekit-sip', 'redis', 'carrier']) {
      for (const inside of ['postgres', 'temporal']) {
        expect(networksOf(outside).filter((network) => networksOf(inside).includes(network))).toEqual([]);
      }
    }
  });
});
