import { createRoot } from 'react-dom/client';
import { readAddress } from './address.js';
import { Page } from './page.js';
import './page.css';

const place = document.getElementById('page');
if (place === null) throw new Error('The page has no place to be shown at.');
const root = createRoot(place);

let visits = 0;
function show(): void {
  const { agentId, token } = readAddress();
  visits += 1;
  root.render(<Page key={visits} agentId={agentId} token={token} />);
}

show();
// The same address with another token, opened in the same tab, does not reload the page.
window.addEventListener('hashchange', () => {
  if (window.location.hash !== '') show();
});
