import { z } from 'zod';
import { StoredConfig } from './schema.js';
import type { VersionRow } from '../../db/queries/agents/versions.js';
import { instant } from '../fields.js';

const fields = {
  versionId: z.string().describe('Id of the version, `ver_…`'),
  versionName: z.string().describe('Label: `versionName` of the update that made it'),
  agentId: z.string().describe('The agent that it is a version of'),
  number: z.int().describe('1 for the first version, then counted up without gaps'),
  isDeployed: z.boolean().describe('Whether it is live in some region right now'),
  createdAt: instant().describe('When it was saved'),
};

const example = {
  versionId: 'ver_0198c0de-5b1f-7c11-9d3a-2f6e8a4b7c10',
  versionName: 'Shorter greeting',
  agentId: 'agt_0198c0de-1a2b-7c3d-8e4f-5a6b7c8d9e0f',
  number: 3,
  isDeployed: true,
  createdAt: '2026-03-02T09:15:27.310Z',
};

export const AgentVersion = z.strictObject(fields).meta({ id: 'AgentVersion', examples: [example] });

export const AgentVersionWithConfig = z
  .strictObject({
    ...fields,
    config: StoredConfig,
  })
  .meta({
    id: 'AgentVersionWithConfig',
    examples: [
      {
        ...example,
        config: {
          name: 'Appointment reminder',
          defaultLanguage: 'english',
          languages: { english: { prompt: 'Remind {{name}} of the appointment on {{date}}.' } },
        },
      },
    ],
  });

/** A version as lists show it. */
export const versionBody = (agentId: string, version: VersionRow) => ({
  versionId: version.id,
  versionName: version.name,
  agentId,
  number: version.number,
  isDeployed: version.isDeployed,
  createdAt: version.createdAt.toISOString(),
});
