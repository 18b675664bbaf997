import { readdirSync, readFileSync } from 'node:fs';

/** Looks at this process's child `java`, four times a second: the processor time and memory that it has had when it was last seen. */
export function watchJava(): { stop(): { cpuSeconds: number; peakMb: number } } {
  let seen = { cpuSeconds: 0, peakMb: 0 };
  const timer = setInterval(() => {
    seen = usageOf(childJava()) ?? seen;
  }, 250);
  return {
    stop() {
      clearInterval(timer);
      return seen;
    },
  };
}

/** Fields of /proc/<pid>/stat from the third on; the name before them may have blanks. */
function statOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  } catch {
    return [];
  }
}

function childJava(): string | undefined {
  return readdirSync('/proc').find((pid) => /^\d+$/.test(pid) && Number(statOf(pid)[1]) === process.pid && isJava(pid));
}

function isJava(pid: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'java';
  } catch {
    return false;
  }
}

/** The kernel counts in hundredths of a second, and remembers the most memory that a process has had. */
function usageOf(pid: string | undefined): { cpuSeconds: number; peakMb: number } | undefined {
  if (pid === undefined) return undefined;
  try {
    const stat = statOf(pid);
    // One that has just ended is still there, without memory.
    const peakKb = Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
    if (Number.isNaN(peakKb)) return undefined;
    return { cpuSeconds: (Number(stat[11]) + Number(stat[12])) / 100, peakMb: Math.round(peakKb / 1024) };
  } catch {
    return undefined;
  }
}
