import { removeFromDoNotCall } from '../api/people.js';
import { Ask } from '../ui/ask.js';

/** Takes a number off the do-not-call list, after it was typed: from then on it may be called. */
export const RemoveEntry = ({ phoneNumber }: { readonly phoneNumber: string }) => (
  <Ask
    label="Remove from the list"
    hint={phoneNumber}
    size="compact-xs"
    title={`Allow calls to ${phoneNumber}?`}
    action="Remove from the list"
    typed={phoneNumber}
    isDangerous
    onConfirm={() => removeFromDoNotCall(phoneNumber)}
  >
    It may be called again, by running batch calls too. Calls that ended because of the list stay ended.
  </Ask>
);
