import { Text, TextInput, Textarea } from '@mantine/core';
import { useState } from 'react';
import { answered, client, type Schemas } from '../api/client.js';
import { useKey } from '../ui/key.js';
import { SetUpForm } from './set-up-form.js';

const paths = ['name', 'languages.english.prompt', 'languages.english.greeting.text'];

/** Makes an agent, which goes live by itself if it can. */
function NewAgent() {
  const [name, setName] = useState('First agent');
  const [greeting, setGreeting] = useState('Hello {{first_name}}, this is a test call.');
  const [prompt, setPrompt] = useState('You are on the telephone. Be kind and brief, and say goodbye when asked to.');
  const { keyFor } = useKey();
  const send = () => {
    const english = {
      prompt,
      ...(greeting.trim() === '' ? {} : { greeting: { text: greeting, interruptible: true } }),
    };
    const body = { name, languages: { english } };
    const header = { 'idempotency-key': keyFor(JSON.stringify(body)) };
    return answered(client.POST('/v1/agents', { body, params: { header } }));
  };
  return (
    <SetUpForm action="Create agent" send={send} paths={paths}>
      {(problemAt) => (
        <>
          <TextInput
            label="Name"
            value={name}
            error={problemAt('name')}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <TextInput
            label="Greeting"
            description="Write columns of the file in double braces. If empty, the callee speaks first"
            value={greeting}
            error={problemAt('languages.english.greeting.text')}
            onChange={(event) => setGreeting(event.currentTarget.value)}
          />
          <Textarea
            label="Prompt"
            rows={3}
            value={prompt}
            error={problemAt('languages.english.prompt')}
            onChange={(event) => setPrompt(event.currentTarget.value)}
          />
        </>
      )}
    </SetUpForm>
  );
}

interface Props {
  /** The newest agent; undefined: there is none. */
  readonly agent: Schemas['Agent'] | undefined;
  readonly notLiveBecause: string | undefined;
}

/** An agent that is live: made here, or deployed once what it lacks is there. */
export function AgentStep({ agent, notLiveBecause }: Props) {
  const { keyFor, renew } = useKey();
  if (agent === undefined) return <NewAgent />;
  const deploy = async () => {
    const params = { path: { agentId: agent.agentId }, header: { 'idempotency-key': keyFor(agent.agentId) } };
    await answered(client.POST('/v1/agents/{agentId}/deploy', { params, body: {} }));
    renew();
  };
  return (
    <SetUpForm action={`Deploy ${agent.name}`} send={deploy}>
      {() => (
        <Text size="sm">
          {notLiveBecause ?? 'It is being deployed. If that takes longer than a few seconds, deploy it yourself.'}
        </Text>
      )}
    </SetUpForm>
  );
}
