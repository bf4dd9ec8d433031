import { z } from 'zod';

const ReadOnly = z.unknown().meta({ id: 'ReadOnly', description: 'Read-only: accepted if it is sent back unchanged' });

/** Schema of a read-only field in the body of a PATCH; `changedReadOnly` tells whether it is sent back as it was. */
export const readOnly = () => ReadOnly.optional();
