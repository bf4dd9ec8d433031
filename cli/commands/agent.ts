import { type Command, Option } from 'commander';
import { asksService, type ClientFlags, limited, type Listing, searched, several } from './service-options.js';

/** `outdial agent` runs a worker; its subcommands ask the API about agents. */
export function agentCommand(program: Command): void {
  const agents = async () => import('../client/agent/agents.js');
  const agent = program
    .command('agent')
    .description(
      'Run a voice agent worker, which talks on the calls of one LiveKit; subcommands: list, make, try out and deploy agents',
    )
    .action(async () => (await import('../roles/agent.js')).runAgentWorker());
  searched(agent)
    .addOption(new Option('--status <status>', 'only those that are').choices(['active', 'inactive']))
    .description('List agents')
    .action(async (flags: Listing & { status?: string }) => (await agents()).listAgents(flags));
  asksService(agent.command('show').argument('<agent>', 'its id, agt_…'))
    .description('Print an agent; -o json has its whole config')
    .action(async (id: string, flags: ClientFlags) => (await agents()).showAgent(id, flags));
  asksService(agent.command('deploy').argument('<agent>', 'its id, agt_…'))
    .option('--agent-version <id>', 'one of its versions (default: the latest)')
    .option('--region <name>', 'where (default: the first region of the service)')
    .description('Put a version of an agent live, and wait until it is')
    .action(async (id: string, flags: ClientFlags & { agentVersion?: string; region?: string }) =>
      (await agents()).deployAgent(id, flags),
    );
  furtherCommands(agent);
  const config = async () => import('../client/agent/config.js');
  const file = ['<file>', 'its config as JSON, as in `outdial agent show -o json`; - reads standard input'] as const;
  asksService(agent.command('create').argument(...file))
    .description('Make an agent from its config, and deploy it')
    .action(async (path: string, flags: ClientFlags) => (await config()).createAgent(path, flags));
  asksService(
    agent
      .command('diff')
      .argument('<agent>', 'its id, agt_…')
      .argument(...file),
  )
    .description('Print what a file would change about an agent; ends with 1 if that is anything')
    .action(async (id: string, path: string, flags: ClientFlags) => (await config()).diffAgent(id, path, flags));
  asksService(
    agent
      .command('update')
      .argument('<agent>', 'its id, agt_…')
      .argument(...file),
  )
    .description('Make a new version of an agent from its config; calls have it once it is deployed')
    .action(async (id: string, path: string, flags: ClientFlags) => (await config()).updateAgent(id, path, flags));
  asksService(agent.command('try').argument('<agent>', 'its id, agt_…'))
    .option('-f, --field <name=value>', 'what the agent is told of the callee', several)
    .description('Talk to an agent in writing; each line is what the callee says, Ctrl-D ends it')
    .action(async (id: string, flags: ClientFlags & { field?: readonly string[] }) =>
      (await import('../client/agent/try.js')).tryAgent(id, flags),
    );
}

function furtherCommands(agent: Command): void {
  const versions = async () => import('../client/agent/versions.js');
  const named = (name: string): Command => asksService(agent.command(name).argument('<agent>', 'its id, agt_…'));
  limited(named('versions'))
    .description('List the versions of an agent, newest first')
    .action(async (id: string, flags: Listing) => (await versions()).listVersions(id, flags));
  named('undeploy')
    .option('--yes', 'do it without asking')
    .description('Take an agent out of service; its batch calls wait until it is deployed again')
    .action(async (id: string, flags: ClientFlags & { yes?: true }) => (await versions()).undeployAgent(id, flags));
  named('delete')
    .option('--yes', 'delete it without asking')
    .description('Delete an agent that nothing uses, with its versions')
    .action(async (id: string, flags: ClientFlags & { yes?: true }) => (await versions()).deleteAgent(id, flags));
}
