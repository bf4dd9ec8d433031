import { z } from 'zod';

/** Schema of a read-only field in the body of a PATCH; `changedReadOnly` tells whether it is sent back as it was. */
export const readOnly = () => z.unknown().optional().describe('Read-only: accepted if it is sent back unchanged');
