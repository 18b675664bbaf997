// Holds one mutant against graphs, in a thread that can be stopped where the mutant never ends.

import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';

const { folder, graphs } = workerData;
const load = (file) => import(pathToFileURL(`${folder}/${file}`).href);
try {
  const { GraphStates, MemorySubject, checkGraph, loadModel } = await load('src/conform/index.js');
  const { readGraphFile } = await load('src/graph/index.js');
  let killedBy = null;
  for (const { model, profile, file } of graphs) {
    const states = new GraphStates(await readGraphFile(file));
    const subject = new MemorySubject(loadModel(model, profile === null ? {} : { profile }), states);
    const { missing, extra } = await checkGraph(states, subject, { stopAtFirst: true });
    if (missing + extra === 0) continue;
    killedBy = profile === null ? model : `${model} under ${profile}`;
    break;
  }
  parentPort.postMessage({ killedBy });
} catch (error) {
  // One that throws where the original does not is caught as well; but what the original does not even load catches nothing.
  if (error.code === 'ERR_MODULE_NOT_FOUND' || error.code === 'ENOENT') throw error;
  parentPort.postMessage({ killedBy: `an exception: ${error.message}` });
}
