/** Why a step cannot be taken. */
export class Refused extends Error {}

export function needs(condition: boolean, otherwise: string): asserts condition {
  if (!condition) throw new Refused(otherwise);
}

export function refuse(reason: string | null): void {
  if (reason !== null) throw new Refused(reason);
}
