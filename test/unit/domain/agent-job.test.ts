import { expect, test } from 'vitest';
import { formatAgentJob, readAgentJob, type AgentJob } from '../../../domain/agent/job.js';

const uuid = '01990000-0000-7000-8000-000000000000';
const playground: AgentJob = {
  kind: 'playground',
  maxSeconds: 600,
  accountId: `acc_${uuid}`,
  agentId: `agt_${uuid}`,
  versionId: `ver_${uuid}`,
  metadata: { first_name: 'Asha "A" {{language}}', language: 'hindi' },
};

test.each<[AgentJob]>([[{ kind: 'call', callId: uuid }], [{ kind: 'inbound', ruleId: `rule_${uuid}` }], [playground]])(
  'a job reads as it was sent: %o',
  (job) => {
    expect(readAgentJob(formatAgentJob(job))).toEqual(job);
  },
);

test('the job of a call is the call’s id and nothing else', () => {
  expect(formatAgentJob({ kind: 'call', callId: uuid })).toBe(`call_${uuid}`);
});

test.each([
  [''],
  ['call_1'],
  ['{}'],
  ['null'],
  ['{"kind":"playground"}'],
  [JSON.stringify({ ...playground, more: 1 })],
])('metadata %j of a dispatch that is none of ours is no job', (metadata) => {
  expect(readAgentJob(metadata)).toBeNull();
});
