import { useEffect, useState } from 'react';
import type { Draft } from './draft.js';
import { csvOfPasted, type Sheet, sheetOf, textOfBytes } from './sheet.js';

/** Rows that this page reads itself: for their greetings, a call to one's own telephone, and the time zones that they name. */
const mostRows = 100;

/** The beginning of what is to be called; null while there is nothing, and of a workbook. */
export function useSheet({ file, pasted, revision }: Draft): Sheet | null {
  const [read, setRead] = useState<{ readonly revision: number; readonly sheet: Sheet | null }>();
  useEffect(() => {
    let isWanted = true;
    const keep = (sheet: Sheet | null) => {
      if (isWanted) setRead({ revision, sheet });
    };
    if (file === null) keep(pasted.trim() === '' ? null : sheetOf(csvOfPasted(pasted), mostRows));
    else if (!file.name.toLowerCase().endsWith('.csv')) keep(null);
    else void file.arrayBuffer().then((bytes) => keep(sheetOf(textOfBytes(new Uint8Array(bytes)), mostRows)));
    return () => {
      isWanted = false;
    };
  }, [file, pasted, revision]);
  return read?.sheet ?? null;
}
