import type { Ghosts } from '../replay/index.ts';
import { type ClusterState, equalStates, hash } from '../replica/index.ts';
import { equalGhosts } from './equalGhosts.ts';

const FIRST_SLOTS = 1 << 12;

/** States with their ghosts, each once, numbered from 0 on. Equal means equal in every field, not in a fingerprint. */
export class StateTable {
  readonly states: ClusterState[] = [];
  readonly ghosts: Ghosts[] = [];
  #slots = new Int32Array(FIRST_SLOTS).fill(-1);
  #hashes = new Int32Array(FIRST_SLOTS);

  /** The state's number; a new one is one less than `states.length` afterwards. */
  numberOf(state: ClusterState, ghosts: Ghosts): number {
    const code = hash(state) ^ Math.imul(ghosts.written * 31 + ghosts.acked.length, 0x85ebca6b) ^ ghosts.faults.crashes;
    const mask = this.#slots.length - 1;
    for (let slot = (code ^ (code >>> 16)) & mask; ; slot = (slot + 1) & mask) {
      const number = this.#slots[slot]!;
      if (number === -1) return this.#add(slot, code, state, ghosts);
      if (this.#hashes[number] !== code || !equalStates(this.states[number]!, state)) continue;
      if (equalGhosts(this.ghosts[number]!, ghosts)) return number;
    }
  }

  #add(slot: number, code: number, state: ClusterState, ghosts: Ghosts): number {
    const number = this.states.length;
    this.states.push(state);
    this.ghosts.push(ghosts);
    if (number === this.#hashes.length) {
      const hashes = new Int32Array(number * 2);
      hashes.set(this.#hashes);
      this.#hashes = hashes;
    }
    this.#hashes[number] = code;
    if (this.states.length * 2 > this.#slots.length) this.#grow();
    else this.#slots[slot] = number;
    return number;
  }

  #grow(): void {
    const slots = new Int32Array(this.#slots.length * 2).fill(-1);
    const mask = slots.length - 1;
    for (let number = 0; number < this.states.length; number++) {
      const code = this.#hashes[number]!;
      let slot = (code ^ (code >>> 16)) & mask;
      while (slots[slot] !== -1) slot = (slot + 1) & mask;
      slots[slot] = number;
    }
    this.#slots = slots;
  }
}
