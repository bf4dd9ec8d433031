import type { Section } from './statement.js';

const agents = 'api/agents';
const deploy = 'workflow/deploy-agent';

export const apiAgents: readonly Section[] = [
  {
    source: 'api',
    heading: 'Agents: operations',
    statements: [
      [
        'agents.post.waits',
        'Create waits up to 5 s for the first deploy',
        `${agents}/create/201: a deploy that takes too long`,
        `${agents}/create/201: a failed deploy`,
      ],
      [
        'agents.post.late',
        'A late deploy turns the agent active by itself',
        `${agents}/create/201: where the deploy cannot run`,
      ],
      [
        'agents.post.first-name',
        'The first version is Created via API',
        `${agents}/list-versions/200: every create and update`,
      ],
      [
        'agents.list',
        'The list has search and status',
        `${agents}/list/200: search finds`,
        `${agents}/list/200: the status filter`,
      ],
      ['agents.get', 'GET answers the latest version, or the one asked for', `${agents}/get/200: an agent is answered`],
      ['agents.delete', 'DELETE takes the agent with its versions', `${agents}/delete/200: an agent that nothing uses`],
      [
        'agents.delete.rule',
        'DELETE is 409 while a rule uses it',
        `${agents}/delete/409: an agent that a routing rule`,
      ],
      [
        'agents.delete.batch',
        'DELETE is 409 while an unfinished batch uses it',
        `${agents}/delete/409: an agent that a batch call`,
      ],
      [
        'agents.versions',
        'Versions have versionId, versionName, agentId, number, isDeployed, createdAt; one has its config',
        `${agents}/list-versions/200: every create and update`,
        `${agents}/get-version/200: a version stays`,
      ],
      [
        'agents.deploy',
        'deploy is 202 and takes the latest version to the default region',
        `${agents}/deploy/202: with %j`,
      ],
      [
        'agents.undeploy',
        'undeploy makes it inactive; calls in progress finish, new ones are refused',
        `${agents}/undeploy/200: the agent is inactive`,
        `${agents}/undeploy/200: new calls are refused`,
      ],
      [
        'agents.deployments',
        'Deployments have status and reason',
        `${agents}/get-deployment/200: a deployment can be followed`,
        `${agents}/list-deployments/200: all are there`,
      ],
    ],
  },
  {
    source: 'api',
    heading: 'Agents: deployment',
    statements: [
      ['deploy.no-key', 'A deploy fails without an active API key', `${deploy}: without an active API key`],
      ['deploy.no-provider-key', 'A deploy fails where a provider has no key', `${deploy}: a provider without a key`],
      ['deploy.no-worker', 'A deploy fails where no agent worker serves the region', `${deploy}: where calls are real`],
      ['deploy.simulated', 'A simulated agent needs neither', 'unit/domain/agent-deploy: a simulated agent'],
      [
        'deploy.defaults',
        'Models left out come from the defaults of the service',
        'unit/domain/agent-deploy: a config with only a prompt',
        `${deploy}: the models that the service fills in`,
      ],
      [
        'deploy.one-live',
        'At most one is live per agent and region',
        `${deploy}: a deployment goes live, the one before`,
        `${deploy}: another region`,
      ],
      ['deploy.atomic', 'Switching is atomic', `${agents}/deploy/202: at every moment`, `${agents}/races: two deploys`],
      [
        'deploy.pinned',
        'A call keeps the version that was live when it was dialed',
        'integration/dialer/agent-versions: a call in progress keeps',
      ],
      ['deploy.late', 'A deploy that comes late changes nothing', `${deploy}: a deploy that comes late`],
      [
        'deploy.races',
        'Deploy, undeploy and delete at once leave what was accepted last',
        `${agents}/races: deploy against delete`,
        `${agents}/races: undeploy against deploy`,
      ],
    ],
  },
  {
    source: 'api',
    heading: 'Tools',
    statements: [
      [
        'tools.create',
        'A tool has a name, description, parameters, method, URL, headers and timeout',
        'api/tools/create/201: a tool of the required fields',
        'api/tools/get/200: a tool is answered',
      ],
      ['tools.headers', 'Headers are write-only and masked', 'api/tools/create/201: header values'],
      [
        'tools.parameters',
        'parameters are a JSON Schema, kept as sent',
        'api/tools/create/201: parameters are kept',
        'api/tools/create/400: %s is refused',
      ],
      ['tools.url', 'The URL obeys the rules for outgoing requests', 'api/tools/create/400: %s is refused'],
      ['tools.list', 'Tools are listed, newest first', 'api/tools/list/200: tools are listed'],
      ['tools.update', 'PATCH changes what is sent', 'api/tools/update/200: what is sent changes'],
      ['tools.delete', 'DELETE takes it away', 'api/tools/delete/200: a deleted tool'],
      [
        'tools.delete.used',
        'A tool that an agent uses is not deleted',
        'api/tools/delete/409: a tool that the latest',
        'api/tools/delete/409: a tool that the deployed',
      ],
      ['tools.name', 'A name is there once', 'api/tools/create/409: a name is there once'],
    ],
  },
];
