/**
 * A bug in a program that runs, to see that a trial finds it: it is put into the built code as Node loads it
 * (planting.preload.ts). The product has no switch for it, and its files stay as they are.
 */
import { join } from 'node:path';
import { bundledMain, compiledMain } from '@stablecoin/local-stack/service-process';

/** A change of one built file: the text is in it once, or the trial would run without the bug. */
export interface Edit {
  /** Below dist. */
  file: string;
  from: string;
  to: string;
}

export const PLANTED_EDITS_VARIABLE = 'TRIAL_PLANTED_EDITS';

/** What a program's environment has more, so that it has these bugs. */
export const planting = (edits: readonly Edit[]): NodeJS.ProcessEnv =>
  edits.length === 0
    ? {}
    : {
        NODE_OPTIONS: `--require ${JSON.stringify(join(__dirname, 'planting.preload.js'))}`,
        [PLANTED_EDITS_VARIABLE]: JSON.stringify(edits),
      };

/** What is started of a service in this environment: bugs are put into single files, of which a bundle has none. */
export const mainIn = (env: NodeJS.ProcessEnv, service: string): string =>
  env[PLANTED_EDITS_VARIABLE] === undefined ? bundledMain(service) : compiledMain(service);

/** @throws Error where the text is not in the file, or more than once */
export function edited(text: string, { file, from, to }: Edit): string {
  const [before, after, ...more] = text.split(from);
  if (before === undefined || after === undefined || more.length > 0)
    throw new Error(`${file} has ${after === undefined ? 'no' : 'several places with'} ${from}`);
  return before + to + after;
}
