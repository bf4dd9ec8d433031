import { Alert, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '../api/client.js';
import { defaultsQuery } from '../api/new-batch.js';
import { counted, figure } from '../ui/words.js';
import { inZone } from './clock.js';
import { CostRange } from './cost-range.js';
import type { SectionProps } from './draft.js';
import type { FirstCall } from './first-calls.js';
import { Greetings } from './greetings.js';
import { HeldBack, Unfilled } from './hindrances.js';
import { Instants } from './instants.js';
import classes from './new-batch.module.css';
import { CorrectedRows, RejectedRows } from './rows.js';
import { lasting } from './words.js';

/** The zone that the service takes if nothing names one. */
const serviceZone = 'Asia/Calcutta';
const mostZones = 6;

interface Props extends Pick<SectionProps, 'draft' | 'change'> {
  readonly report: Schemas['BatchCallReport'];
  readonly rule: Schemas['RoutingRule'] | undefined;
  /** Null: the file is a workbook, whose rows are read by the service alone. */
  readonly calls: readonly FirstCall[] | null;
}

const Figure = ({ name, value }: { readonly name: string; readonly value: number }) => (
  <div role="group" aria-label={name}>
    <Text size="sm" c="dimmed">
      {name}
    </Text>
    <div className={classes.figure}>{figure(value)}</div>
  </div>
);

/** What the batch call would do. */
export function Report({ report, draft, change, rule, calls }: Props) {
  const { timezone = serviceZone } = useQuery(defaultsQuery).data ?? {};
  const { parseError, hint, rows, recordsUploaded, recordsRejected, recordsCorrected, estimate } = report;
  const { startsAt, firstCallAt, dialingStopped, valid } = report;
  const named = new Set((calls ?? []).map(({ metadata }) => metadata.timezone?.trim() ?? ''));
  const zones = [...named].filter((zone) => zone !== '' && inZone(new Date(startsAt), zone) !== null);
  return (
    <>
      {parseError !== null && (
        <Alert color="red" role="alert" title="The file cannot be used">
          {parseError}
        </Alert>
      )}
      {hint !== undefined && <Alert color="yellow">{hint}</Alert>}
      {dialingStopped && (
        <Alert color="yellow">All dialing of the account is stopped: nothing is called until it is resumed.</Alert>
      )}
      {parseError === null && (
        <>
          <Paper withBorder p="md" component="section" aria-labelledby="would">
            <Title order={2} size="h4" id="would" mb="xs">
              What it would do
            </Title>
            <Stack gap="sm">
              <div className={classes.figures}>
                <Figure name="Rows in the file" value={rows} />
                <Figure name="Numbers to call" value={recordsUploaded} />
                <Figure name="Rows not called" value={recordsRejected} />
                <Figure name="Numbers corrected" value={recordsCorrected} />
              </div>
              {!valid && <Text c="var(--mantine-color-error)">No one would be called.</Text>}
              {firstCallAt === null && valid && <Text>No hour is open for any of the numbers.</Text>}
              <Text size="sm">
                The calls take about <b>{lasting(estimate.seconds)}</b>. {estimate.basis}
              </Text>
              {estimate.cost !== undefined && <CostRange cost={estimate.cost} />}
              <Instants
                draft={draft}
                ofAccount={timezone}
                ofRows={zones.slice(0, mostZones)}
                startsAt={startsAt}
                firstCallAt={firstCallAt}
              />
              {zones.length > mostZones && (
                <Text size="sm" c="dimmed">
                  {counted(zones.length - mostZones, 'more zone is', 'more zones are')} named in the first rows.
                </Text>
              )}
            </Stack>
          </Paper>
          <HeldBack report={report} />
          <Unfilled report={report} draft={draft} change={change} />
          {calls === null ? (
            <Text size="sm" c="dimmed">
              The rows of a workbook are read by the service alone. To see the greeting of the first rows here, save the
              sheet as CSV.
            </Text>
          ) : (
            <Greetings calls={calls} rule={rule} report={report} />
          )}
        </>
      )}
      <RejectedRows report={report} />
      <CorrectedRows report={report} />
    </>
  );
}
