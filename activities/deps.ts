import type { Database } from '../db/client.js';
import type { ModelDefaults } from '../domain/agent-config/defaults.js';
import type { RegionService } from '../domain/agent-config/deploy-problems.js';
import type { InboundLine } from '../domain/call/inbound-line.js';
import type { ModelKind } from '../domain/agent/model-catalog.js';
import type { ModelSettings } from '../domain/agent/model-endpoints.js';
import type { SignalArguments, SignalName, WorkflowInputs, WorkflowName } from '../domain/workflow/contract.js';
import type { GuardedFetch } from '../platform/outbound-url.js';
import type { Logger } from '../platform/logger.js';
import type { SecretBox } from '../platform/secret-box.js';
import type { Tracing } from '../platform/tracing.js';
import type { RecordingStore } from './recording-objects.js';

/** Temporal as the watchdog uses it; the worker implements it. */
export interface WorkflowControl {
  /** `already`: one of this id is running. */
  start<N extends WorkflowName>(name: N, workflowId: string, input: WorkflowInputs[N]): Promise<'started' | 'already'>;
  /** `not_found`: none of this id is running. */
  signal<S extends SignalName>(
    workflowId: string,
    name: S,
    ...payload: SignalArguments<S>
  ): Promise<'taken' | 'not_found'>;
}

/** What a campaign's schedule needs to know. */
export interface ScheduledCampaign {
  readonly accountId: string;
  readonly campaignId: string;
  readonly cron: string;
  readonly timezone: string;
  readonly paused: boolean;
}

/** Temporal's schedules of campaigns; the worker implements it. */
export interface CampaignSchedules {
  /** Makes or changes the schedule. @returns when it runs next; null: it does not */
  put(campaign: ScheduledCampaign): Promise<Date | null>;
  /** Ends it; one that is not there is fine. */
  remove(campaignId: string): Promise<void>;
  /** null: never, or there is none. */
  nextRun(campaignId: string): Promise<Date | null>;
  /** Campaigns that have one, as Temporal knew a moment ago. */
  list(): Promise<readonly string[]>;
}

/** The batches of versions of the workers that are gone; the worker implements it. */
export interface StrandedVersions {
  /** Names them in the log, and has workers of the current version take them over if nothing else happens for minutes. */
  takeOver(): Promise<void>;
}

/** What the account of a campaign may have when a run makes a batch call. */
export interface CampaignQuotas {
  /** OUTDIAL_MAX_OPEN_BATCHES */
  readonly mostOpenBatches: number;
  /** OUTDIAL_MAX_STORED_MB */
  readonly mostStoredBytes: number;
}

/** `fetch` for addresses that customers chose; made by platform/outbound-url.ts. */
export type FetchOutside = (...request: Parameters<GuardedFetch>) => ReturnType<GuardedFetch>;

/** How agents are deployed here. */
export interface DeploySettings {
  /** With the carrier simulator agents are simulated too. */
  readonly simulated: boolean;
  readonly defaultRegion: string;
  readonly modelDefaults: ModelDefaults;
  /** Providers for which the service itself has a key. */
  readonly serviceKeys: ReadonlySet<string>;
  /** Kinds of models of the provider `custom` that have an address. */
  readonly customKinds: ReadonlySet<ModelKind>;
  readonly agentsOf: (region: string) => Promise<RegionService>;
  /** Whether a deploy asks its language models a question. */
  readonly asksModels: boolean;
  /** How long a deploy that lacks nothing else waits for an agent worker; omitted: a minute. */
  readonly workerPatienceMs?: number;
}

/** The carrier's side of inbound calls; the driver of LiveKit implements it. */
export interface InboundCarrier {
  /**
   * Makes it know exactly these numbers.
   * @param asTheyAre numbers that stay as it has them, because what they should be cannot be read
   * @throws if it could not be asked
   */
  mirror(
    lines: readonly InboundLine[],
    asTheyAre: readonly string[],
  ): Promise<{
    readonly changed: number;
    readonly deleted: number;
    readonly refused: readonly { readonly words: string }[];
  }>;
}

export interface ActivityDeps {
  readonly database: Database;
  readonly logger: Logger;
  /** Where spans go; omitted: nowhere. */
  readonly tracing?: Tracing | undefined;
  readonly secretBox: SecretBox;
  readonly fetchOutside: FetchOutside;
  readonly workflows: WorkflowControl;
  /** Omitted: campaigns have no schedules here, as in tests of other things. */
  readonly campaignSchedules?: CampaignSchedules | undefined;
  /** Omitted: workers have no versions here, as in tests of other things. */
  readonly strandedVersions?: StrandedVersions | undefined;
  /** Omitted: no limits. */
  readonly campaignQuotas?: CampaignQuotas | undefined;
  /** Tries what is in the outbox now instead of at the next sweep. */
  readonly kickOutbox: () => void;
  readonly deploy: DeploySettings;
  /** Omitted: there are no inbound calls here. */
  readonly inbound?: InboundCarrier | undefined;
  readonly languageModels: ModelSettings;
  /** OUTDIAL_CALLS_PER_WORKFLOW */
  readonly callsPerWorkflow?: number | undefined;
  /** OUTDIAL_RETENTION_DAYS; omitted: the data of calls is kept. */
  readonly retentionDays?: number | undefined;
  /** OUTDIAL_RECORDING_RETENTION_DAYS; omitted: recordings are deleted with their calls' transcripts. */
  readonly recordingRetentionDays?: number | undefined;
  /** Where recordings are moved to; omitted: no store was ever set, as in tests of other things. */
  readonly recordings?: RecordingStore | undefined;
  /** OUTDIAL_HISTORY_DAYS; omitted: batches and calls are never deleted altogether. */
  readonly historyDays?: number | undefined;
}
