import { startBundle } from './start-bundle';

startBundle(__dirname);
