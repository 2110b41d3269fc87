import '../setup/node-version.mjs';
export { requireNode } from '../setup/node-version.mjs';
