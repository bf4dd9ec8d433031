import { Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { isOver, timelineQuery } from '../api/batch-queries.js';
import type { Schemas } from '../api/client.js';
import { Chart } from '../ui/chart.js';
import classes from '../ui/chart.module.css';
import { Fresh } from '../ui/fresh.js';
import { Time } from '../ui/time.js';
import { duration, figure } from '../ui/words.js';

type Points = Schemas['Timeline']['points'];

/** Steps that the API takes, in seconds, as they are said after `in every`. */
const stepWords: Readonly<Record<number, string>> = { 60: 'minute', 3_600: 'hour', 86_400: 'day' };

/** The largest of some figures; 0 of none. Not by Math.max of all: there may be more of them than a function takes. */
const mostOf = (values: readonly number[]): number => values.reduce((most, value) => Math.max(most, value), 0);

interface Props {
  readonly points: Points;
  /** Seconds of a step. */
  readonly step: number;
  readonly zone: string;
  readonly isRunning: boolean;
}

function Charts({ points, step, zone, isRunning }: Props) {
  // Null: the last moment, also as further ones come.
  const [chosen, setChosen] = useState<number | null>(null);
  const last = points.length - 1;
  const at = Math.min(chosen ?? last, last);
  const point = points[at];
  const [first] = points;
  if (point === undefined || first === undefined) return <Text c="dimmed">Nothing has been dialed yet.</Text>;
  const live = points.map((each) => each.live);
  const dialed = points.map((each) => each.dialed);
  const every = stepWords[step] ?? duration(step);
  const said = `${figure(point.live)} live at the end, ${figure(point.dialed)} dialed, ${figure(point.answered)} answered, ${figure(point.ended)} ended`;
  const mostLive = mostOf(live);
  const mostDialed = mostOf(dialed);
  return (
    <Stack gap="xs">
      <Chart
        label={`Calls in flight over time, ${figure(mostLive)} at the peak`}
        title="Calls in flight"
        series={[{ name: 'live', values: live }]}
        top={`peak ${figure(mostLive)}`}
        at={at}
      />
      <Chart
        label={`Calls dialed and answered per ${every}, ${figure(mostDialed)} dialed at the peak`}
        title={`Per ${every}:`}
        series={[
          { name: 'dialed', values: dialed },
          { name: 'answered', values: points.map((each) => each.answered) },
        ]}
        top={`peak ${figure(mostDialed)} dialed`}
        at={at}
      />
      <input
        type="range"
        className={classes.slider}
        aria-label="Time"
        aria-valuetext={`${new Date(point.at).toLocaleString()}: ${said}`}
        min={0}
        max={last}
        value={at}
        onChange={(event) => {
          const next = Number(event.currentTarget.value);
          setChosen(next === last ? null : next);
        }}
      />
      <div className={classes.ends}>
        <Time at={first.at} zone={zone} />
        {isRunning ? <span>now</span> : <Time at={points[last]?.at} zone={zone} />}
      </div>
      <Text size="sm" data-moment={point.at}>
        From <Time at={point.at} zone={zone} /> on, for {duration(step)}: {said}.
      </Text>
    </Stack>
  );
}

/** How many calls were in flight, and how fast numbers were dialed, from the first call to the last or to now. */
export function Timeline({ batch }: { readonly batch: Schemas['BatchCallDetail'] }) {
  const isRunning = !isOver(batch.status);
  const query = useQuery(timelineQuery(batch.batchId, isRunning));
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="timeline">
      <Title order={2} size="h4" id="timeline" mb="xs">
        Over time
      </Title>
      <Fresh query={query}>
        {({ points, step }) => <Charts points={points} step={step} zone={batch.timezone} isRunning={isRunning} />}
      </Fresh>
    </Paper>
  );
}
