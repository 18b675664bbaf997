import ts from 'typescript';
import type { Mutant } from './mistakes.ts';

type Swap = readonly [from: ts.SyntaxKind, to: string];

/** Binary operators and what each is mistaken for. */
const SWAPS: readonly Swap[] = [
  [ts.SyntaxKind.LessThanToken, '<='],
  [ts.SyntaxKind.LessThanToken, '>='],
  [ts.SyntaxKind.LessThanEqualsToken, '<'],
  [ts.SyntaxKind.LessThanEqualsToken, '>'],
  [ts.SyntaxKind.GreaterThanToken, '>='],
  [ts.SyntaxKind.GreaterThanToken, '<='],
  [ts.SyntaxKind.GreaterThanEqualsToken, '>'],
  [ts.SyntaxKind.GreaterThanEqualsToken, '<'],
  [ts.SyntaxKind.EqualsEqualsEqualsToken, '!=='],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, '==='],
  [ts.SyntaxKind.AmpersandAmpersandToken, '||'],
  [ts.SyntaxKind.BarBarToken, '&&'],
  [ts.SyntaxKind.PlusToken, '-'],
  [ts.SyntaxKind.MinusToken, '+'],
];

const NAMES: Readonly<Record<string, string>> = {
  min: 'max',
  max: 'min',
  some: 'every',
  every: 'some',
  find: 'findLast',
};

/** Every small change of one file of src/replica: operators, conditions, literals, calls, statements that are left out. */
export function mutantsOf(file: string, text: string): Mutant[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true);
  const mutants: Mutant[] = [];
  const add = (node: ts.Node, replacement: string): void => {
    const start = node.getStart(source);
    const { line } = source.getLineAndCharacterOfPosition(start);
    const before = text.slice(start, node.end);
    const shown = before.length > 60 ? `${before.slice(0, 57)}…` : before;
    mutants.push({
      name: `line ${line + 1}: ${shown.replaceAll(/\s+/g, ' ')} → ${replacement === '' ? 'nothing' : replacement.slice(0, 60)}`,
      file,
      before: text,
      after: text.slice(0, start) + replacement + text.slice(node.end),
    });
  };
  const visit = (node: ts.Node): void => {
    // Words for people, types and imports are no behaviour.
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isTypeNode(node)) return;
    if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isThrowStatement(node)) return;
    if (ts.isBinaryExpression(node)) {
      for (const [from, to] of SWAPS) if (node.operatorToken.kind === from) add(node.operatorToken, to);
    }
    if (ts.isIfStatement(node) || ts.isConditionalExpression(node)) {
      const condition = ts.isIfStatement(node) ? node.expression : node.condition;
      add(condition, 'true');
      add(condition, 'false');
    }
    if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
      add(node, node.operand.getText(source));
    }
    if (ts.isNumericLiteral(node)) add(node, String(Number(node.text) + 1));
    if (node.kind === ts.SyntaxKind.TrueKeyword) add(node, 'false');
    if (node.kind === ts.SyntaxKind.FalseKeyword) add(node, 'true');
    if (ts.isPropertyAccessExpression(node) && ts.isCallExpression(node.parent) && node.parent.expression === node) {
      const other = NAMES[node.name.text];
      if (other !== undefined) add(node.name, other);
    }
    if (ts.isExpressionStatement(node) && ts.isBlock(node.parent)) add(node, '');
    ts.forEachChild(node, visit);
  };
  visit(source);
  return mutants;
}
