import ts from 'typescript';

/**
 * A part of a source that runs or does not: a statement, or an arm of a conditional. Parts nest; what stands in an inner one
 * is the inner one's.
 */
export interface Part {
  /** Offsets in the text: from the first character to after the last. */
  readonly start: number;
  readonly end: number;
  /** The function that it stands in, and where that begins and ends, its comment included. */
  readonly fn: string;
  readonly fnStart: number;
  readonly fnEnd: number;
}

/**
 * Makes a source tell which of its parts ran: `mark` is called with a part's index when it does. Functions that `skips`
 * names are left as they are.
 */
export function instrument(
  source: string,
  mark: string,
  skips: (fn: string) => boolean,
): { code: string; parts: Part[] } {
  const file = ts.createSourceFile('x.ts', source, ts.ScriptTarget.ES2022, true, ts.ScriptKind.TS);
  const parts: Part[] = [];
  const before = new Map<number, string>();
  const after = new Map<number, string>();

  const visit = (node: ts.Node, fn: ts.FunctionDeclaration | null): void => {
    if (ts.isFunctionDeclaration(node)) {
      if (!skips(node.name?.text ?? '')) ts.forEachChild(node, (child) => visit(child, node));
      return;
    }
    if (fn !== null) {
      if (isInList(node)) insertBefore(node, `${mark}(${partOf(node, fn)});`);
      else if (isLoneBody(node)) wrap(node, `{${mark}(${partOf(node, fn)});`, '}');
      else if (isArm(node)) wrap(node, `(${mark}(${partOf(node, fn)}),`, ')');
    }
    ts.forEachChild(node, (child) => visit(child, fn));
  };
  visit(file, null);
  return { code: edited(source, before, after), parts };

  function partOf(node: ts.Node, fn: ts.FunctionDeclaration): number {
    const [comment] = ts.getJSDocCommentsAndTags(fn);
    const fnStart = comment === undefined ? fn.getStart() : comment.getStart();
    const name = fn.name?.text ?? '';
    return parts.push({ start: node.getStart(), end: node.getEnd(), fn: name, fnStart, fnEnd: fn.getEnd() }) - 1;
  }

  function insertBefore(node: ts.Node, text: string): void {
    before.set(node.getStart(), (before.get(node.getStart()) ?? '') + text);
  }

  /** Outer ones are visited first: they open first, and close last. */
  function wrap(node: ts.Node, open: string, close: string): void {
    insertBefore(node, open);
    after.set(node.getEnd(), close + (after.get(node.getEnd()) ?? ''));
  }
}

function isInList(node: ts.Node): boolean {
  return ts.isStatement(node) && (ts.isBlock(node.parent) || ts.isCaseOrDefaultClause(node.parent));
}

/** The body of an `if`, `else` or loop that is no block. */
function isLoneBody(node: ts.Node): boolean {
  if (!ts.isStatement(node) || ts.isBlock(node)) return false;
  return ts.isIfStatement(node.parent) || ts.isIterationStatement(node.parent, false);
}

function isArm(node: ts.Node): boolean {
  const { parent } = node;
  return ts.isConditionalExpression(parent) && (parent.whenTrue === node || parent.whenFalse === node);
}

function edited(source: string, before: ReadonlyMap<number, string>, after: ReadonlyMap<number, string>): string {
  const places = [...new Set([...before.keys(), ...after.keys()])].sort((a, b) => a - b);
  let code = '';
  let from = 0;
  for (const place of places) {
    code += source.slice(from, place) + (after.get(place) ?? '') + (before.get(place) ?? '');
    from = place;
  }
  return code + source.slice(from);
}
