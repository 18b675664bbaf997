import { findJar } from './jar.ts';
import { findJava } from './java.ts';
import { runProcess } from './spawn.ts';

/**
 * Runs another main class of the jar, in a folder of its own, and returns what it prints.
 * @throws Error when there is no Java or no jar: the message says what to do
 */
export async function runJarClass(
  mainClass: string,
  args: readonly string[],
  temporary: string,
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const jar = await findJar();
  if (!jar.ok) throw new Error(jar.message);
  const java = await findJava({ minimumMajor: jar.jar.javaMajor });
  if (!java.ok) throw new Error(java.message);
  const stdout: Uint8Array[] = [];
  const stderr: Uint8Array[] = [];
  const jvm = ['-XX:TieredStopAtLevel=1', '-XX:-UsePerfData', `-Djava.io.tmpdir=${temporary}`, '-Dfile.encoding=UTF-8'];
  await runProcess(java.java.path, [...jvm, '-cp', jar.jar.path, mainClass, ...args], {
    cwd: temporary,
    onStdout: (chunk) => stdout.push(chunk),
    onStderr: (chunk) => stderr.push(chunk),
  });
  const text = (chunks: Uint8Array[]): string => Buffer.concat(chunks).toString('utf8');
  return { stdout: text(stdout), stderr: text(stderr) };
}
