import { readFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Script } from 'node:vm';
import ts from 'typescript';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** Where mistakes are planted. */
export const REPLICA = join(ROOT, 'src/replica');

type Exports = Record<string, unknown>;
type Body = (exports: Exports, require: (name: string) => unknown) => void;

/**
 * The modules that lead from `entry` to src/replica, to be had anew as often as one likes, each time with another file changed.
 * All that does not depend on src/replica is this process's own, and shared. A set that is no longer used is garbage like any other.
 */
export class Sandbox {
  readonly #entry: string;
  /** By file: the modules that are made anew. */
  readonly #bodies: ReadonlyMap<string, Body>;
  /** By file or package: the others. */
  readonly #shared: ReadonlyMap<string, unknown>;

  private constructor(entry: string, bodies: ReadonlyMap<string, Body>, shared: ReadonlyMap<string, unknown>) {
    this.#entry = entry;
    this.#bodies = bodies;
    this.#shared = shared;
  }

  /** `entry`: a file of src. */
  static async of(entry: string): Promise<Sandbox> {
    const first = join(ROOT, entry);
    const imports = new Map<string, string[]>();
    const sources = new Map<string, string>();
    collect(first, imports, sources);
    const anew = leadingTo((file) => dirname(file) === REPLICA, imports);
    const shared = new Map<string, unknown>();
    for (const file of anew) {
      for (const target of imports.get(file)!) {
        if (anew.has(target) || shared.has(target)) continue;
        shared.set(target, await import(isAbsolute(target) ? pathToFileURL(target).href : target));
      }
    }
    const bodies = new Map([...anew].map((file) => [file, bodyOf(file, sources.get(file)!)] as const));
    return new Sandbox(first, bodies, shared);
  }

  /** `file`: of src/replica. What the entry exports, with that file as the text has it. */
  load<T>(file: string, text: string): T {
    const changed = join(REPLICA, file);
    if (!this.#bodies.has(changed)) throw new RangeError(`${relative(ROOT, this.#entry)} does not depend on ${file}`);
    const own = bodyOf(changed, toCommonJs(changed, text));
    const made = new Map<string, Exports>();
    const module = (name: string): unknown => {
      const body = name === changed ? own : this.#bodies.get(name);
      if (body === undefined) return this.#shared.get(name);
      const known = made.get(name);
      if (known !== undefined) return known;
      const exports: Exports = {};
      made.set(name, exports);
      body(exports, (target) => module(resolved(name, target)));
      return exports;
    };
    return module(this.#entry) as T;
  }
}

/** The files of the project that these make use of, themselves among them, in order; all paths from its root. */
export function filesBehind(entries: readonly string[]): string[] {
  const imports = new Map<string, string[]>();
  for (const entry of entries) collect(join(ROOT, entry), imports, new Map());
  return [...imports.keys()].map((file) => relative(ROOT, file)).sort();
}

/** The files that can be reached from one, with the files and packages that each takes values from, and each as JavaScript. */
function collect(file: string, imports: Map<string, string[]>, sources: Map<string, string>): void {
  if (imports.has(file)) return;
  const found: string[] = [];
  imports.set(file, found);
  const js = toCommonJs(file, readFileSync(file, 'utf8'));
  sources.set(file, js);
  for (const [, name] of js.matchAll(/\brequire\("([^"]+)"\)/g)) found.push(resolved(file, name!));
  for (const target of found) if (target.startsWith(ROOT)) collect(target, imports, sources);
}

function leadingTo(isGoal: (file: string) => boolean, imports: ReadonlyMap<string, readonly string[]>): Set<string> {
  const leading = new Set([...imports.keys()].filter(isGoal));
  for (let size = -1; size !== leading.size; ) {
    size = leading.size;
    for (const [file, targets] of imports) if (targets.some((target) => leading.has(target))) leading.add(file);
  }
  return leading;
}

function resolved(from: string, name: string): string {
  return name.startsWith('.') ? resolve(dirname(from), name) : name;
}

function bodyOf(file: string, js: string): Body {
  const script = new Script(`(function (exports, require) {${js}\n})`, { filename: file });
  return script.runInThisContext() as Body;
}

function toCommonJs(file: string, text: string): string {
  const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.CommonJS };
  return ts.transpileModule(text, { fileName: file, compilerOptions }).outputText;
}
