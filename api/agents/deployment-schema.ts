import { z } from 'zod';
import { deploymentStatuses, type DeploymentRow } from '../../db/queries/agents/deployments.js';
import { instant } from '../fields.js';

export const Deployment = z
  .strictObject({
    deploymentId: z.string().describe('Id of the deployment, `dep_…`'),
    agentId: z.string().describe('The agent that is deployed'),
    versionId: z.string().describe('The version that it puts live'),
    region: z.string().describe('Where it serves calls'),
    status: z
      .enum(deploymentStatuses)
      .describe(
        '`pending`: being checked. `live`: new calls get this version. `retired`: another one, or none, took its ' +
          'place. `failed`: it never went live',
      ),
    reason: z
      .string()
      .optional()
      .describe(
        'Omitted while pending or live. If failed: everything that prevented it and what to do about it; if ' +
          'retired: `superseded` (a later deploy or undeploy took its place) or `undeployed`',
      ),
    createdAt: instant().describe('When the deploy was accepted'),
    updatedAt: instant().describe('When its status changed last'),
  })
  .meta({
    id: 'Deployment',
    examples: [
      {
        deploymentId: 'dep_0198c0df-07aa-7e22-b1c4-9a8b7c6d5e4f',
        agentId: 'agt_0198c0de-1a2b-7c3d-8e4f-5a6b7c8d9e0f',
        versionId: 'ver_0198c0de-5b1f-7c11-9d3a-2f6e8a4b7c10',
        region: 'default',
        status: 'pending',
        createdAt: '2026-03-02T09:16:04.002Z',
        updatedAt: '2026-03-02T09:16:04.002Z',
      },
    ],
  });

export const deploymentBody = (deployment: DeploymentRow) => ({
  deploymentId: deployment.id,
  agentId: deployment.agentId,
  versionId: deployment.versionId,
  region: deployment.region,
  status: deployment.status,
  ...(deployment.reason === null ? {} : { reason: deployment.reason }),
  createdAt: deployment.createdAt.toISOString(),
  updatedAt: deployment.updatedAt.toISOString(),
});
