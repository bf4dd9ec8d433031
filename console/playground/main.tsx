import { createRoot } from 'react-dom/client';
import { currentToken } from '../api/token.js';
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
  // “Try it” of the console opens this page with what its tab keeps: the address then needs no token.
  root.render(<Page key={visits} agentId={agentId} token={token ?? currentToken()} />);
}

show();
// The same address with another token, opened in the same tab, does not reload the page.
window.addEventListener('hashchange', () => {
  if (window.location.hash !== '') show();
});
