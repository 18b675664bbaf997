import type { WorldStep } from '../../src/systems/system.ts';

export const MODES = ['watch', 'try', 'predict', 'capture'] as const;
export type Mode = (typeof MODES)[number];

/** Where somebody is, as it stands in the URL: `#watch/fast-restart-told/6`, `#try?rule=Kip101&do=Write.A.all~SendFetch.B`. */
export interface Route {
  readonly mode: Mode;
  /** The recorded trace, or the claim that is asked about. */
  readonly name?: string;
  readonly step?: number;
  readonly tried?: Tried;
}

/** Everything that a trial depends on. */
export interface Tried {
  readonly rule: string;
  readonly replicas: readonly string[];
  readonly minIsr: number;
  /** Constants that are true: LazyCheckpoint, ResumeSameEpoch, OldNews, EligibleLeaders. */
  readonly switches: readonly string[];
  /** In the middle of an upgrade: who runs another rule already, and which. */
  readonly upgraded?: { readonly replicas: readonly string[]; readonly rule: string } | undefined;
  readonly steps: readonly WorldStep[];
  /** The recorded trace that it began with. */
  readonly from?: string | undefined;
  /** The rule that it is held against. */
  readonly versus?: string | undefined;
}

export function printRoute({ mode, name, step, tried }: Route): string {
  const path = [
    mode,
    ...(name === undefined ? [] : [name]),
    ...(step === undefined || name === undefined ? [] : [step]),
  ].join('/');
  if (tried === undefined) return `#${path}`;
  const query = [
    ['rule', tried.rule],
    ['replicas', tried.replicas.join('.')],
    ['minIsr', `${tried.minIsr}`],
    ['with', tried.switches.join('.')],
    ['upgraded', tried.upgraded === undefined ? '' : [tried.upgraded.rule, ...tried.upgraded.replicas].join('.')],
    ['from', tried.from ?? ''],
    ['versus', tried.versus ?? ''],
    ['do', tried.steps.map(({ action, args }) => [action, ...args].join('.')).join('~')],
  ];
  return `#${path}?${query
    .filter(([, value]) => value !== '')
    .map((pair) => pair.join('='))
    .join('&')}`;
}

/** Null: nothing that was printed here. A hash may come from anywhere. */
export function parseRoute(hash: string): Route | null {
  const [path = '', query] = decode(hash.replace(/^#/, '')).split('?');
  const [mode, name, step] = path.split('/');
  if (!isMode(mode)) return null;
  const number = step !== undefined && /^\d{1,7}$/.test(step) ? Number(step) : undefined;
  return {
    mode,
    ...(name ? { name } : {}),
    ...(number === undefined ? {} : { step: number }),
    ...(query === undefined ? {} : triedIn(query)),
  };
}

function triedIn(query: string): { tried: Tried } | Record<string, never> {
  const fields = new Map(query.split('&').map((pair) => pair.split('=', 2) as [string, string]));
  const rule = fields.get('rule');
  const replicas = listIn(fields.get('replicas'), '.');
  if (!rule || replicas.length === 0) return {};
  const steps = listIn(fields.get('do'), '~').map((text): WorldStep => {
    const [action = '', ...args] = text.split('.');
    return { action, args: args.map((arg) => argumentOf(action, arg)) };
  });
  const minIsr = Number(fields.get('minIsr') ?? 1);
  const [upgradedRule, ...upgraded] = listIn(fields.get('upgraded'), '.');
  return {
    tried: {
      ...{ rule, replicas, steps, minIsr: Number.isSafeInteger(minIsr) ? minIsr : 1 },
      switches: listIn(fields.get('with'), '.'),
      ...(upgradedRule === undefined ? {} : { upgraded: { rule: upgradedRule, replicas: upgraded } }),
      from: fields.get('from'),
      versus: fields.get('versus'),
    },
  };
}

/** Numbers are numbers, but for acks, which are words. */
function argumentOf(action: string, text: string): string | number {
  return action !== 'Write' && /^\d{1,7}$/.test(text) ? Number(text) : text;
}

function listIn(text: string | undefined, separator: string): string[] {
  return (text ?? '').split(separator).filter((part) => part !== '');
}

function isMode(text: string | undefined): text is Mode {
  return MODES.some((mode) => mode === text);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
