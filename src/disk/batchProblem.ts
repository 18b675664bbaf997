/** What is wrong with the bytes from `at` on as a batch: `cut` if more bytes could still make it whole. */
export type BatchProblem = { readonly kind: 'cut' | 'invalid' | 'unsupported'; readonly what: string };

export function invalid(what: string): BatchProblem {
  return { kind: 'invalid', what };
}

export function notItsCrc(crc: number, computed: number): BatchProblem {
  return invalid(`its CRC is ${hex(crc)}, and that of its bytes ${hex(computed)}`);
}

function hex(number: number): string {
  return `0x${number.toString(16).padStart(8, '0')}`;
}
