import { Button, Paper, Text, Title, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type SetUp, setUpQuery } from '../api/first-run.js';
import { CallGoing } from '../new-batch/call-going.js';
import { useMayOperate } from '../session/session.js';
import { Fresh } from '../ui/fresh.js';
import { figure } from '../ui/words.js';
import { AgentStep } from './agent-step.js';
import { CallStep } from './call-step.js';
import classes from './first-run.module.css';
import { NumberStep } from './number-step.js';

interface Step {
  readonly title: string;
  readonly isDone: boolean;
  /** How far it is, by what the API says. */
  readonly state: ReactNode;
  /** What is to be done. */
  readonly does: ReactNode;
}

const ToNewBatch = ({ children }: { readonly children: string }) => (
  <Button component={Link} to="/new">
    {children}
  </Button>
);

/** The five steps, each by what the account has. */
function stepsOf({ agents, numbers, rules, call, batch, notLiveBecause }: SetUp): readonly Step[] {
  const live = agents.filter(({ status }) => status === 'active');
  const canCall = numbers.filter(({ outbound }) => outbound !== null);
  const usable = rules.find(
    ({ agentId, phoneNumbers }) =>
      live.some((agent) => agent.agentId === agentId) &&
      phoneNumbers.some((number) => canCall.some(({ phoneNumber }) => phoneNumber.e164 === number)),
  );
  const [agent] = agents;
  const wasAnswered = call?.timelog.some(({ status }) => status === 'answered') === true;
  const hasFile = batch !== undefined && batch.recordsUploaded > 0;
  return [
    {
      title: 'An agent',
      isDone: live.length > 0,
      state:
        live[0] !== undefined
          ? `${live[0].name} is live.`
          : agent === undefined
            ? 'There is none yet.'
            : `${agent.name} exists and is not live.`,
      does: <AgentStep agent={agent} notLiveBecause={notLiveBecause} />,
    },
    {
      title: 'A number to call from',
      isDone: usable !== undefined,
      state:
        usable !== undefined
          ? `${usable.phoneNumbers[0] ?? ''}, by the rule “${usable.name}”.`
          : canCall.length === 0
            ? 'No number has an outbound gateway.'
            : 'No live agent calls from it yet.',
      does: <NumberStep numbers={canCall} agents={live} />,
    },
    {
      title: 'A call to your own telephone',
      isDone: wasAnswered,
      state: call === undefined ? 'No one has been called yet.' : <CallGoing callId={call.id} />,
      does: <CallStep rule={usable} />,
    },
    {
      title: 'A file of numbers',
      isDone: hasFile,
      state: hasFile
        ? `${batch.batchName}: ${figure(batch.recordsUploaded)} to call.`
        : (batch?.parseError ?? 'A spreadsheet with a column phone_number, or numbers that you paste.'),
      does: <ToNewBatch>Choose a file</ToNewBatch>,
    },
    {
      title: 'Start',
      isDone: false,
      state: batch?.status === 'scheduled' ? batch.waitingFor : 'No batch call has started yet.',
      does: hasFile ? null : <ToNewBatch>Make a batch call</ToNewBatch>,
    },
  ];
}

/** From nothing to a first batch call in five steps, until one has started. What comes next is open; the others say how far they are. */
export function FirstRun() {
  const mayOperate = useMayOperate();
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="first-run">
      <Title order={2} size="h4" id="first-run" mb="xs">
        To your first batch call
      </Title>
      <Fresh query={useQuery(setUpQuery)}>
        {(setUp) => {
          const steps = stepsOf(setUp);
          const next = steps.findIndex(({ isDone }) => !isDone);
          return (
            <ol className={classes.steps}>
              {steps.map(({ title, isDone, state, does }, place) => (
                <li key={title} className={classes.step} aria-current={place === next ? 'step' : undefined}>
                  <span
                    className={`${classes.mark ?? ''} ${isDone ? (classes.done ?? '') : ''} ${place === next ? (classes.next ?? '') : ''}`}
                    aria-hidden="true"
                  >
                    {isDone ? '✓' : place + 1}
                  </span>
                  <div>
                    <Text fw={600}>
                      {title}
                      <VisuallyHidden>{isDone ? ': done' : ': to do'}</VisuallyHidden>
                    </Text>
                    <Text size="sm" component="div">
                      {state}
                    </Text>
                    {mayOperate && place === next && does !== null && <div className={classes.does}>{does}</div>}
                  </div>
                </li>
              ))}
            </ol>
          );
        }}
      </Fresh>
    </Paper>
  );
}
