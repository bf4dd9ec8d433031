import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { v7 as uuidv7 } from 'uuid';
import { secretPlaces } from '../../domain/account/secret-places.js';
import { changeBatch, type BatchChange } from '../../db/queries/batches/change.js';
import { deleteBatch } from '../../db/queries/batches/delete.js';
import { summaryWorkflowId, workflowIdOf } from '../../domain/workflow/ids.js';
import { formatId } from '../../domain/ids.js';
import { batchRow, cancelBatch, queueOf, statusOf, tell } from '../workflow/batch-row.js';
import { aBatch, aTenant, csvOf, startingAt } from '../workflow/fixtures.js';
import { endAttempts, moveTo } from '../workflow/play-dialer.js';
import { realTimeTestEnv, testSecretBox } from '../workflow/test-env.js';

const html = { headers: { 'content-type': 'text/html' } };

/** Lets every workflow run once, through what it can meet, and writes the histories down. */
export async function recordHistories(folder: string): Promise<void> {
  let posted = 0;
  let fetched = 0;
  const testEnv = await realTimeTestEnv({
    fetchOutside: (_url, init) => {
      if (init?.method === 'POST') {
        return (posted += 1) === 1
          ? Promise.reject(new Error('refused'))
          : Promise.resolve(new Response(null, { status: 200 }) as never);
      }
      const page = (fetched += 1) === 1 ? new Response(null, { status: 503 }) : new Response('<p>Hello</p>', html);
      return Promise.resolve(page as never);
    },
  });
  mkdirSync(folder, { recursive: true });
  const { db } = testEnv.database;
  const tenant = await aTenant(db, (id) =>
    testSecretBox().seal(`whsec_${Buffer.alloc(24, 1).toString('base64')}`, secretPlaces.webhookSecret(id)),
  );
  const { accountId, agentId, versionId } = tenant;
  const record = async (name: string, workflowId: string): Promise<void> => {
    const history = await testEnv.client.workflow.getHandle(workflowId).fetchHistory();
    writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(JSON.parse(historyToJSON(history)))}\n`);
  };
  const becomes = (batchId: string, status: string) =>
    testEnv.until(async () => (await statusOf(testEnv.database, batchId)) === status);
  const over = (workflowId: string) => testEnv.client.workflow.getHandle(workflowId).result();

  const retried = await aBatch(db, tenant, csvOf(2), {
    ...startingAt(new Date(Date.now() + 1_000)),
    webhook_endpoint: 'https://example.com/hook',
    webhook_events: ['batchcall-completed'],
  });
  await testEnv.workflows.start('batchCall', retried, { accountId, batchId: retried });
  const [one, two] = await queueOf(testEnv, retried, 2);
  await tell(testEnv, await endAttempts(db, [one!], 'missed', 1));
  await tell(testEnv, await endAttempts(db, [two!], 'answered'));
  await tell(testEnv, await endAttempts(db, await queueOf(testEnv, retried, 1), 'answered'));
  await over(retried);
  await record('batch-call-scheduled-retried', retried);
  await record('calls-retried', `${retried}/calls-1`);

  const cancelled = await aBatch(db, tenant, csvOf(2));
  await testEnv.workflows.start('batchCall', cancelled, { accountId, batchId: cancelled });
  const [live] = await queueOf(testEnv, cancelled, 2);
  await moveTo(db, [live!], 'answered');
  await cancelBatch(testEnv, cancelled);
  await becomes(cancelled, 'cancelling');
  await endAttempts(db, [live!], 'answered');
  await over(cancelled);
  await record('batch-call-cancelled', cancelled);
  await record('calls-cancelled', `${cancelled}/calls-2`);

  const lost = await aBatch(db, tenant, csvOf(1));
  await testEnv.workflows.start('batchCall', lost, { accountId, batchId: lost });
  const attempts = await queueOf(testEnv, lost, 1);
  await testEnv.client.workflow.getHandle(`${lost}/calls-1`).terminate();
  await testEnv.until(async () => {
    const { status } = await testEnv.client.workflow.getHandle(`${lost}/calls-1`).describe();
    return status.name === 'RUNNING';
  });
  await tell(testEnv, await endAttempts(db, attempts, 'answered'));
  await over(lost);
  await record('batch-call-lost-child', lost);

  const { id: deliveryId } = await db
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('batch_id', '=', retried)
    .executeTakeFirstOrThrow();
  await over(deliveryId);
  await record('deliver-webhook', deliveryId);

  const deploymentId = formatId('deployment', uuidv7());
  await db
    .insertInto('deployments')
    .values({ id: deploymentId, account_id: accountId, agent_id: agentId, version_id: versionId, region: 'default' })
    .execute();
  await testEnv.workflows.start('deployAgent', deploymentId, { accountId, deploymentId });
  await over(deploymentId);
  await record('deploy-agent', deploymentId);

  const knowledgeBaseId = formatId('knowledgeBase', uuidv7());
  const page = { id: knowledgeBaseId, account_id: accountId, name: 'Page', source: 'url', url: 'https://example.com/' };
  await db.insertInto('knowledge_bases').values(page).execute();
  await testEnv.workflows.start('ingestKnowledgeBase', knowledgeBaseId, { accountId, knowledgeBaseId });
  await over(knowledgeBaseId);
  await record('ingest-knowledge-base', knowledgeBaseId);

  const changed = await aBatch(db, tenant, csvOf(1), startingAt(new Date(Date.now() + 3_600_000)));
  await testEnv.workflows.start('batchCall', changed, { accountId, batchId: changed });
  await becomes(changed, 'scheduled');
  const change = async (what: BatchChange): Promise<void> => {
    const settings = { now: new Date(), unscheduledZone: 'UTC' };
    await db.transaction().execute((tx) => changeBatch(tx, accountId, changed, what, settings));
    await testEnv.outbox.sendDue();
  };
  await change({ schedule: null });
  const moved = await queueOf(testEnv, changed, 1);
  await change({
    callingWindow: { from: '00:00', until: '24:00', daysOfWeek: [1, 2, 3, 4, 5, 6, 7], timezone: 'UTC' },
  });
  await testEnv.until(async () => !(await batchRow(testEnv.database, changed)).window_moving);
  await tell(testEnv, await endAttempts(db, moved, 'answered'));
  await over(changed);
  await record('batch-call-changed', changed);

  await db.transaction().execute((tx) => deleteBatch(tx, accountId, changed));
  await testEnv.outbox.sendDue();
  const removal = workflowIdOf('removeBatch', { accountId, batchId: changed });
  await over(removal);
  await record('remove-batch', removal);

  const campaignId = formatId('campaign', uuidv7());
  const daily = { name: 'Daily', cron: '0 9 * * *', timezone: 'UTC', template: '{}' };
  await db
    .insertInto('campaigns')
    .values({ id: campaignId, account_id: accountId, ...daily })
    .execute();
  const campaign = { accountId, campaignId };
  const scheduling = workflowIdOf('scheduleCampaign', { ...campaign, revision: 1 });
  await testEnv.workflows.start('scheduleCampaign', scheduling, { ...campaign, revision: 1 });
  await over(scheduling);
  await record('schedule-campaign', scheduling);
  const asked = { ...campaign, askedAt: new Date().toISOString() };
  await testEnv.workflows.start('runCampaign', workflowIdOf('runCampaign', asked), asked);
  await over(workflowIdOf('runCampaign', asked));
  await record('run-campaign', workflowIdOf('runCampaign', asked));
  await testEnv.client.schedule.getHandle(`${testEnv.taskQueue}/${campaignId}`).delete();

  const retentionId = `retention-${uuidv7()}`;
  await testEnv.workflows.start('retention', retentionId, {});
  await over(retentionId);
  await record('retention', retentionId);

  const reconcileId = `reconcile-inbound-${uuidv7()}`;
  await testEnv.workflows.start('reconcileInbound', reconcileId, {});
  await over(reconcileId);
  await record('reconcile-inbound', reconcileId);

  const callId = uuidv7();
  const { gatewayId: gateway_id, ruleId: rule_id, number: from_number } = tenant;
  const answered = { status: 'answered', agent_id: agentId, version_id: versionId, to_number: '+12025550100' };
  await db
    .insertInto('calls')
    .values({ id: callId, account_id: accountId, gateway_id, rule_id, from_number, ...answered })
    .execute();
  const summaryId = summaryWorkflowId(callId);
  await testEnv.workflows.start('summarizeCall', summaryId, { accountId, callId });
  await over(summaryId);
  await record('summarize-call', summaryId);

  const analysisId = workflowIdOf('analyzeCall', { accountId, callId });
  await testEnv.workflows.start('analyzeCall', analysisId, { accountId, callId });
  await over(analysisId);
  await record('analyze-call', analysisId);

  const watchdogId = `watchdog-${uuidv7()}`;
  await testEnv.workflows.start('watchdog', watchdogId, {});
  await over(watchdogId);
  await record('watchdog', watchdogId);
  await testEnv.close();
}
