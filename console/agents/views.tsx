import { Link } from '@tanstack/react-router';
import classes from '../batch/views.module.css';
import type { AgentView } from './search.js';

const parts = [
  { view: 'json', words: 'As JSON' },
  { view: 'versions', words: 'Versions' },
  { view: 'deployments', words: 'Deployments' },
] as const satisfies readonly { view: AgentView; words: string }[];

/** The ways to the parts of an agent. */
export const Views = ({ agentId, view }: { readonly agentId: string; readonly view: AgentView | undefined }) => {
  const common = { params: { agentId }, className: classes.view, activeOptions: { exact: true } };
  return (
    <nav aria-label="Parts of this agent" className={classes.views}>
      <Link to="/agents/$agentId" {...common} search={{}} aria-current={view === undefined ? 'page' : undefined}>
        Config
      </Link>
      {parts.map((part) => (
        <Link
          key={part.view}
          to="/agents/$agentId"
          search={{ view: part.view }}
          {...common}
          aria-current={view === part.view ? 'page' : undefined}
        >
          {part.words}
        </Link>
      ))}
    </nav>
  );
};
