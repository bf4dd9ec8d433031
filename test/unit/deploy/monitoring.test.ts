import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { observeBacklog } from '../../../cli/roles/backlog-metrics.js';
import { observeHeldSnapshot } from '../../../cli/roles/held-snapshot-metric.js';
import { observeWorkerVersions } from '../../../cli/roles/version-metrics.js';
import { openDatabase } from '../../../db/client.js';
import { createDialerMetrics } from '../../../dialer/metrics.js';
import { createMetrics } from '../../../platform/metrics.js';
import { createSpanCounter } from '../../../platform/span-counter.js';
import { countFailures } from '../../../worker/count-failures.js';

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook: string };
}
interface Panel {
  readonly id: number;
  readonly title: string;
  readonly type: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly expr: string }[];
}

const read = (path: string): string => readFileSync(path, 'utf8');
const rules = parse(read('deploy/prometheus/alerts.yml')) as { groups: readonly { rules: readonly Alert[] }[] };
const alerts = rules.groups.flatMap((group) => group.rules);
const tests = parse(read('deploy/prometheus/alerts.test.yml')) as {
  tests: readonly { alert_rule_test: readonly { alertname: string; exp_alerts: readonly unknown[] }[] }[];
};
const dashboard = JSON.parse(read('deploy/grafana/outdial.json')) as { panels: readonly Panel[] };
const drawn = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
const runbook = read('docs/runbook.md');

/** The metrics of all roles, as the code registers them. Nothing is read from the database for their names. */
function metricsOfCode(): Set<string> {
  const registry = createMetrics('dialer');
  createDialerMetrics(registry);
  createSpanCounter(registry);
  const { db } = openDatabase({ url: 'postgres://nobody@127.0.0.1:1/none', poolSize: 1, name: 'never asked' });
  observeHeldSnapshot(registry, db);
  observeBacklog(registry, db);
  countFailures(registry);
  observeWorkerVersions(registry, { list: () => Promise.resolve([]) });
  const ofAgents = [...read('agent/worker/metrics.ts').matchAll(/'(outdial_agent_\w+)'/g)].map(([, name = '']) => name);
  return new Set([...registry.getMetricsAsArray().map(({ name }) => name), ...ofAgents, 'up']);
}

const metrics = metricsOfCode();
const ours = [...metrics].filter((name) => name.startsWith('outdial_'));

/** The metrics that an expression reads. */
const metricsIn = (expression: string): string[] =>
  [...expression.matchAll(/\b(?:outdial|process|nodejs)_\w+|\bup\b/g)].map(([name]) => name.replace(/_bucket$/, ''));

test('alerts and dashboard read only metrics that a process of ours has', () => {
  expect(ours.length).toBeGreaterThan(20);
  const unknown = [...alerts.map(({ expr }) => expr), ...drawn].flatMap(metricsIn).filter((name) => !metrics.has(name));
  expect(unknown).toEqual([]);
  for (const expression of [...alerts.map(({ expr }) => expr), ...drawn]) {
    expect({ expression, reads: metricsIn(expression).length }).not.toMatchObject({ reads: 0 });
  }
});

test('each metric of ours is on the dashboard, and in the operator’s table', () => {
  const onDashboard = new Set(drawn.flatMap(metricsIn));
  expect(ours.filter((name) => !onDashboard.has(name))).toEqual([]);
  const operating = read('docs/operating.md');
  expect(ours.filter((name) => !operating.includes(`\`${name}\``))).toEqual([]);
});

test('the panels of the dashboard have an id each and do not lie on each other', () => {
  const { panels } = dashboard;
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  const overlapping = panels.flatMap(({ title, gridPos: a }, at) =>
    panels
      .slice(at + 1)
      .filter(({ gridPos: b }) => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h)
      .map((other) => [title, other.title]),
  );
  expect(overlapping).toEqual([]);
  expect(panels.every(({ gridPos: { x, w } }) => x + w <= 24)).toBe(true);
});

test('each alert has a section of the runbook, a severity, and a test in which it fires and one in which it does not', () => {
  const sections = [...runbook.matchAll(/^## (Outdial\w+)$/gm)].map(([, name = '']) => name);
  expect(sections).toEqual(alerts.map(({ alert }) => alert));
  const tried = tests.tests.flatMap((each) => each.alert_rule_test);
  for (const { alert, labels, annotations } of alerts) {
    expect(annotations.runbook).toBe(`docs/runbook.md#${alert.toLowerCase()}`);
    expect(['critical', 'warning', 'info']).toContain(labels.severity);
    const own = tried
      .filter(({ alertname }) => alertname === alert)
      .map(({ exp_alerts: expected }) => expected.length > 0);
    expect({ alert, fires: own.includes(true), stays: own.includes(false) }).toEqual({
      alert,
      fires: true,
      stays: true,
    });
  }
});

const promtool = spawnSync('promtool', ['--version']).status === 0;

describe.skipIf(!promtool)(
  `the alerts in Prometheus’ own tool${promtool ? '' : ' (skipped: promtool is not on the PATH)'}`,
  () => {
    test('fire when they should, and only then', () => {
      const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', 'deploy/prometheus/alerts.test.yml'], {
        encoding: 'utf8',
      });
      expect({ status, said: status === 0 ? '' : stdout + stderr }).toEqual({ status: 0, said: '' });
    });
  },
);
