import { buildTools } from '../systems/kafkaBuild.ts';
import { findJar, findJava } from '../tlc/index.ts';
import { AS_CLAIMED, COULD_NOT_TELL, type Io, printJson } from './io.ts';
import { mark } from './show.ts';

interface Finding {
  readonly what: string;
  readonly ok: boolean;
  /** The version and place, or how to get it. */
  readonly detail: string;
  readonly needed: string;
  /** Only some of the commands need it. */
  readonly optional: boolean;
}

/** `leader-epoch doctor`: what is installed, what is missing, how to get it. */
export async function doctor(options: { readonly json?: boolean }, io: Io): Promise<number> {
  const findings = [nodeFinding(), await javaFinding(io), await jarFinding(io), ...(await kafkaFindings(io))];
  const exitCode = findings.every(({ ok, optional }) => ok || optional) ? AS_CLAIMED : COULD_NOT_TELL;
  if (options.json === true) {
    printJson(io, 'doctor', exitCode, { findings });
    return exitCode;
  }
  for (const { what, ok, detail, needed, optional } of findings) {
    io.out(`${mark(ok ? 'good' : optional ? 'unknown' : 'bad', io)} ${what.padEnd(10)} ${detail}`);
    if (!ok) io.out(`${' '.repeat(13)}needed for: ${needed}`);
  }
  return exitCode;
}

function nodeFinding(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const ok = major > 20 || (major === 20 && minor >= 19);
  const detail = ok ? process.version : `${process.version}: install Node.js 20.19 or later.`;
  return { what: 'Node.js', ok, detail, needed: 'everything', optional: false };
}

async function javaFinding(io: Io): Promise<Finding> {
  const found = await findJava({ env: io.env });
  const needed = 'the model check (check, record, and the first part of the main job)';
  if (!found.ok) return { what: 'Java', ok: false, detail: found.message, needed, optional: false };
  return { what: 'Java', ok: true, detail: `${found.java.version} (${found.java.path})`, needed, optional: false };
}

async function jarFinding(io: Io): Promise<Finding> {
  const found = await findJar({ env: io.env });
  const needed = 'the model check';
  if (!found.ok) return { what: 'tla2tools', ok: false, detail: found.message, needed, optional: false };
  const { path, source, sha256 } = found.jar;
  const detail = `${path} (${source}, sha256 ${sha256.slice(0, 12)}…)`;
  return { what: 'tla2tools', ok: true, detail, needed, optional: false };
}

async function kafkaFindings(io: Io): Promise<Finding[]> {
  const { javac, maven } = await buildTools(io.env);
  const needed = "Kafka's own code (kafka, and systems such as kafka-classes@4.4.0), and nothing else";
  const finding = (what: string, version: string | null, missing: string): Finding => {
    return { what, ok: version !== null, detail: version ?? missing, needed, optional: true };
  };
  return [
    finding('javac', javac, 'was not found: install a JDK 17 or later, not only its runtime (javac on the PATH).'),
    finding('Maven', maven, 'was not found: install Maven 3.8 or later (mvn on the PATH).'),
  ];
}
