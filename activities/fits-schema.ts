import type { Analysis, AnalysisSchema } from '../domain/agent/call-analysis.js';

/** Few workers ever analyze a call: what checks the answers is loaded by the first. */
const loadAjv = () => import('ajv/dist/2020.js');

const longestText = 2_000;
const mostTold = 10;

function isDay(text: string): boolean {
  const at = new Date(`${text}T00:00:00Z`);
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}

/**
 * Checks what a model has answered against the schema of an agent's config.
 *
 * @param schema of a config that was validated: it holds no keyword beyond those of `AnalysisSchema`
 * @returns the analysis, or what is wrong with it, in words for the model
 */
export async function fitsSchema(
  { properties, required = [] }: AnalysisSchema,
  answer: Readonly<Record<string, unknown>>,
): Promise<Analysis | readonly string[]> {
  const { Ajv2020 } = await loadAjv();
  const ajv = new Ajv2020({ allErrors: true, ownProperties: true, strict: false, logger: false });
  ajv.addFormat('date', isDay);
  const bounded = Object.fromEntries(
    Object.entries(properties).map(([name, { type, enum: choices, format }]) => [
      name,
      {
        type,
        ...(choices === undefined ? {} : { enum: choices }),
        ...(format === undefined ? {} : { format }),
        ...(type === 'string' ? { maxLength: longestText } : {}),
      },
    ]),
  );
  const fits = ajv.compile<Analysis>({ type: 'object', properties: bounded, required, additionalProperties: false });
  if (fits(answer)) return answer;
  return (fits.errors ?? []).slice(0, mostTold).map(({ instancePath, message = 'is not valid', params }) => {
    const { additionalProperty, allowedValues } = params as { additionalProperty?: string; allowedValues?: unknown };
    const named = typeof additionalProperty === 'string' ? `: ${additionalProperty.slice(0, 64)}` : '';
    const choices = allowedValues === undefined ? '' : `: ${JSON.stringify(allowedValues)}`;
    return `${instancePath === '' ? 'the object' : instancePath.slice(1)} ${message}${named}${choices}`;
  });
}
