// ts-node's hooks, quiet about what newer releases of Node deprecate in it (DEP0180, fs.Stats): nobody here can mend that.
// This runs in the thread of the hooks alone.
process.noDeprecation = true;

export { load, resolve } from 'ts-node/esm';
