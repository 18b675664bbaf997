import type { Config } from './config.ts';
import type { ClusterState, Memory } from './state.ts';
import { emptyMemory } from './world.ts';

/** At first all replicas are up, know their leader of epoch 1, and are empty. */
export function initialState(config: Config): ClusterState {
  const state: ClusterState = {
    replicas: {},
    controller: { epoch: 1, leader: config.firstLeader, isr: config.replicas },
    oldNews: [],
    elr: [],
    network: [],
  };
  for (const id of config.replicas) {
    const leads = id === config.firstLeader;
    const profile = config.profileOf[id]!;
    const noted = leads && profile.epochCache && profile.entryOnElection;
    const epochCache = noted ? [{ epoch: 1, start: 0 }] : [];
    state.replicas[id] = {
      incarnation: 0,
      disk: { log: [], flushed: 0, epochCache, epochFile: epochCache, checkpoint: 0 },
      memory: leads ? firstLeader(config) : firstFollower(config),
    };
  }
  return state;
}

function firstLeader(config: Config): Memory {
  return {
    ...emptyMemory(config),
    role: 'leader',
    leaderEpoch: 1,
    leader: config.firstLeader,
    isr: config.replicas,
    epochStart: 0,
  };
}

function firstFollower(config: Config): Memory {
  return {
    ...emptyMemory(config),
    role: 'follower',
    leaderEpoch: 1,
    leader: config.firstLeader,
    fetchState: 'fetching',
  };
}
