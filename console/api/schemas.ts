import type { components } from './schema.js';

/** Bodies of the API by the names that docs/openapi.json has for them. */
export type Schemas = components['schemas'];
