// Lets a process that a test starts run the TypeScript sources: `node --import` of this file.
import { register } from 'node:module';

register('./source-hooks.mjs', import.meta.url);
