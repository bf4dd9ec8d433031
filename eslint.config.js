import { existsSync } from 'node:fs';
import js from '@eslint/js';
import tseslint from 'typescript-eslint';

// Its types are those of packages that only an installed agent/ has.
const agentFiles = existsSync('agent/node_modules/@livekit/agents') ? ['agent/dist/'] : ['agent/'];

export default tseslint.config(
  {
    ignores: [
      ...agentFiles,
      'agent/node_modules/',
      'db/types.ts',
      'console/api/schema.d.ts',
      'clients/typescript/src/generated/',
      'clients/typescript/dist/',
      'dist/',
      'node_modules/',
      '.outdial/',
      'coverage/',
      'test/replay/histories/',
    ],
  },
  js.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    extends: [...tseslint.configs.strictTypeChecked, ...tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'as' }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/require-await': 'off',
      'no-console': 'error',
      eqeqeq: 'error',
      'no-restricted-syntax': [
        'error',
        {
          selector:
            "CallExpression[callee.object.name='AbortSignal'][callee.property.name='any'] CallExpression[callee.object.name='AbortSignal'][callee.property.name='timeout']",
          message: 'Such a time limit may never come: use withTimeLimit of platform/time-limit.ts.',
        },
      ],
    },
  },
  {
    // Workflow code is replayed: nothing of Node, no clock or randomness but Temporal's own.
    files: ['workflows/**/*.ts'],
    ignores: ['workflows/bundle/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: '^(node:|fs$|os$|path$|crypto$|child_process$)',
              message: 'Workflows are deterministic: do it in an activity.',
            },
          ],
        },
      ],
    },
  },
  { files: ['cli/**/*.ts', 'bench/**/*.ts', 'scripts/**'], rules: { 'no-console': 'off' } },
  {
    files: ['test/**/*.ts', 'agent/test/**/*.ts', 'clients/**/test/**/*.ts'],
    rules: { '@typescript-eslint/no-non-null-assertion': 'off', '@typescript-eslint/no-unsafe-assignment': 'off' },
  },
  {
    files: ['**/*.mjs', '**/*.cjs', '**/*.js'],
    languageOptions: {
      globals: { process: 'readonly', console: 'readonly', URL: 'readonly', module: 'writable', require: 'readonly' },
    },
  },
);
