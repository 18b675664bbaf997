/** What the comment above a function of the implementation says: the rule, and where in Kafka it comes from. */
export interface Rule {
  readonly file: string;
  readonly text: string;
  readonly source: string | null;
}

export function ruleOf(fn: string, sources: Readonly<Record<string, string>>): Rule | null {
  for (const [file, source] of Object.entries(sources)) {
    if (!file.endsWith('.ts')) continue;
    const at = source.search(new RegExp(`^(export )?function ${fn}\\(`, 'm'));
    if (at === -1) continue;
    const comment = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*$/.exec(source.slice(0, at))?.[1] ?? heading(source);
    const text = comment.replaceAll(/^[ \t]*\* ?/gm, '').trim();
    const [rule = '', kafka] = text.split(/^Source: /m);
    return { file, text: oneLine(rule), source: kafka === undefined ? null : oneLine(kafka) };
  }
  return null;
}

/** A function without a comment of its own is explained by its file's. */
function heading(source: string): string {
  return /^\/\*\*((?:(?!\*\/)[\s\S])*)\*\//.exec(source)?.[1] ?? '';
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
