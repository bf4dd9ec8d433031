type BuiltInTool =
  | 'end_call'
  | 'opt_out'
  | 'switch_language'
  | 'transfer_to_person'
  | 'schedule_callback'
  | 'search_knowledge'
  | 'press_keys';

/**
 * What the built-in functions are called in a conversation: if a tool of the account has taken a name, theirs gets a
 * prefix, because models tell functions apart by name alone.
 *
 * @param taken names of the account's tools
 */
export const builtInNames = (taken: readonly string[]): Readonly<Record<BuiltInTool, string>> => {
  const free = (name: BuiltInTool): string => {
    let chosen: string = name;
    while (taken.includes(chosen)) chosen = `outdial_${chosen}`;
    return chosen;
  };
  return {
    end_call: free('end_call'),
    opt_out: free('opt_out'),
    switch_language: free('switch_language'),
    transfer_to_person: free('transfer_to_person'),
    schedule_callback: free('schedule_callback'),
    search_knowledge: free('search_knowledge'),
    press_keys: free('press_keys'),
  };
};

/** Whether a model may have nothing to say once it has called this function: a menu that got its keys waits for no words. */
export const mayEndInSilence = (name: string): boolean => /^(outdial_)*press_keys$/.test(name);
