import { Alert, Code, Group, Paper, Text, Title } from '@mantine/core';
import type { Schemas } from '../api/client.js';
import { Status } from '../ui/status.js';
import { figure } from '../ui/words.js';
import classes from './overview.module.css';

type Version = Schemas['Overview']['workerVersions'][number];

const nameOf = ({ buildId }: Version): string => (buildId === null ? 'Without a version' : `Version ${buildId}`);

/** What each state means for batch calls. */
const meanings: Readonly<Record<Version['state'], string>> = {
  current: 'New batch calls start on it.',
  ramping: 'Some of the new batch calls start on it.',
  draining: 'Batch calls that started on it finish on it; new ones do not start on it.',
  drained: 'Nothing runs on it: its workers can be stopped.',
  new: 'It takes no work yet.',
};

function Missing({ version }: { readonly version: Version }) {
  const { buildId, waitingBatches, state } = version;
  const waits = waitingBatches === 1 ? '1 batch call waits' : `${figure(waitingBatches)} batch calls wait`;
  if (buildId !== null && waitingBatches > 0) {
    return (
      <Alert color="red" role="alert" title={`${waits} for a worker of version ${buildId}, and none runs`}>
        Calls that are already in the queue are dialed, but no one is called again, and these batch calls do not finish.
        To fix this, the operator of this service can start workers of version {buildId}, or run{' '}
        <Code>outdial worker-version retire {buildId}</Code>, which has the other workers take over.
      </Alert>
    );
  }
  if (state !== 'current') return null;
  return (
    <Alert color="red" role="alert" title={`${nameOf(version)} is current, and no worker of it runs`}>
      New batch calls do not start. To fix this, the operator of this service can start workers of this version, or make
      another one current with <Code>outdial worker-version use</Code>.
    </Alert>
  );
}

/** What waits because no worker of its version runs: seen before anything else. */
export const MissingWorkers = ({ versions }: { readonly versions: readonly Version[] }) =>
  versions.filter(({ hasWorker }) => !hasWorker).map((version) => <Missing key={nameOf(version)} version={version} />);

/** Parts of the service that are missing, whichever versions the workers have. They stand above everything else. */
export const Warnings = ({ warnings }: { readonly warnings: readonly string[] }) =>
  warnings.map((words) => (
    <Alert key={words} color="red" role="alert" title="Batch calls have stopped">
      {words} The operator of this service can fix it; <Code>outdial doctor</Code> says how.
    </Alert>
  ));

/** The versions of the workers; nothing if they have none. */
export const Workers = ({ versions }: { readonly versions: readonly Version[] }) =>
  versions.length > 0 && (
    <Paper withBorder p="md" component="section" aria-labelledby="workers">
      <Title order={2} size="h4" id="workers" mb="xs">
        Workers
      </Title>
      {versions.map((version) => (
        <article key={nameOf(version)} className={classes.row} aria-label={nameOf(version)}>
          <Group gap="xs" mb={4}>
            <Text fw={600}>{nameOf(version)}</Text>
            <Status status={version.state} />
          </Group>
          <Text size="sm" c="dimmed">
            {meanings[version.state]} {version.hasWorker ? 'Its workers run.' : 'No worker of it runs.'}
          </Text>
        </article>
      ))}
    </Paper>
  );
