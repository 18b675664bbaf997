import ts from 'typescript';
import type { Mutant } from './mistakes.ts';

type Swap = readonly [from: ts.SyntaxKind, to: string];

const SHOWN_CHARS = 76;

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
  [ts.SyntaxKind.QuestionQuestionToken, '&&'],
  [ts.SyntaxKind.PlusToken, '-'],
  [ts.SyntaxKind.MinusToken, '+'],
  [ts.SyntaxKind.PlusEqualsToken, '-='],
];

const NAMES: Readonly<Record<string, string>> = {
  min: 'max',
  max: 'min',
  some: 'every',
  every: 'some',
  find: 'findLast',
};

/** Calls that give a list like the one they are called on, which takes their place. */
const LEFT_OUT = new Set(['filter', 'slice', 'sort']);

/**
 * Every small change of one file of src/replica: operators, conditions, literals, calls, statements that are left out. A name says
 * in which function, and lasts as long as that function; changes that look the same there are numbered.
 */
export function mutantsOf(file: string, text: string): Mutant[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true);
  const mutants: Mutant[] = [];
  const seen = new Map<string, number>();
  const add = (node: ts.Node, replacement: string): void => {
    const name = `${placeOf(node, source)}: ${changeOf(node, replacement, source)}`;
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    mutants.push({
      name: count === 1 ? name : `${name} (${count})`,
      file,
      before: text,
      after: text.slice(0, node.getStart(source)) + replacement + text.slice(node.end),
    });
  };
  const visit = (node: ts.Node): void => {
    // Words for people, types and imports are no behaviour.
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isTypeNode(node)) return;
    if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isThrowStatement(node)) return;
    for (const replacement of replacementsOf(node, source)) add(node, replacement);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return mutants;
}

function replacementsOf(node: ts.Node, source: ts.SourceFile): string[] {
  const { parent } = node;
  if (ts.isBinaryExpression(parent ?? node) && (parent as ts.BinaryExpression).operatorToken === node) {
    return SWAPS.flatMap(([from, to]) => (node.kind === from ? [to] : []));
  }
  if (node.kind === ts.SyntaxKind.TrueKeyword) return ['false'];
  if (node.kind === ts.SyntaxKind.FalseKeyword) return ['true'];
  if (isCondition(node)) return ['true', 'false', ...negated(node, source)];
  if (ts.isPrefixUnaryExpression(node)) return negated(node, source);
  if (ts.isPostfixUnaryExpression(node)) return [`${node.operand.getText(source)}--`];
  if (ts.isNumericLiteral(node)) return [String(Number(node.text) + 1)];
  if (ts.isStringLiteral(node)) return /\s/.test(node.text) || node.text === '' ? [] : ["''"];
  if (ts.isArrayLiteralExpression(node)) return node.elements.length > 0 ? ['[]'] : [];
  if (ts.isIdentifier(node) && ts.isPropertyAccessExpression(parent) && parent.name === node) return otherCall(parent);
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
    const { expression, name } = node.expression;
    return LEFT_OUT.has(name.text) ? [expression.getText(source)] : [];
  }
  if ((ts.isExpressionStatement(node) || ts.isBreakStatement(node)) && ts.isBlock(parent)) return [''];
  return ts.isReturnStatement(node) && node.expression === undefined && ts.isBlock(parent) ? [''] : [];
}

function isCondition(node: ts.Node): boolean {
  const { parent } = node;
  if (parent === undefined) return false;
  if (ts.isIfStatement(parent)) return parent.expression === node;
  return ts.isConditionalExpression(parent) && parent.condition === node;
}

function negated(node: ts.Node, source: ts.SourceFile): string[] {
  const isNegation = ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken;
  return isNegation ? [node.operand.getText(source)] : [];
}

function otherCall(access: ts.PropertyAccessExpression): string[] {
  if (!ts.isCallExpression(access.parent) || access.parent.expression !== access) return [];
  const other = NAMES[access.name.text];
  return other === undefined ? [] : [other];
}

/** The most of what stands around it that fits on a line, before and after. */
function changeOf(node: ts.Node, replacement: string, source: ts.SourceFile): string {
  const { parent } = node;
  // An operator of a long expression: the ends that it joins.
  if (ts.isBinaryExpression(parent) && parent.operatorToken === node && parent.getText(source).length > SHOWN_CHARS) {
    const left = parent.left
      .getText(source)
      .slice(-SHOWN_CHARS / 3)
      .trimStart();
    const right = shown(parent.right.getText(source), SHOWN_CHARS / 3);
    return `… ${shown(left)} ${node.getText(source)} ${right} → ${replacement}`;
  }
  let around = node;
  while (around.parent !== source && around.parent.getText(source).length <= SHOWN_CHARS) around = around.parent;
  const start = around.getStart(source);
  const before = around.getText(source);
  const after = before.slice(0, node.getStart(source) - start) + replacement + before.slice(node.end - start);
  return `${shown(before)} → ${after.trim() === '' ? 'nothing' : shown(after)}`;
}

/** The function that it stands in, or the constant. */
function placeOf(node: ts.Node, source: ts.SourceFile): string {
  for (let at = node; at.parent !== undefined; at = at.parent) {
    if (ts.isFunctionDeclaration(at) || ts.isMethodDeclaration(at)) return at.name?.getText(source) ?? 'a function';
    if (ts.isVariableDeclaration(at) && at.parent.parent.parent === source) return at.name.getText(source);
  }
  return 'the file';
}

function shown(text: string, chars = SHOWN_CHARS): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > chars ? `${line.slice(0, chars - 1)}…` : line;
}
