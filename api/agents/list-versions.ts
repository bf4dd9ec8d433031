import { z } from 'zod';
import { notFound } from '../../domain/errors.js';
import { findAgent } from '../../db/queries/agents/agents.js';
import { listVersions } from '../../db/queries/agents/versions.js';
import { operation } from '../operation.js';
import { pageBody, pageOf, pageQuery, rowsOfPage } from '../pagination.js';
import { AgentParams } from './schema.js';
import { AgentVersion, versionBody } from './version-schema.js';

/** GET /v1/agents/{agentId}/versions */
export const listAgentVersions = operation({
  name: 'agents.listVersions',
  method: 'GET',
  url: '/v1/agents/:agentId/versions',
  family: 'agents',
  tag: 'Agents',
  schema: {
    summary: 'List the versions of an agent, newest first',
    description:
      'Every create and update stores a version, which never changes afterwards. Configs are omitted: get one version ' +
      'for its config.',
    params: AgentParams,
    query: z.object(pageQuery),
    response: { 200: pageOf(AgentVersion) },
  },

  async handler({ params: { agentId }, query, caller: { accountId } }, { database: { db } }) {
    if ((await findAgent(db, accountId, agentId)) === null) throw notFound('Agent not found');
    const { total, versions } = await listVersions(db, { accountId, agentId }, rowsOfPage(query));
    const data = versions.map((version) => versionBody(agentId, version));
    return { status: 200, body: pageBody(query, total, data) };
  },
});
