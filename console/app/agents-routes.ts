import { createRoute } from '@tanstack/react-router';
import { agentSearch, agentsSearch } from '../agents/search.js';
import { listSearch } from './list-search.js';
import { rootRoute } from './root-route.js';
import { lazyPage } from '../ui/lazy.js';

const agents = createRoute({
  getParentRoute: () => rootRoute,
  path: '/agents',
  validateSearch: agentsSearch,
  component: lazyPage(async () => (await import('../agents/page.js')).AgentsPage),
});

const newAgent = createRoute({
  getParentRoute: () => rootRoute,
  path: '/agents/new',
  validateSearch: agentSearch,
  component: lazyPage(async () => (await import('../agents/new.js')).NewAgentPage),
});

const agent = createRoute({
  getParentRoute: () => rootRoute,
  path: '/agents/$agentId',
  validateSearch: agentSearch,
  component: lazyPage(async () => (await import('../agents/agent.js')).AgentPage),
});

const knowledge = createRoute({
  getParentRoute: () => rootRoute,
  path: '/knowledge',
  validateSearch: listSearch,
  component: lazyPage(async () => (await import('../knowledge/page.js')).KnowledgePage),
});

const newKnowledge = createRoute({
  getParentRoute: () => rootRoute,
  path: '/knowledge/new',
  component: lazyPage(async () => (await import('../knowledge/new.js')).NewKnowledgePage),
});

const knowledgeBase = createRoute({
  getParentRoute: () => rootRoute,
  path: '/knowledge/$knowledgeBaseId',
  component: lazyPage(async () => (await import('../knowledge/base.js')).KnowledgeBasePage),
});

const tools = createRoute({
  getParentRoute: () => rootRoute,
  path: '/tools',
  validateSearch: listSearch,
  component: lazyPage(async () => (await import('../tools/page.js')).ToolsPage),
});

const newTool = createRoute({
  getParentRoute: () => rootRoute,
  path: '/tools/new',
  component: lazyPage(async () => (await import('../tools/new.js')).NewToolPage),
});

const tool = createRoute({
  getParentRoute: () => rootRoute,
  path: '/tools/$toolId',
  component: lazyPage(async () => (await import('../tools/tool.js')).ToolPage),
});

/** Agents, and what they use. */
export const agentsRoutes = [
  agents,
  newAgent,
  agent,
  knowledge,
  newKnowledge,
  knowledgeBase,
  tools,
  newTool,
  tool,
] as const;
