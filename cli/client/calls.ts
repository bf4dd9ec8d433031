import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { ClientFlags } from '../commands/service-options.js';
import { askOnce } from './ask-once.js';
import { type Client, clientOf, type Row } from './client.js';
import { CommandFailed, exitCodes, wrongUsage } from './exit-codes.js';
import { listRows } from './list.js';
import { coloursOn, fieldOf, printDone, printLines, printOne, printRows, type Shown, unlessEmpty } from './output.js';
import { printable, textOf } from './printable.js';
import { pairOf } from './request.js';
import { whileAway } from './while-away.js';

const listed: Shown = {
  id: 'id',
  columns: {
    Id: 'id',
    Type: 'type',
    From: 'from',
    To: 'to',
    Status: 'status',
    Reason: 'reason',
    Seconds: 'duration',
    At: (row) => fieldOf(row, 'timelog.0.timestamp'),
  },
};

const attemptText = (attempt: Row): string =>
  `${textOf(attempt.number)}: ${textOf(attempt.status)} ${textOf(attempt.sipStatusCode)} at ${textOf(attempt.startedAt)}`;

const transfersOf = ({ transfers }: Row): Row[] => (Array.isArray(transfers) ? (transfers as Row[]) : []);

const transferText = ({ mode, to, status, message }: Row): string =>
  `${textOf(mode)} to ${textOf(to)}: ${textOf(status)}${message === undefined ? '' : `, ${textOf(message)}`}`;

const shown: Shown = {
  id: 'id',
  columns: {
    ...listed.columns,
    'Answered by': 'answeredBy',
    Attempts: ({ attempts }) => (Array.isArray(attempts) ? (attempts as Row[]).map(attemptText) : ''),
    Transfers: (call) => transfersOf(call).map(transferText),
    Agent: 'agentId',
    'Batch call': 'batchId',
    Metadata: unlessEmpty('metadata'),
    Summary: 'summary',
    Success: 'success',
    Analysis: 'analysis',
    Recording: 'recordingUrl',
    Carrier: ({ simulated }) => (simulated === true ? 'a simulation: no telephone is reached' : ''),
  },
};

export interface MakeFlags extends ClientFlags {
  readonly from: string;
  readonly rule?: string;
  readonly field?: readonly string[];
  readonly wait?: true;
  readonly idempotencyKey?: string;
}

/** `outdial call make` */
export async function makeCall(to: string, flags: MakeFlags): Promise<void> {
  const { from, rule, field = [], wait, output, quiet } = flags;
  const client = await clientOf(flags);
  const json = {
    ...{ sipCallTo: to, sipCallFrom: from, metadata: Object.fromEntries(field.map(pairOf)) },
    ...(rule === undefined ? {} : { routingRuleId: rule }),
  };
  const { data } = Answer.parse(await askOnce(client, 'calls.create', { json }, flags.idempotencyKey));
  const id = textOf(data.id);
  if (wait !== true) {
    printDone(`Calling ${to}: ${id}. \`outdial call show ${id}\` says how it goes.`, data, id, flags);
    return;
  }
  if (quiet !== true) console.error(`Calling ${to}: ${id}`);
  const call = await untilOver(client, id, (status) => {
    if (quiet !== true) console.error(status);
  });
  printOne(call, shown, flags);
  if (output === 'table' && quiet !== true) printLines(['', ...transcriptLines(call)]);
  if (call.status !== 'ended') throw new CommandFailed(exitCodes.failed, `${id}: ${textOf(call.status)}.`);
}

const Answer = z.looseObject({ data: z.record(z.string(), z.unknown()) });
const over = ['ended', 'failed', 'not-answered', 'rejected', 'missed', 'abandoned'];

/** The API has no stream of events: a call is asked about once a second. */
async function untilOver(client: Client, callId: string, changed: (status: string) => void): Promise<Row> {
  const patiently = whileAway({ what: 'the call', hasAnswered: true });
  for (let seen = ''; ;) {
    const call = await patiently(() => readCall(client, callId));
    const status = call === undefined ? seen : textOf(call.status);
    if (status !== seen) changed(status);
    if (call !== undefined && over.includes(status)) return call;
    seen = status;
    await delay(1_000);
  }
}

const readCall = async (client: Client, callId: string): Promise<Row> =>
  Answer.parse(await client.ask('calls.get', { path: { callId } })).data;

export interface CallListFlags extends ClientFlags {
  readonly limit: number;
  readonly status?: string;
  readonly batch?: string;
  readonly agent?: string;
  readonly duration?: string;
  readonly recorded?: true;
  readonly unrecorded?: true;
  readonly transcript?: string;
  readonly search?: string;
}

/** `outdial call list` */
export async function listCalls(flags: CallListFlags): Promise<void> {
  const { limit, status, batch: batchId, agent: agentId, duration, recorded, unrecorded, transcript, search } = flags;
  if (recorded && unrecorded) throw wrongUsage('Give --recorded or --unrecorded, not both.');
  const hasRecording = recorded ? 'true' : unrecorded ? 'false' : undefined;
  const query = { status, batchId, agentId, duration, hasRecording, transcript, search };
  printRows(await listRows(await clientOf(flags), 'calls.list', limit, { query }), listed, flags);
}

/** `outdial call show` */
export async function showCall(callId: string, flags: ClientFlags): Promise<void> {
  printOne(await readCall(await clientOf(flags), callId), shown, flags);
}

/** `outdial call end` */
export async function endCall(callId: string, flags: ClientFlags): Promise<void> {
  const answer = await (await clientOf(flags)).ask('calls.end', { json: { callId } });
  printDone(`${callId} is being hung up.`, answer, callId, flags);
}

export interface TransferFlags extends ClientFlags {
  readonly warm?: true;
  readonly wait?: true;
}

/** `outdial call transfer` */
export async function transferCall(callId: string, to: string, flags: TransferFlags): Promise<void> {
  const client = await clientOf(flags);
  const mode = flags.warm === true ? 'warm' : 'cold';
  const before = flags.wait === true ? transfersOf(await readCall(client, callId)).length : 0;
  const { data } = Answer.parse(await client.ask('calls.transfer', { json: { callId, transferTo: to, mode } }));
  if (flags.wait !== true) {
    const next = mode === 'warm' ? `the agent asks ${to} whether it takes the call` : `the carrier connects ${to}`;
    printDone(
      `${callId} is being transferred: ${next}. \`outdial call show ${callId}\` says how it goes.`,
      data,
      callId,
      flags,
    );
    return;
  }
  const { call, transfer } = await untilTransferred(client, callId, before);
  const said = `${callId}: ${transferText(transfer)}.`;
  if (transfer.status !== 'transferred') throw new CommandFailed(exitCodes.failed, said);
  printDone(said, call, callId, flags);
}

/** @param before how many transfers the call had before this one */
async function untilTransferred(client: Client, callId: string, before: number): Promise<{ call: Row; transfer: Row }> {
  const patiently = whileAway({ what: 'the transfer', hasAnswered: true });
  for (;;) {
    const call = await patiently(() => readCall(client, callId));
    const transfer = call === undefined ? undefined : transfersOf(call)[before];
    if (call !== undefined && transfer !== undefined && transfer.status !== 'under-way') return { call, transfer };
    await delay(1_000);
  }
}

/** `outdial call transcript` */
export async function printTranscript(callId: string, flags: ClientFlags): Promise<void> {
  if (flags.quiet === true) throw wrongUsage('A transcript has no ids: leave -q out.');
  const call = await readCall(await clientOf(flags), callId);
  const columns = { At: 'at', Speaker: 'speaker', Text: 'text' };
  if (flags.output !== 'table') printRows(linesOf(call), { id: 'at', columns }, flags);
  else printLines(transcriptLines(call));
}

const Line = z.looseObject({ speaker: z.string(), text: z.string() });
const linesOf = ({ transcript }: Row): Row[] => (Array.isArray(transcript) ? (transcript as Row[]) : []);

function transcriptLines(call: Row): string[] {
  const { bold } = coloursOn(process.stdout);
  const lines = z.array(Line).parse(linesOf(call));
  if (lines.length === 0) return ['Nothing was said.'];
  return lines.map(({ speaker, text }) => `${bold(`${printable(speaker)}:`.padEnd(8))} ${printable(text)}`);
}

/** `outdial call whisper` */
export async function whisper(
  callId: string,
  text: string,
  flags: ClientFlags & { readonly now?: true },
): Promise<void> {
  const client = await clientOf(flags);
  const answer = await client.ask('calls.whisper', { path: { callId }, json: { text, now: flags.now === true } });
  printDone(textOf(answer.message), answer, callId, flags);
}
