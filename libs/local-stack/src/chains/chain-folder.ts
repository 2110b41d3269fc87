import { join } from 'node:path';

/** Names a chain's data folder in its process's command line, by which a later start finds a process that was left behind. */
export const CHAIN_FOLDER_FLAG = '--cache-path';

/** anvil keeps old states there that it has no room for in memory. */
export const statesFolder = (chainFolder: string) => join(chainFolder, 'states');
