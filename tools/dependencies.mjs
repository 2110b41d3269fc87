export { ensureDependencies, holdsPackagesOf } from './setup/dependencies.mjs';
