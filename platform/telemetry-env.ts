import { z } from 'zod';

/** Where spans are sent: the standard variables of OpenTelemetry. The SDK reads its further ones by itself. */
export const telemetrySettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url()
    .optional()
    .describe(
      'Address of an OpenTelemetry collector that takes OTLP over HTTP, such as `http://collector:4318`: spans of calls are sent to `/v1/traces` there. Omitted: nothing is traced.',
    ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: z
    .url()
    .optional()
    .describe('The whole URL that spans are sent to, if it is not `/v1/traces` of OTEL_EXPORTER_OTLP_ENDPOINT.'),
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .optional()
    .describe('Headers for the collector, `name=value`, comma-separated; they may hold its key, and are never logged.'),
  OTEL_TRACES_SAMPLER: z
    .enum([
      ...['always_on', 'always_off', 'traceidratio'],
      ...['parentbased_always_on', 'parentbased_always_off', 'parentbased_traceidratio'],
    ] as const)
    .optional()
    .describe('Which traces are sent; omitted: `parentbased_always_on`, all of them.'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe('Share of the traces that a sampler by ratio sends; the same ones in every process.'),
  OTEL_RESOURCE_ATTRIBUTES: z
    .string()
    .optional()
    .describe(
      'What every span says of where it is from, `name=value`, comma-separated, such as `deployment.environment.name=prod`.',
    ),
};
