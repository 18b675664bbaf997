/** A cluster on this machine: brokers that listen, each with its own folder, and their controller beside them. */
import type { Server } from 'node:net';
import { openStore, realFiles, replaceFile, StorageError, storeDefaults } from '../disk/index.ts';
import { type Config, profileOfAll, type ReplicaId, type Step } from '../replica/index.ts';
import { switchesOf } from '../systems/memory.ts';
import { Broker } from './broker.ts';
import { Controller, type ControllerState } from './controller.ts';
import { type Host, usualTiming } from './host.ts';
import { Member } from './member.ts';
import { dial, identifyByContent, listen, portOf } from './tcp.ts';

export interface ClusterOptions {
  readonly folder: string;
  readonly topic: string;
  readonly brokers: number;
  readonly host: string;
  /** Of the first broker, the others follow; 0 for any that are free. */
  readonly port: number;
  readonly profile: string;
  readonly minIsr: number;
  readonly unclean: boolean;
  readonly onStep?: (by: ReplicaId | null, step: Step) => void;
}

export interface RunningCluster {
  readonly addresses: ReadonlyMap<ReplicaId, { readonly nodeId: number; readonly host: string; readonly port: number }>;
  /** The process of a broker dies: its connections and its memory go. */
  kill(id: ReplicaId): void;
  start(id: ReplicaId): void;
  /** All brokers end as they should. */
  close(): Promise<void>;
}

interface Node {
  broker: Broker | null;
  member: Member | null;
}

export async function startCluster(options: ClusterOptions): Promise<RunningCluster> {
  const { folder, host, minIsr, port, profile, topic } = options;
  const replicas = Array.from({ length: options.brokers }, (_, i) => String(i + 1));
  const config: Config = {
    ...{ replicas, firstLeader: '1', minIsr, profileOf: profileOfAll(switchesOf(profile), replicas) },
    ...{ lazyCheckpoint: true, resumeSameEpoch: false, oldNews: true },
  };
  const files = realFiles({ sync: true });
  files.makeFolder(folder);
  const statePath = `${folder}/controller.json`;
  const saved = files.read(statePath);
  const state = saved === null ? null : (JSON.parse(Buffer.from(saved).toString()) as ControllerState);
  const controller = new Controller(config, options.unclean, state, (step) => options.onStep?.(null, step));
  const save = () => replaceFile(files, statePath, JSON.stringify(controller.state));
  const nodes = new Map<ReplicaId, Node>(replicas.map((id) => [id, { broker: null, member: null }]));
  const addresses = new Map<ReplicaId, { nodeId: number; host: string; port: number }>();
  const servers: Server[] = [];
  const timers = new Set<NodeJS.Timeout>();

  const after = (ms: number, call: () => void): (() => void) => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      call();
    }, ms);
    timers.add(timer);
    return () => {
      timers.delete(timer);
      clearTimeout(timer);
    };
  };
  const tellAll = () => {
    save();
    for (const { broker } of nodes.values()) broker?.hear(controller.news);
  };
  const react = () => {
    if (controller.react()) tellAll();
  };
  const hostOf = (): Host => ({
    after,
    connect: (peer, events) => {
      const address = addresses.get(peer);
      return address === undefined ? null : dial(address, events);
    },
    alterIsr: (proposal, done) => {
      const accepted = controller.alterIsr(proposal);
      if (accepted) save();
      done(accepted);
    },
    brokers: () => [...addresses.values()],
  });

  const start = (id: ReplicaId, isFirst = false): void => {
    const node = nodes.get(id);
    if (node === undefined || node.broker !== null) return;
    const opened = openStore(files, {
      ...{ ...storeDefaults, folder: `${folder}/${id}`, topic, identify: identifyByContent },
      epochs: config.profileOf[id]?.epochCache === true,
    });
    if (opened.kind === 'damaged') throw new StorageError(`${opened.damage.file}: ${opened.damage.what}`);
    const incarnation = isFirst ? 0 : controller.register(id);
    let broker: Broker | null = null;
    const member = new Member(config, id, opened, incarnation, (step, result) => {
      options.onStep?.(id, step);
      broker?.told(result);
    });
    broker = new Broker({
      ...{ config, member, host: hostOf(), timing: usualTiming, topic, identify: identifyByContent },
      nodeIdOf: Number,
    });
    node.member = member;
    node.broker = broker;
    if (!isFirst) {
      react();
      save();
      broker.hear(controller.news);
    }
  };
  const kill = (id: ReplicaId): void => {
    const node = nodes.get(id);
    node?.broker?.stop();
    node?.member?.store.abandon();
    if (node) nodes.set(id, { broker: null, member: null });
    controller.gone(id);
    after(usualTiming.backoffMs, react);
  };

  for (const [index, id] of replicas.entries()) {
    const server = await listen(() => nodes.get(id)?.broker ?? null, { host, port: port === 0 ? 0 : port + index });
    servers.push(server);
    addresses.set(id, { nodeId: Number(id), host, port: portOf(server) });
  }
  for (const id of replicas) start(id, state === null);
  if (state === null) tellAll();
  for (const { broker } of nodes.values()) broker?.wake();

  return {
    addresses,
    kill,
    start: (id) => start(id),
    close: async () => {
      for (const { broker } of nodes.values()) broker?.stop();
      for (const { member } of nodes.values()) member?.store.shutDown();
      for (const timer of timers) clearTimeout(timer);
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
}
