import { Client, Connection } from '@temporalio/client';
import proto from '@temporalio/proto';

const { EventType } = proto.temporal.api.enums.v1;

interface Kind {
  workflows: number;
  readonly events: Map<string, number>;
}

/**
 * What the histories of the workflows hold that were begun since then: each event is a write of Temporal's server.
 *
 * @returns for so many calls, how many workflows and events there were of each kind
 */
export async function historyReport(address: string, since: Date, calls: number): Promise<string> {
  const connection = await Connection.connect({ address });
  try {
    const client = new Client({ connection });
    const kinds = new Map<string, Kind>();
    for await (const { type, workflowId, runId } of client.workflow.list({
      query: `StartTime > '${since.toISOString()}'`,
    })) {
      const kind = kinds.get(type) ?? { workflows: 0, events: new Map<string, number>() };
      kinds.set(type, kind);
      kind.workflows++;
      const { events } = await client.workflow.getHandle(workflowId, runId).fetchHistory();
      for (const { eventType, ...event } of events ?? []) {
        const words = [
          (EventType[eventType ?? 0] ?? '').replace('EVENT_TYPE_', '').toLowerCase(),
          event.activityTaskScheduledEventAttributes?.activityType?.name ?? '',
          event.workflowExecutionSignaledEventAttributes?.signalName ?? '',
        ]
          .join(' ')
          .trim();
        kind.events.set(words, (kind.events.get(words) ?? 0) + 1);
      }
    }
    return [...kinds].map(([type, kind]) => kindReport(type, kind, calls)).join('\n\n');
  } finally {
    await connection.close();
  }
}

function kindReport(type: string, { workflows, events }: Kind, calls: number): string {
  const all = [...events.values()].reduce((sum, count) => sum + count, 0);
  return [
    `## ${type}: ${workflows} workflows, ${all} events, ${(all / calls).toFixed(3)} for each call`,
    '',
    ...[...events]
      .toSorted(([, a], [, b]) => b - a)
      .map(([name, count]) => `${String(count).padStart(8)}  ${(count / calls).toFixed(4).padStart(8)}  ${name}`),
  ].join('\n');
}
