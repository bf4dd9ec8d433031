import { expect, test } from 'vitest';
import { placeholdersIn, renderTemplate } from '../../../domain/agent/template.js';

test.each([
  ['Hello {{name}}, {{ name }}: {{first name}}', ['name', 'first name']],
  ['{{}} {{ }} {name} {{open and {{closed}}', ['closed']],
  ['{{{inner}}}', ['inner']],
  ['{{__proto__}} {{नाम}}', ['__proto__', 'नाम']],
  ['', []],
])('%j asks for %j', (text, names) => {
  expect(placeholdersIn(text)).toEqual(names);
});

// shows: template.sources
test('the nearest source that has the column gives its value', () => {
  const rendered = renderTemplate('{{a}} {{b}} {{c}}', [
    { a: 'call', c: null },
    { a: 'rule', b: 'rule', c: 'rule' },
  ]);
  expect(rendered).toEqual({ text: 'call rule rule', missing: [] });
});

// shows: template.missing
test('a column without a value renders empty and is named once', () => {
  expect(renderTemplate('{{x}}-{{x}}-{{y}}', [{}])).toEqual({ text: '--', missing: ['x', 'y'] });
});

// shows: template.data
test('a value is put in as data: neither its braces nor its dollar signs mean anything', () => {
  const values = { a: '{{b}}', b: 'secret', c: "$& $1 $' $$" };
  expect(renderTemplate('{{a}} {{c}}', [values]).text).toBe("{{b}} $& $1 $' $$");
});

test.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])('%s is a column only if a row has it', (name) => {
  expect(renderTemplate(`{{${name}}}`, [{}])).toEqual({ text: '', missing: [name] });
  expect(renderTemplate(`{{${name}}}`, [Object.fromEntries([[name, 'value']])]).text).toBe('value');
});

test('numbers, flags and objects of a single call are written as JSON', () => {
  expect(renderTemplate('{{n}} {{f}} {{o}}', [{ n: 1.5, f: false, o: { a: [1] } }]).text).toBe('1.5 false {"a":[1]}');
});

test('braces without end do not slow rendering down', () => {
  const text = `${'{{'.repeat(50_000)}${'{{ '.repeat(1)}${' '.repeat(100_000)}`;
  expect(renderTemplate(text, [{}])).toEqual({ text, missing: [] });
});
