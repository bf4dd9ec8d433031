import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { z } from 'zod';
import { modelProviders } from '../../../domain/agent/model-catalog.js';
import { Env } from '../../../platform/env.js';

const chart = 'deploy/helm/outdial';
const helm = process.env.HELM_BIN ?? 'helm';
const validator = process.env.KUBERNETES_VALIDATE_BIN ?? 'kubernetes-validate';
const has = (program: string, ...args: string[]) => spawnSync(program, args).status === 0;
const hasHelm = has(helm, 'version');
const hasValidator = hasHelm && has(validator, '--version');
const folder = mkdtempSync(join(tmpdir(), 'outdial-chart-'));
const examples = readdirSync(join(chart, 'examples')).map((name) => join(chart, 'examples', name));
const versions = Array.from({ length: 8 }, (_, at) => `1.${30 + at}`);

const Field = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  enum: z.array(z.string()).optional(),
  anyOf: z.array(z.unknown()).optional(),
  pattern: z.string().optional(),
  minimum: z.number().optional(),
});
const schemaText = readFileSync(join(chart, 'values.schema.json'), 'utf8');
const schema = z
  .looseObject({ properties: z.looseObject({ settings: z.object({ properties: z.record(z.string(), Field) }) }) })
  .parse(JSON.parse(schemaText));
const settings = schema.properties.settings.properties;
const defaults = z.record(z.string(), z.unknown()).parse(parse(readFileSync(join(chart, 'values.yaml'), 'utf8')));

const Variable = z.object({ name: z.string(), value: z.string().optional(), valueFrom: z.unknown().optional() });
const Container = z.looseObject({ name: z.string(), env: z.array(Variable).default([]) });
const Document = z.looseObject({
  kind: z.string(),
  metadata: z.looseObject({ name: z.string() }),
  spec: z.looseObject({}).optional(),
});
const Pod = z.looseObject({ terminationGracePeriodSeconds: z.number(), containers: z.array(Container).length(1) });

/** What the chart makes of values: a file, or an object. */
function render(values: string | object): z.infer<typeof Document>[] {
  const file = typeof values === 'string' ? values : join(folder, 'values.yaml');
  if (typeof values !== 'string') writeFileSync(file, stringify(values));
  const text = execFileSync(helm, ['template', 'outdial', chart, '--values', file], {
    encoding: 'utf8',
    stdio: 'pipe',
  });
  return parseAllDocuments(text).flatMap((each) => {
    const document: unknown = each.toJS();
    return document === null ? [] : [Document.parse(document)];
  });
}
/** The pods of all Deployments and of the migration, by name. */
const podsOf = (documents: readonly z.infer<typeof Document>[]) =>
  new Map(
    documents
      .filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
      .map(({ metadata, spec }) => [
        metadata.name.replace('outdial-', ''),
        Pod.parse(z.looseObject({ template: z.looseObject({ spec: z.unknown() }) }).parse(spec).template.spec),
      ]),
  );

test('the chart has settings, keys of providers, alerts and dashboard as they are elsewhere: npm run docs', () => {
  execFileSync(process.execPath, ['scripts/write-chart.mjs', '--check'], { stdio: 'pipe' });
  const { version } = z.object({ version: z.string() }).parse(JSON.parse(readFileSync('package.json', 'utf8')));
  expect(parse(readFileSync(join(chart, 'Chart.yaml'), 'utf8'))).toMatchObject({ version, appVersion: version });
});

describe('the schema of the values', () => {
  const takes = new Ajv2020({ allowUnionTypes: true, strictTypes: false, strictRequired: false }).compile(
    z.looseObject({}).parse(JSON.parse(schemaText)),
  );
  const refused = (change: object) => !takes({ ...defaults, ...change });

  test('takes the defaults', () => {
    expect({ taken: takes(defaults), errors: takes.errors }).toEqual({ taken: true, errors: null });
  });

  const checked = Object.entries(settings).filter(([, { type, enum: words, anyOf, pattern }]) => {
    return (
      words !== undefined || anyOf !== undefined || pattern !== undefined || type === 'integer' || type === 'number'
    );
  });

  test.each(checked.map(([name]) => name))('refuses a wrong %s', (name) => {
    expect(refused({ settings: { [name]: 'not at all' } })).toBe(true);
  });

  test.each([
    ['a setting that does not exist', { settings: { OUTDIAL_RETENTION_DAY: 3 } }],
    ['a secret among the settings', { settings: { OUTDIAL_LIVEKIT_API_SECRET: 'secret' } }],
    ['a value that does not exist', { replicas: 3 }],
    ['a number below its range', { settings: { OUTDIAL_RETENTION_DAYS: 0 } }],
    [
      'too little grace for a telephone that rings',
      { dialer: { ...z.object({}).loose().parse(defaults.dialer), gracePeriodSeconds: 30 } },
    ],
    ['an Ingress without a host', { ingress: { enabled: true } }],
    ['a route that no gateway carries', { httpRoute: { enabled: true, hostnames: ['a.example.com'], parentRefs: [] } }],
  ])('refuses %s', (_, change) => {
    expect(refused(change)).toBe(true);
  });
});

describe.skipIf(!hasHelm)(`the chart${hasHelm ? '' : ' (skipped: helm is not on the PATH, nor at HELM_BIN)'}`, () => {
  test('has nothing that helm lint complains of', () => {
    execFileSync(helm, ['lint', '--strict', chart, ...examples.flatMap((name) => ['--values', name]).slice(0, 2)], {
      stdio: 'pipe',
    });
  });

  test('a wrong value is refused with its name', () => {
    expect(() => render({ settings: { OUTDIAL_RETENTION_DAYS: 'long' } })).toThrow(/OUTDIAL_RETENTION_DAYS/);
  });

  const sample = ({ enum: words, anyOf, pattern, type, minimum }: z.infer<typeof Field>) => {
    if (pattern !== undefined) return 'https://example.com';
    if (anyOf !== undefined) return true;
    return words?.[0] ?? (type === 'integer' || type === 'number' ? (minimum ?? 1_000_000) : 'word');
  };
  const talking = ['api', 'worker', 'dialer', 'agent-default'];
  /** Agents trace nothing: what a conversation's spans need is read from the database. */
  const tracing = ['api', 'dialer', 'worker'];
  const ofOneRole: Readonly<Record<string, string>> = {
    ...{ OUTDIAL_TRUSTED_PROXIES: 'api', OUTDIAL_RATE_LIMIT_PER_SECOND: 'api', OUTDIAL_RATE_LIMIT_BURST: 'api' },
    ...{ OUTDIAL_AGENT_SLOTS: 'agent-default', OUTDIAL_AGENT_WARM: 'agent-default' },
    ...{ OUTDIAL_AGENT_REGION: 'agent-default', OUTDIAL_AGENT_DRAIN_SECONDS: 'agent-default' },
    OUTDIAL_WORKER_BUILD_ID: 'worker',
    OUTDIAL_SERVICE_DATABASE_URL: 'migrate',
  };
  const everything = () =>
    podsOf(
      render({
        migrate: { ownerSecretName: 'owner' },
        agents: { default: { region: 'default' } },
        settings: {
          ...Object.fromEntries(Object.entries(settings).map(([name, field]) => [name, sample(field)])),
          OUTDIAL_PROVIDER: 'livekit',
        },
      }),
    );
  const ofImagesAndUp = ['OUTDIAL_DATA', 'OUTDIAL_SIGN_IN_FOLDER'];

  test('each setting reaches every role that uses it, as text', () => {
    const pods = everything();
    const environmentOf = (name: string) => pods.get(name)?.containers[0]?.env ?? [];
    for (const name of Object.keys(Env.shape).filter((each) => !ofImagesAndUp.includes(each))) {
      const only = ofOneRole[name];
      const roles = [...pods.keys()].filter((each) => environmentOf(each).some((variable) => variable.name === name));
      expect({ name, roles: roles.filter((each) => each !== 'migrate' || only === 'migrate').sort() }).toEqual({
        name,
        roles: (only === undefined ? (name.startsWith('OTEL_') ? tracing : talking) : [only]).toSorted(),
      });
    }
    const perSecond = environmentOf('api').find(({ name }) => name === 'OUTDIAL_MAX_STORED_MB');
    expect(perSecond?.value).toBe('1');
  });

  test('large numbers are written out, and secrets come from the Secret', () => {
    const pods = podsOf(render({ settings: { OUTDIAL_MAX_STORED_MB: 5_000_000, OUTDIAL_REQUIRE_GRANTS: true } }));
    const env = pods.get('api')?.containers[0]?.env;
    expect(env).toContainEqual({ name: 'OUTDIAL_MAX_STORED_MB', value: '5000000' });
    expect(env).toContainEqual({ name: 'OUTDIAL_REQUIRE_GRANTS', value: 'true' });
    expect(env).toContainEqual({
      name: 'OUTDIAL_ENCRYPTION_KEYS',
      valueFrom: { secretKeyRef: { name: 'outdial', key: 'OUTDIAL_ENCRYPTION_KEYS' } },
    });
  });

  test('keys of providers go to the roles that ask models, and the owner’s password to the migration alone', () => {
    const pods = everything();
    const knows = (pod: string, what: string) => JSON.stringify(pods.get(pod)).includes(what);
    for (const key of modelProviders.flatMap(({ keyVariable }) => keyVariable ?? [])) {
      expect({ key, roles: talking.filter((role) => knows(role, `"${key}"`)) }).toEqual({
        key,
        roles: ['api', 'worker', 'agent-default'],
      });
    }
    expect([...pods.keys()].filter((pod) => knows(pod, '"owner"'))).toEqual(['migrate']);
  });

  test.each(examples)('%s: nothing runs as root, writes to its image or has rights to lose', (name) => {
    const pods = podsOf(render(name));
    expect(pods.size).toBeGreaterThanOrEqual(5);
    for (const [, pod] of pods) {
      expect(pod).toMatchObject({
        ...{ automountServiceAccountToken: false, enableServiceLinks: false },
        securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      });
      expect(pod.containers[0]).toMatchObject({
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
        resources: { requests: expect.anything(), limits: expect.objectContaining({ memory: expect.any(String) }) },
      });
    }
  });

  test('each role has the time to end that it takes: agents as long as the longest call', () => {
    const pods = podsOf(render({ agents: { default: { drainSeconds: 7_200 } } }));
    const graces = [...pods].map(([name, pod]) => [name, pod.terminationGracePeriodSeconds]);
    expect(Object.fromEntries(graces)).toEqual({
      ...{ api: 25, worker: 40, dialer: 100, migrate: 30 },
      'agent-default': 7_245,
    });
  });

  test('a database that is away makes roles unready and ends none', () => {
    for (const role of talking) {
      const container = podsOf(render({})).get(role)?.containers[0];
      expect(container).toMatchObject({
        livenessProbe: { httpGet: { path: '/livez', port: 'metrics' } },
        readinessProbe: { httpGet: role === 'api' ? { path: '/readyz', port: 'http' } : { path: '/healthz' } },
      });
    }
  });

  test('the alerts in the chart are those of deploy/prometheus, and the dashboard that of deploy/grafana', () => {
    const documents = render(join(chart, 'examples/large.yaml'));
    const rule = documents.find(({ kind }) => kind === 'PrometheusRule');
    expect(rule?.spec).toEqual(parse(readFileSync('deploy/prometheus/alerts.yml', 'utf8')));
    const shown = documents.find(({ metadata }) => metadata.name === 'outdial-dashboards');
    expect(shown).toMatchObject({ data: { 'outdial.json': readFileSync('deploy/grafana/outdial.json', 'utf8') } });
  });

  test('KEDA asks for the slots of the region and keeps some of them free', () => {
    const scaled = render(join(chart, 'examples/clouds.yaml')).find(({ kind }) => kind === 'ScaledObject');
    expect(scaled?.spec).toMatchObject({
      minReplicaCount: 1,
      triggers: [{ metadata: { query: 'max(outdial_region_agent_slots_taken{region="default"})', threshold: '7' } }],
    });
  });

  test.skipIf(!hasValidator)(
    `what the examples make is valid in Kubernetes 1.30 to 1.37${hasValidator ? '' : ' (skipped: kubernetes-validate is not on the PATH, nor at KUBERNETES_VALIDATE_BIN)'}`,
    () => {
      const files = examples.map((name, at) => {
        const file = join(folder, `${at}.yaml`);
        writeFileSync(
          file,
          render(name)
            .map((each) => stringify(each))
            .join('---\n'),
        );
        return file;
      });
      const { status, stdout, stderr } = spawnSync(
        validator,
        [...versions.flatMap((version) => ['-k', version]), '--strict', '--quiet', ...files],
        { encoding: 'utf8' },
      );
      const lines = (stdout + stderr).split('\n').filter((line) => line !== '');
      const ofOthers = /kind (HTTPRoute|ScaledObject|ServiceMonitor|PrometheusRule) /;
      expect({ status, said: lines.filter((line) => !ofOthers.test(line)) }).toEqual({ status: 0, said: [] });
    },
  );
});

describe.skipIf(!hasHelm)('versions of the workers', () => {
  const buildsOf = (versioning: object) => {
    const pods = podsOf(render({ worker: { versioning } }));
    return Object.fromEntries(
      [...pods].flatMap(([name, { containers }]) => {
        const [container] = containers;
        if (container === undefined) return [];
        const { env, image, args } = container;
        const build = env.find((variable) => variable.name === 'OUTDIAL_WORKER_BUILD_ID')?.value;
        return name.startsWith('worker') ? [[name, { build, image, args }]] : [];
      }),
    );
  };

  test('there are none unless they are asked for', () => {
    expect(buildsOf({})).toEqual({ worker: { build: undefined, image: expect.any(String), args: ['worker'] } });
  });

  test('workers of kept versions have their own Deployments, and a Job makes the new version current', () => {
    const keep = [
      { buildId: '1.0.0+Rc', tag: '1.0.0', replicas: 2 },
      { buildId: '1.1.0', tag: '1.1.0' },
    ];
    expect(buildsOf({ enabled: true, buildId: '1.1.0', keep })).toMatchObject({
      worker: { build: '1.1.0', args: ['worker'] },
      'worker-1-0-0-rc': { build: '1.0.0+Rc', image: 'outdial:1.0.0', args: ['worker'] },
      'worker-version': { args: ['worker-version', 'use', '1.1.0', '--wait', '600'] },
    });
    expect(Object.keys(buildsOf({ enabled: true, buildId: '1.1.0', keep }))).toHaveLength(3);
  });
});
