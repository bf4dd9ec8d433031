import { Button, Group, NativeSelect, Paper, Stack, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import { answered, client } from '../api/client.js';
import { uploadKnowledgeBase } from '../api/knowledge.js';
import { Refused } from '../api/refused.js';
import { useMayOperate } from '../session/session.js';
import { problemAt } from '../ui/form/field.js';
import { useKey } from '../ui/key.js';
import { Page } from '../ui/page.js';
import { Problem } from '../ui/problem.js';
import { ReadOnly } from '../ui/read-only.js';
import { useUnsaved } from '../ui/unsaved.js';

const route = getRouteApi('/knowledge/new');

const sources = [
  { value: 'file', label: 'a file' },
  { value: 'url', label: 'a page of the web' },
  { value: 'text', label: 'a text' },
] as const;

/** A new knowledge base, from a file, an address or a text. */
export function NewKnowledgePage() {
  const navigate = route.useNavigate();
  const mayOperate = useMayOperate();
  const queries = useQueryClient();
  const { keyFor, renew } = useKey();
  const [source, setSource] = useState<(typeof sources)[number]['value']>('file');
  const [name, setName] = useState('');
  const [text, setText] = useState('');
  const [file, setFile] = useState<File | null>(null);
  const making = useMutation({
    mutationFn: () => {
      const key = keyFor(JSON.stringify([source, name, text, file?.name, file?.size, file?.lastModified]));
      if (source !== 'file') {
        const params = { header: { 'idempotency-key': key } };
        return answered(client.POST('/v1/knowledge-bases', { body: { name, [source]: text }, params }));
      }
      if (file !== null) return uploadKnowledgeBase(file, name, key);
      throw new Refused(400, 'There is no file.', [{ path: 'file', message: 'Choose a file.' }]);
    },
    onSuccess: async ({ knowledgeBaseId }) => {
      renew();
      await queries.invalidateQueries();
      await navigate({ to: '/knowledge/$knowledgeBaseId', params: { knowledgeBaseId }, ignoreBlocker: true });
    },
  });
  useUnsaved(name !== '' || text !== '' || file !== null);
  const { error, isPending } = making;
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!isPending) making.mutate();
  };
  const typed = { value: text, error: problemAt(error, source) };
  return (
    <Page title="New knowledge base" requests={[{ method: 'POST', path: '/v1/knowledge-bases' }]}>
      {!mayOperate ? (
        <ReadOnly />
      ) : (
        <Paper withBorder p="md" maw={760}>
          <form onSubmit={submit} noValidate>
            <Stack>
              <NativeSelect
                label="From"
                value={source}
                data={sources}
                onChange={(event) => {
                  const chosen = event.currentTarget.value;
                  setText('');
                  setSource(sources.find(({ value }) => value === chosen)?.value ?? source);
                }}
              />
              <TextInput
                label="Name"
                description={source === 'file' ? 'If empty, the name of the file' : 'For people'}
                value={name}
                error={problemAt(error, 'name')}
                onChange={(event) => setName(event.currentTarget.value)}
              />
              {source === 'file' && (
                <TextInput
                  type="file"
                  label="File"
                  accept=".txt,.md,.html,.pdf,.docx"
                  description=".txt, .md, .html, .pdf or .docx, up to 10 MB"
                  error={problemAt(error, 'file')}
                  onChange={(event) => setFile(event.currentTarget.files?.[0] ?? null)}
                />
              )}
              {source === 'url' && (
                <TextInput
                  {...typed}
                  label="Address"
                  placeholder="https://example.com/questions"
                  description="https, outside private networks. It is fetched once"
                  onChange={(event) => setText(event.currentTarget.value)}
                />
              )}
              {source === 'text' && (
                <Textarea
                  {...typed}
                  label="Text"
                  autosize={false}
                  rows={12}
                  onChange={(event) => setText(event.currentTarget.value)}
                />
              )}
              <Problem error={error} title="Nothing was created" shownAtFields={['name', source]} />
              <Group justify="flex-end">
                <Button type="submit" loading={isPending}>
                  Create knowledge base
                </Button>
              </Group>
            </Stack>
          </form>
        </Paper>
      )}
    </Page>
  );
}
