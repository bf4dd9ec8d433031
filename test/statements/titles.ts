import { existsSync, readFileSync } from 'node:fs';
import ts from 'typescript';

/** The function that a call in the end calls: `test` of `test.each(rows)(title, …)`. */
function rootOf(expression: ts.Expression): ts.Expression {
  if (ts.isCallExpression(expression) || ts.isPropertyAccessExpression(expression))
    return rootOf(expression.expression);
  if (ts.isTaggedTemplateExpression(expression)) return rootOf(expression.tag);
  return expression;
}

/** Titles of the tests of a file, as they are written; null where there is no such file. */
export function titlesIn(file: string): string[] | null {
  if (!existsSync(file)) return null;
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const titles = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const root = rootOf(node.expression);
      const [title] = node.arguments;
      if (ts.isIdentifier(root) && ['test', 'it'].includes(root.text) && title && ts.isStringLiteralLike(title)) {
        titles.add(title.text);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return [...titles];
}
