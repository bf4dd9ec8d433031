import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { ListFilter } from '../app/list-search.js';
import { answered, client, type Schemas } from './client.js';
import { pollMs, slowPollMs } from './queries.js';

/** GET /v1/tools */
export const toolsQuery = (query: ListFilter) =>
  queryOptions({
    queryKey: ['tools', query],
    queryFn: () => answered(client.GET('/v1/tools', { params: { query: { ...query } } })),
    refetchInterval: slowPollMs,
    placeholderData: keepPreviousData,
  });

/** GET /v1/tools/{toolId} */
export const toolQuery = (toolId: string) =>
  queryOptions({
    queryKey: ['tool', toolId],
    queryFn: () => answered(client.GET('/v1/tools/{toolId}', { params: { path: { toolId } } })),
  });

const isRead = ({ status }: Schemas['KnowledgeBase']): boolean => status !== 'processing';

/** GET /v1/knowledge-bases */
export const knowledgeBasesQuery = (query: ListFilter) =>
  queryOptions({
    queryKey: ['knowledge-bases', query],
    queryFn: () => answered(client.GET('/v1/knowledge-bases', { params: { query: { ...query } } })),
    refetchInterval: ({ state }) => (state.data?.data.every(isRead) === false ? pollMs : slowPollMs),
    placeholderData: keepPreviousData,
  });

/** GET /v1/knowledge-bases/{knowledgeBaseId} */
export const knowledgeBaseQuery = (knowledgeBaseId: string) =>
  queryOptions({
    queryKey: ['knowledge-base', knowledgeBaseId],
    queryFn: () =>
      answered(client.GET('/v1/knowledge-bases/{knowledgeBaseId}', { params: { path: { knowledgeBaseId } } })),
    refetchInterval: ({ state }) => (state.data !== undefined && isRead(state.data) ? false : pollMs),
  });

/** POST /v1/knowledge-bases with a file, whose name it takes if it has none. */
export function uploadKnowledgeBase(file: File, name: string, key: string): Promise<Schemas['KnowledgeBase']> {
  const form = new FormData();
  if (name !== '') form.append('name', name);
  form.append('file', file);
  return answered(
    client.POST('/v1/knowledge-bases', {
      // The client's types know the JSON body alone.
      body: form as unknown as Schemas['CreateKnowledgeBase'],
      bodySerializer: (body) => body as unknown as FormData,
      params: { header: { 'idempotency-key': key } },
    }),
  );
}
