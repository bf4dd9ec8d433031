import { removeFromDoNotCall } from '../api/people.js';
import { Ask } from '../ui/ask.js';

/** Takes a number off the do-not-call list, after it was typed: from then on it may be called. */
export const RemoveEntry = ({ phoneNumber }: { readonly phoneNumber: string }) => (
  <Ask
    label="Take it off the list"
    hint={phoneNumber}
    size="compact-xs"
    title={`Allow calls to ${phoneNumber}?`}
    action="Take it off the list"
    typed={phoneNumber}
    isDangerous
    onConfirm={() => removeFromDoNotCall(phoneNumber)}
  >
    It may be called again, by batch calls that go on, too. Calls that ended because of the list stay ended.
  </Ask>
);
