import { microsOf } from '../../../domain/account/money.js';
import { type Insertable, sql } from 'kysely';
import type { answeredFields } from '../../../domain/batch/form-fields.js';
import type { BatchForm } from '../../../domain/batch/form.js';
import type { DB } from '../../types.js';

/** What the form sets, apart from the batch's name, what it calls from and with, its file and its start. */
export type BatchSettings = Omit<
  BatchForm,
  'filename' | 'extension' | 'name' | 'phoneNumber' | 'phoneNumberId' | 'routingRuleId' | 'schedule'
>;

type Columns = Partial<Insertable<DB['batches']>>;

/** The columns of each setting: create and change write them, retry copies them. */
const columnsOf: { readonly [S in keyof BatchSettings]: (value: BatchSettings[S]) => Columns } = {
  description: (description) => ({ description }),
  retry: (retry) => ({
    retry_enabled: retry !== null,
    retry_on: [...(retry?.retryOn ?? [])],
    retry_delays_seconds: [...(retry?.retryDelays ?? [])],
  }),
  webhook: (webhook) => ({
    webhook_endpoint: webhook?.endpoint ?? null,
    webhook_events: [...(webhook?.events ?? [])],
  }),
  callingWindow: (window) => ({ calling_window: window === null ? null : JSON.stringify(window) }),
  maxConcurrentCalls: (calls) => ({ max_concurrent_calls: calls }),
  phoneNumbers: (numbers) => ({ phone_numbers: numbers === null ? null : [...numbers] }),
  numberOnRetry: (rule) => ({ number_on_retry: rule }),
  variants: (variants) => ({ variants: variants === null ? null : JSON.stringify(variants) }),
  columns: (names) => ({ column_names: names === null ? null : JSON.stringify(names) }),
  duplicates: (duplicates) => ({ duplicates }),
  missingPlus: (missingPlus) => ({ missing_plus: missingPlus }),
  defaultCountry: (country) => ({ default_country: country }),
  unfilledPlaceholders: (rule) => ({ on_unfilled: rule }),
  preDial: (preDial) => ({ pre_dial: preDial === null ? null : JSON.stringify(preDial) }),
  open: (open) => ({ open }),
  priority: (priority) => ({ priority }),
  stopAfter: (stop) => ({
    stop_after_answered: stop !== null && 'answered' in stop ? stop.answered : null,
    stop_after_success: stop !== null && 'success' in stop ? stop.success : null,
  }),
  until: (until) => ({ stop_at: until }),
  maxCost: (amount) => ({ max_cost: amount === null ? null : microsOf(amount) }),
};

const settingNames = Object.keys(columnsOf) as (keyof BatchSettings)[];

const columnsFor = <S extends keyof BatchSettings>(name: S, value: BatchSettings[S] | undefined): Columns =>
  value === undefined ? {} : columnsOf[name](value);

/** The columns of these settings. A setting that is omitted keeps its columns as they are. */
export const settingsColumns = (settings: Partial<BatchSettings>): Columns =>
  Object.assign({}, ...settingNames.map((name) => columnsFor(name, settings[name]))) as Columns;

const nothingSet: BatchSettings = {
  description: null,
  retry: null,
  webhook: null,
  callingWindow: null,
  maxConcurrentCalls: null,
  phoneNumbers: null,
  numberOnRetry: null,
  variants: null,
  columns: null,
  duplicates: 'call',
  missingPlus: 'reject',
  defaultCountry: null,
  unfilledPlaceholders: 'allow',
  preDial: null,
  open: false,
  priority: 5,
  stopAfter: null,
  until: null,
  maxCost: null,
};

/** It gets no recipients but those, and an instant at which the other was to stop is usually over. */
const notRepeated: ReadonlySet<string> = new Set(['open', 'stop_at']);

/** Names of the columns of all settings that a batch takes over from the one that it repeats. */
export const allSettingsColumns: readonly string[] = Object.keys(settingsColumns(nothingSet)).filter(
  (name) => !notRepeated.has(name),
);

/**
 * The columns of a start.
 *
 * @param schedule null: it starts now
 * @param unscheduledZone zone of a batch without a schedule
 */
export const startColumns = (schedule: BatchForm['schedule'], now: Date, unscheduledZone: string) => ({
  timing: schedule === null ? 'immediate' : 'scheduled',
  timezone: schedule?.timezone ?? unscheduledZone,
  scheduled_date: schedule?.date ?? null,
  scheduled_time: schedule?.time ?? null,
  starts_at: schedule?.startsAt ?? now,
});

/** The settings that GET answers. */
export type SettingsRow = { readonly [S in keyof typeof answeredFields]: unknown };

/** Columns of {@link SettingsRow} from `batches b`. */
export const answeredColumns = sql`
  b.calling_window as "callingWindow", b.max_concurrent_calls as "maxConcurrentCalls", b.variants,
  b.column_names as columns, b.default_country as "defaultCountry", b.on_unfilled as "unfilledPlaceholders",
  b.pre_dial as "preDial",
  b.open, b.priority, b.phone_numbers as "phoneNumbers", b.number_on_retry as "numberOnRetry",
  case when b.stop_after_answered is not null then json_build_object('answered', b.stop_after_answered)
    when b.stop_after_success is not null then json_build_object('success', b.stop_after_success) end as "stopAfter",
  to_char(b.stop_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as until,
  (b.max_cost / 1000000.0)::float8 as "maxCost"`;
