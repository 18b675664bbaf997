import type { Replica } from '../../src/report/index.ts';
import { Disk } from './disk.tsx';
import type { Layout, RowLayout } from './layout.ts';
import { Log } from './log.tsx';

export interface RowProps {
  readonly replica: Replica;
  readonly before: Replica | null;
  readonly row: RowLayout;
  readonly layout: Layout;
  readonly elected: boolean;
  readonly inSync: boolean;
  /** An eligible leader replica (KIP-966). */
  readonly eligible: boolean;
  /** What it runs, where not all run the same. */
  readonly rule: string | null;
  readonly alive: boolean;
  readonly acked: ReadonlySet<number>;
  readonly forks: ReadonlySet<number>;
  readonly lost: readonly { readonly offset: number; readonly id: number }[];
  readonly shows: { readonly caches: boolean; readonly lazy: boolean; readonly power: boolean };
}

/** One replica: who it is, its log, and what it has on disk. */
export function Row(props: RowProps) {
  const { replica, row, layout, alive, elected } = props;
  const role = roleText(props);
  const frame = `frame ${alive ? '' : 'down'} ${elected ? 'elected' : ''}`;
  return (
    <g class={`row ${alive ? '' : 'is-down'}`}>
      <rect class={frame} x="6" y={row.y} width={layout.width - 12} height={row.height} rx="12" />
      {layout.narrow ? (
        <text class="line" x={layout.cellsX} y={row.y + 20}>
          <tspan class="name">{replica.name}</tspan>
          <tspan class={`role ${elected ? 'leads' : ''}`} dx="8">
            {role.what}
          </tspan>
          <tspan class="note" dx="8">
            {role.knows}
          </tspan>
        </text>
      ) : (
        <>
          <text class="name" x="24" y={row.y + 42}>
            {replica.name}
          </text>
          <text class={`role ${elected ? 'leads' : ''}`} x="58" y={row.y + 29}>
            {role.what}
          </text>
          <text class="note" x="58" y={row.y + 47}>
            {role.knows}
          </text>
        </>
      )}
      <Notes {...props} />
      <Log {...props} />
      <Disk {...props} />
    </g>
  );
}

function roleText({ replica, elected }: RowProps): { what: string; knows: string } {
  const { role, leaderEpoch, leader, fetchState } = replica;
  switch (role) {
    case 'leader':
      return elected
        ? { what: 'leader', knows: `epoch e${leaderEpoch}` }
        : { what: 'old leader', knows: `still leads in e${leaderEpoch}` };
    case 'follower':
      return { what: `follows ${leader}`, knows: `e${leaderEpoch}${fetchState === 'fetching' ? ', fetches' : ''}` };
    case 'starting':
      return { what: 'starting', knows: 'knows no leader' };
    default:
      return { what: role, knows: role === 'halted' ? 'shut itself down' : 'memory is gone' };
  }
}

/** What it is about, and what a leader, or the controller, holds of it. */
function Notes(props: RowProps) {
  const { row, layout } = props;
  if (layout.narrow) {
    const [first] = notesOf(props).filter(({ urgent }) => urgent);
    return first === undefined ? null : (
      <text class="small warn" x={layout.width - 20} y={row.y + 20} text-anchor="end">
        {first.text}
      </text>
    );
  }
  return (
    <g>
      {notesOf(props)
        .slice(0, 4)
        .map(({ text, urgent }, index) => (
          <text key={text} class={`small ${urgent ? 'warn' : ''}`} x="24" y={row.y + 70 + index * 17}>
            {text}
          </text>
        ))}
    </g>
  );
}

function notesOf({ replica, inSync, eligible, rule, shows }: RowProps): { text: string; urgent: boolean }[] {
  const { name, role, fetchState, remoteLeo, remoteHw, isrProposal, flushed } = replica;
  const plain = (text: string) => ({ text, urgent: false });
  const urgent = (text: string) => ({ text, urgent: true });
  const fetched = [...remoteLeo]
    .filter(([other, offset]) => other !== name && offset >= 0)
    .map(([other, offset]) => {
      const known = remoteHw.get(other) ?? -1;
      return `${other} fetched from ${offset}${known < 0 ? '' : `, knows HW ${known}`}`;
    });
  const { isr, answer } = isrProposal;
  return [
    ...(fetchState === 'truncating' ? [plain('asks where to cut')] : []),
    ...(fetchState === 'failed' ? [urgent('refused, waits for news')] : []),
    ...(inSync ? [plain('in the ISR')] : [urgent(eligible ? 'not in the ISR, eligible' : 'not in the ISR')]),
    ...(rule === null ? [] : [plain(`runs ${rule}`)]),
    ...(role === 'leader' && isr.length > 0 ? [plain(proposalText(isr, answer))] : []),
    ...(role === 'leader' ? fetched.map(plain) : []),
    ...(shows.power ? [plain(`flushed up to ${flushed}`)] : []),
  ];
}

/** An ISR that a leader has asked for. */
function proposalText(isr: readonly string[], answer: string): string {
  return answer === 'none' ? `asks for ISR ${isr.join(' ')}` : `ISR ${isr.join(' ')} ${answer}`;
}
