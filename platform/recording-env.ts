import { z } from 'zod';

/** Where recordings are kept that are over. Credentials are those of the usual AWS environment. */
export const recordingSettings = {
  OUTDIAL_RECORDING_BUCKET: z
    .string()
    .optional()
    .describe(
      'S3 bucket to which recordings are moved after their call; omitted: they stay in PostgreSQL. Credentials: the usual AWS environment.',
    ),
  OUTDIAL_RECORDING_REGION: z.string().default('us-east-1').describe('Region of OUTDIAL_RECORDING_BUCKET.'),
  OUTDIAL_RECORDING_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Address of an S3-compatible store that is not AWS, e.g. `https://s3.example.com`.'),
  OUTDIAL_RECORDING_PREFIX: z
    .string()
    .regex(/^[\w.\-/]*$/, { error: 'must be letters, digits, and . _ - /' })
    .default('recordings/')
    .describe('What the keys of new recordings begin with in the bucket.'),
};
