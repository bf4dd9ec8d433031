import { render } from 'preact';
import { readAddress } from './address.js';
import { Page } from './page.js';
import './page.css';

const root = document.getElementById('page');
if (root === null) throw new Error('The page has no place to be shown at.');

let visits = 0;
function show(place: Element): void {
  const { agentId, token } = readAddress();
  visits += 1;
  render(<Page key={visits} agentId={agentId} token={token} />, place);
}

show(root);
// The same address with another token, opened in the same tab, does not reload the page.
window.addEventListener('hashchange', () => {
  if (window.location.hash !== '') show(root);
});
