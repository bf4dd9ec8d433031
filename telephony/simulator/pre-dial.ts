import { z } from 'zod';

/** What is used of a question about recipients, as Outdial sends it. */
export const PreDialQuestion = z.object({
  records: z.array(z.object({ recordId: z.string(), phoneNumber: z.string() })).max(100),
});

/** How the endpoint itself is to behave, from the query of its address. */
export const PreDialFaults = z.object({
  status: z.coerce.number().int().min(200).max(599).default(200),
  delayMs: z.coerce.number().int().min(0).max(60_000).default(0),
});

/** By the last digit but one: who is refused, is cleared with an addition to the metadata, or is left out; others are cleared. */
function verdictOf(phoneNumber: string): object | undefined {
  switch (phoneNumber.at(-2)) {
    case '9':
      return {
        eligible: false,
        reason: 'The simulated endpoint wants no calls to numbers whose last digit but one is 9.',
      };
    case '8':
      return { eligible: true, metadata: { pre_dial: 'cleared by the simulated endpoint' } };
    case '7':
      return undefined;
    default:
      return { eligible: true };
  }
}

/** What the simulated endpoint of a client says before calls. */
export const simulatedPreDial = ({ records }: z.output<typeof PreDialQuestion>): object => ({
  simulated: true,
  records: Object.fromEntries(
    records.flatMap(({ recordId, phoneNumber }) => {
      const verdict = verdictOf(phoneNumber);
      return verdict === undefined ? [] : [[recordId, verdict]];
    }),
  ),
});
