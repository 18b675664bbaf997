/** The steps of a path of `diff`: `log["A"][1].epoch` is `log`, `["A"]`, `[1]`, `.epoch`; an element in braces is one. */
export function splitPath(path: string): string[] {
  const segments: string[] = [];
  let start = 0;
  let depth = 0;
  let inString = false;
  for (let index = 0; index < path.length; index++) {
    const char = path[index]!;
    if (inString) {
      if (char === '\\') index++;
      else if (char === '"') inString = false;
      continue;
    }
    if (depth === 0 && index > start && '.[{'.includes(char)) {
      segments.push(path.slice(start, index));
      start = index;
    }
    if (char === '"') inString = true;
    else if ('[{('.includes(char)) depth++;
    else if (']})'.includes(char)) depth--;
  }
  if (start < path.length) segments.push(path.slice(start));
  return segments;
}
