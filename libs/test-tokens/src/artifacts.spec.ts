// What is committed is what the sources say.

import { artifactOf, CONTRACTS } from './artifacts';
import { compiledArtifacts } from './compile';

const compiled = compiledArtifacts();

it.each(CONTRACTS)('%s is what its source says: else node tools/run.mjs libs/test-tokens/src/compile.main', (name) =>
  expect(artifactOf(name)).toEqual(compiled[name]),
);
