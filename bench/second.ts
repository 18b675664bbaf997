/**
 * A second opinion: the small models on tla-checker, a model checker that shares no code with TLC. It must come to the verdict
 * that is recorded (claims.json; beyond.json for smaller bounds), with as many distinct states and levels, or a counterexample
 * to the same property, of as many states. It is slow: some 40 states a second.
 *
 *   cargo install tla-checker --locked        (from crates.io; its program is `tla`, or what TLA_CHECKER names)
 *   npm run check:second                      models of up to 500 states, counterexamples of up to 6
 *   npm run check:second -- --states 2000     ... of up to 2,000
 *   npm run check:second -- joins-isr         these claims, whatever their size
 */
import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { execa } from 'execa';
import { type Claim, loadBeyond, loadClaims, modelConfig, pickClaims, specFolder } from '../src/claims/index.ts';
import { variantOf, withVariant } from '../src/claims/variant.ts';
import { parenthesesOf, readSpec, wrapped } from '../src/specMutants/index.ts';
import { interruptible, interruption, orExit } from './interruptible.ts';

/** States that are explored for a counterexample of this length are few enough. */
const SHORT = 6;

/** What the other checker is asked, and what TLC has said. */
interface Question {
  readonly claim: Claim;
  readonly smaller: boolean;
  readonly expected: Answer;
}
type Answer =
  | { readonly kind: 'holds'; readonly states: number; readonly depth: number }
  | { readonly kind: 'violated'; readonly property: string; readonly length: number }
  | { readonly kind: 'cannot'; readonly why: string };

const { values, positionals } = orExit(() =>
  parseArgs({
    options: { states: { type: 'string', default: '500' } },
    allowPositionals: true,
  }),
);
const program = process.env.TLA_CHECKER ?? 'tla';

const version = await execa(program, ['--version'], { reject: false });
if (!/^tla \d/.test(version.stdout ?? '')) {
  console.error(
    `There is no tla-checker ("${program}"): install it by \`cargo install tla-checker --locked\`, or name it in TLA_CHECKER.`,
  );
  process.exit(2);
}

const own = await mkdtemp(join(tmpdir(), 'leader-epoch-second-'));
await interruptible('', async () => {
  const changed = await copySpec();
  console.log(`${version.stdout}; every CASE (${changed}) in parentheses, nothing else is changed`);
  const asked = questions();
  let [same, different] = [0, 0];
  for (const question of asked) {
    const started = performance.now();
    const answer = await ask(question);
    const isSame = JSON.stringify(answer) === JSON.stringify(question.expected);
    if (isSame) same++;
    else if (answer.kind !== 'cannot') different++;
    const name = question.smaller ? `${question.claim.claim}, smaller` : question.claim.claim;
    const seconds = ((performance.now() - started) / 1000).toFixed(0);
    const verdict = isSame ? inWords(answer) : `${inWords(answer)}; TLC: ${inWords(question.expected)}`;
    console.log(
      `${isSame ? '✓' : '✗'} ${name.padEnd(38)} ${question.claim.profile.padEnd(22)} ${verdict}  ${seconds} s`,
    );
  }
  console.log(`${same} of ${asked.length} are as TLC has them, ${different} are not.`);
  process.exitCode = different > 0 ? 1 : same < asked.length ? 2 : 0;
});
await rm(own, { recursive: true, force: true });

/** Into one folder, where this checker looks for modules. Returns how many expressions were put in parentheses. */
async function copySpec(): Promise<number> {
  const { tree, sources } = await readSpec(specFolder);
  const wraps = parenthesesOf(tree, sources);
  for (const folder of [specFolder, join(specFolder, 'models')])
    for (const name of await readdir(folder))
      if (name.endsWith('.tla')) await copyFile(join(folder, name), join(own, name));
  for (const [module, source] of sources)
    await writeFile(
      join(own, `${module}.tla`),
      wrapped(
        source,
        wraps.filter(({ place }) => place.module === module),
      ),
    );
  return wraps.length;
}

function questions(): Question[] {
  const limit = positionals.length > 0 ? Number.POSITIVE_INFINITY : Number(values.states);
  const length = positionals.length > 0 ? Number.POSITIVE_INFINITY : SHORT;
  const smaller = loadBeyond().filter((run) => run.try === 'smaller' && run.verdict === 'holds' && run.states <= limit);
  return pickClaims(loadClaims(), positionals, ({ claim }) => !claim.startsWith('look-ups-')).flatMap((claim) => {
    const { counts, verdict } = claim;
    const found: Question[] = [];
    const [property = ''] = claim.property;
    const isTold = modelConfig(claim.model).substitutions.get('Told') === 'ToldHere';
    if (verdict === 'holds' && counts.states !== undefined && counts.states <= limit)
      found.push({
        claim,
        smaller: false,
        expected: { kind: 'holds', states: counts.states, depth: counts.depth ?? 0 },
      });
    if (
      verdict === 'violated' &&
      counts.length !== undefined &&
      property !== 'Refines' &&
      (isTold || counts.length <= length)
    )
      found.push({ claim, smaller: false, expected: { kind: 'violated', property, length: counts.length } });
    for (const { states, depth } of smaller.filter((run) => run.claim === claim.claim))
      found.push({ claim, smaller: true, expected: { kind: 'holds', states, depth } });
    return found;
  });
}

async function ask({ claim, smaller }: Question): Promise<Answer> {
  const config = modelConfig(claim.model);
  const text = await readFile(join(specFolder, 'models', `${claim.model}.cfg`), 'utf8');
  const variant = smaller ? variantOf('smaller', config) : null;
  const isAsItIs = variant === null || 'untried' in variant;
  await writeFile(join(own, 'Second.cfg'), safetyOf(isAsItIs ? text : withVariant(text, variant)));
  const options = ['--config', join(own, 'Second.cfg'), '--allow-deadlock', '--symbolic-integers', '--json'];
  const { stdout } = await execa(program, [join(own, `${claim.model}.tla`), ...options, '--max-states', '1000000'], {
    reject: false,
    stderr: 'ignore',
    cancelSignal: interruption,
  });
  if (interruption.aborted) throw new Error('interrupted');
  return answerIn(stdout);
}

/** Liveness is not asked for: the states are the same without it. */
function safetyOf(config: string): string {
  return config.replace(/^SPECIFICATION .*$/m, 'INIT Init\nNEXT Next').replace(/^PROPERT(Y|IES) .*$/m, '');
}

function answerIn(stdout: string): Answer {
  const line = stdout.split('\n').find((one) => one.startsWith('{"status"')) ?? '';
  if (line === '') return { kind: 'cannot', why: stdout.trim().split('\n').at(-1) ?? '' };
  const { status, stats, trace, invariant_name, error } = JSON.parse(line);
  if (status === 'ok') return { kind: 'holds', states: stats.states_explored, depth: stats.max_depth };
  if (status === 'invariant_violation') return { kind: 'violated', property: invariant_name, length: trace.length };
  return { kind: 'cannot', why: `${status}${error ? `: ${error}` : ''}` };
}

function inWords(answer: Answer): string {
  switch (answer.kind) {
    case 'holds':
      return `holds, ${answer.states.toLocaleString('en')} states, depth ${answer.depth}`;
    case 'violated':
      return `${answer.property} violated, after ${answer.length} states`;
    case 'cannot':
      return answer.why;
  }
}
