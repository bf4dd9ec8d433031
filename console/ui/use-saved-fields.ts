import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

/**
 * The fields of a form of settings: as they were last saved, as they are now, and what saves them. What the API answers to that is
 * shown, and everything else that was read from it is read again.
 *
 * @param stored what is stored when the form opens
 * @param fieldsOf what fields show of it
 * @param save sends the fields as they are; `saved` is there so that only what was changed can be sent
 */
export function useSavedFields<Stored, Fields>(
  stored: Stored,
  fieldsOf: (stored: Stored) => Fields,
  save: (fields: Fields, saved: Fields) => Promise<Stored>,
) {
  const queries = useQueryClient();
  const [saved, setSaved] = useState(() => fieldsOf(stored));
  const [fields, setFields] = useState(saved);
  const saving = useMutation({
    mutationFn: () => save(fields, saved),
    onSuccess: async (now) => {
      setSaved(fieldsOf(now));
      setFields(fieldsOf(now));
      await queries.invalidateQueries();
    },
  });
  return {
    ...{ saved, fields, saving },
    change: (part: Partial<Fields>) => setFields((before) => ({ ...before, ...part })),
    undo: () => setFields(saved),
  };
}
