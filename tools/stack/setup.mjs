export { ensureReady } from '../setup/ready.mjs';
