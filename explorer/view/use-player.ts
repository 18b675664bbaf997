import { useEffect, useRef, useState } from 'preact/hooks';

/** How long a sentence is read, at speed 1. */
const READING_MS_PER_CHARACTER = 26;
const SHORTEST_MS = 1100;

export interface Player {
  readonly index: number;
  readonly playing: boolean;
  readonly speed: number;
  readonly canGoOn: boolean;
  go(index: number): void;
  forward(): void;
  back(): void;
  toFirst(): void;
  toLast(): void;
  toggle(): void;
  pause(): void;
  setSpeed(speed: number): void;
}

export interface Track {
  readonly last: number;
  readonly index: number;
  /** Where the last state goes back to. */
  readonly loop?: number | undefined;
  /** How long the sentence of a step is, in characters. */
  lengthOf(index: number): number;
  onGo(index: number): void;
}

/** Plays along a track: as long on each step as its sentence takes to read. */
export function usePlayer({ last, index, loop, lengthOf, onGo }: Track): Player {
  const [wants, setPlaying] = useState(false);
  const [speed, setSpeed] = useState(1);
  const canGoOn = index < last || (loop !== undefined && loop < last);
  const playing = wants && canGoOn;
  const next = index < last ? index + 1 : (loop ?? last);
  const go = (to: number) => onGo(Math.max(0, Math.min(last, to)));
  const latest = useRef(go);
  latest.current = go;

  useEffect(() => {
    if (!playing) return;
    const ms = Math.max(SHORTEST_MS, lengthOf(index) * READING_MS_PER_CHARACTER) / speed;
    const timer = setTimeout(() => latest.current(next), ms);
    return () => clearTimeout(timer);
  }, [playing, index, next, speed]);

  return {
    ...{ index, playing, speed, canGoOn, setSpeed },
    go: (to) => {
      setPlaying(false);
      go(to);
    },
    forward: () => {
      setPlaying(false);
      if (canGoOn) go(next);
    },
    back: () => {
      setPlaying(false);
      go(index - 1);
    },
    toFirst: () => {
      setPlaying(false);
      go(0);
    },
    toLast: () => {
      setPlaying(false);
      go(last);
    },
    toggle: () => {
      if (playing) setPlaying(false);
      else {
        if (!canGoOn) go(0);
        else go(next);
        setPlaying(true);
      }
    },
    pause: () => setPlaying(false),
  };
}
