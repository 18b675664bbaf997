import { BESIDE_VARIABLES, type State } from './trace.ts';

/** What states of a text have in common, the names of their variables; or what is wrong with them. */
export function variablesOf(
  states: readonly State[],
): readonly string[] | { readonly expected: string; readonly found: string } {
  const vars = [...(states[0]?.keys() ?? [])];
  const odd = vars.find((name) => BESIDE_VARIABLES.test(name));
  if (odd !== undefined) return { expected: 'names of variables', found: `"${odd}"` };
  const index = states.findIndex((state) => state.size !== vars.length || !vars.every((name) => state.has(name)));
  if (index === -1) return vars;
  return {
    expected: `the variables ${vars.join(', ')} in state ${index + 1}`,
    found: [...states[index]!.keys()].join(', '),
  };
}
