// npm test -- payouts: finds the specs for a word by their paths and by the routes and rules that they cover.

import { filesUnder } from '@stablecoin/local-stack/files';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { claimsInFile } from '../generated-files/coverage-page';
import { JEST_PROJECTS, type JestProject, stageNames } from './stages';

const FOLDERS = ['apps', 'libs'];
const SKIPPED_FOLDERS = ['node_modules', 'generated', 'dist'];

export interface Spec {
  file: string;
  project: JestProject;
  /** Routes and rules of the interface that the spec declares to cover. */
  covers: readonly string[];
}

export type SpecsByProject = Record<JestProject, string[]>;

/** Every spec of the Jest projects. */
export function allSpecs(): Spec[] {
  const files = FOLDERS.flatMap((folder) => filesUnder(folder, (file) => file.endsWith('.spec.ts'), SKIPPED_FOLDERS));
  return files.map((file) => {
    const project = projectOf(file);
    return { file, project, covers: isJourney(file) ? claimsInFile(file).map(({ section }) => section) : [] };
  });
}

const isJourney = (file: string) => file.endsWith('.e2e.spec.ts');

function projectOf(file: string): JestProject {
  if (isJourney(file)) return /\/console[^/]*$/.test(file) ? 'console' : 'e2e';
  return file.endsWith('.int.spec.ts') ? 'int' : 'unit';
}

/** The files of the specs for any of the words. @throws OperatorError that names a word without a spec. */
export function specsBearingOn(words: readonly string[], specs: readonly Spec[]): SpecsByProject {
  for (const word of words) requireSpecs(word, specs);
  const bearing = specs.filter((spec) => words.some((word) => bearsOn(spec, word)));
  const ofProject = (project: JestProject) =>
    bearing.filter((spec) => spec.project === project).map(({ file }) => file);
  return { unit: ofProject('unit'), int: ofProject('int'), e2e: ofProject('e2e'), console: ofProject('console') };
}

function bearsOn({ file, covers }: Spec, word: string): boolean {
  const texts = [file, ...covers].map((text) => text.toLowerCase());
  return formsOf(word).some((form) => texts.some((text) => text.includes(form)));
}

/** A word itself and its singular: `payouts` also finds payout-method, `currencies` also currency. */
export function formsOf(word: string): string[] {
  const lower = word.toLowerCase();
  if (lower.endsWith('ies')) return [lower, `${lower.slice(0, -3)}y`];
  return lower.endsWith('s') && !lower.endsWith('ss') ? [lower, lower.slice(0, -1)] : [lower];
}

function requireSpecs(word: string, specs: readonly Spec[]): void {
  if (specs.some((spec) => bearsOn(spec, word))) return;
  if (stageNames.includes(word)) throw new OperatorError(`${word} is a stage: npm test -- --only ${word}.`);
  throw new OperatorError(
    `No spec of ${JEST_PROJECTS.join(', ')} bears on "${word}": name a part of a path or of a route ` +
      `(${examples(specs)}), or stages with --only.`,
  );
}

/** The names of projects with specs: the words that find most. */
function examples(specs: readonly Spec[]): string {
  const names = new Set(specs.flatMap(({ file }) => /^(?:apps|libs)\/([^/]+)\//.exec(file)?.[1] ?? []));
  return [...names].sort().join(', ');
}
