import { z } from 'zod';

/** Placeholders of the agent's texts that would be spoken as nothing. */
export const UnfilledPlaceholders = z
  .array(
    z
      .strictObject({
        path: z.string().describe("Where it is in the agent's config, such as languages.english.prompt"),
        placeholder: z.string().describe('Its name, without the braces'),
      })
      .meta({ id: 'UnfilledPlaceholder' }),
  )
  .describe('Placeholders of the agent that neither a column of the file nor agentMetadata of the rule fills');
