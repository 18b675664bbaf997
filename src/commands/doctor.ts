import { findJar, findJava } from '../tlc/index.ts';
import { AS_CLAIMED, COULD_NOT_TELL, type Io, printJson } from './io.ts';
import { mark } from './show.ts';

interface Finding {
  readonly what: string;
  readonly ok: boolean;
  /** The version and place, or how to get it. */
  readonly detail: string;
  readonly needed: string;
}

/** `leader-epoch doctor`: what is installed, what is missing, how to get it. */
export async function doctor(options: { readonly json?: boolean }, io: Io): Promise<number> {
  const findings = [nodeFinding(), await javaFinding(io), await jarFinding(io)];
  const exitCode = findings.every(({ ok }) => ok) ? AS_CLAIMED : COULD_NOT_TELL;
  if (options.json === true) {
    printJson(io, 'doctor', exitCode, { findings });
    return exitCode;
  }
  for (const { what, ok, detail, needed } of findings) {
    io.out(`${mark(ok ? 'good' : 'bad', io)} ${what.padEnd(10)} ${detail}`);
    if (!ok) io.out(`${' '.repeat(13)}needed for: ${needed}`);
  }
  return exitCode;
}

function nodeFinding(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const ok = major > 20 || (major === 20 && minor >= 19);
  const detail = ok ? process.version : `${process.version}: install Node.js 20.19 or later.`;
  return { what: 'Node.js', ok, detail, needed: 'everything' };
}

async function javaFinding(io: Io): Promise<Finding> {
  const found = await findJava({ env: io.env });
  const needed = 'the model check (check, record, and the first part of the main job)';
  if (!found.ok) return { what: 'Java', ok: false, detail: found.message, needed };
  return { what: 'Java', ok: true, detail: `${found.java.version} (${found.java.path})`, needed };
}

async function jarFinding(io: Io): Promise<Finding> {
  const found = await findJar({ env: io.env });
  const needed = 'the model check';
  if (!found.ok) return { what: 'tla2tools', ok: false, detail: found.message, needed };
  const { path, source, sha256 } = found.jar;
  return { what: 'tla2tools', ok: true, detail: `${path} (${source}, sha256 ${sha256.slice(0, 12)}…)`, needed };
}
