import { Link } from '@tanstack/react-router';
import classes from '../batch/views.module.css';
import type { CampaignSearch } from './search.js';

interface Props {
  readonly campaignId: string;
  readonly view: CampaignSearch['view'];
}

/** The ways to the parts of a campaign. */
export const Views = ({ campaignId, view }: Props) => {
  const common = { params: { campaignId }, className: classes.view, activeOptions: { exact: true } };
  return (
    <nav aria-label="Parts of this campaign" className={classes.views}>
      <Link to="/campaigns/$campaignId" {...common} aria-current={view === undefined ? 'page' : undefined}>
        Overview
      </Link>
      <Link
        to="/campaigns/$campaignId"
        search={{ view: 'settings' }}
        {...common}
        aria-current={view === 'settings' ? 'page' : undefined}
      >
        Settings
      </Link>
    </nav>
  );
};
