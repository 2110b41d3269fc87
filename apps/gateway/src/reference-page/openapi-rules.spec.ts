import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Ruleset, Spectral } from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';
import { openApiText } from './openapi-text';

/** What the two linters that are in wide use say of the document, by their own recommended rules: nothing. */
const DOCUMENT = openApiText();

async function redoclyProblems(source: string): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config });
  return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer ?? ''}`);
}

async function spectralProblems(source: string): Promise<string[]> {
  const spectral = new Spectral();
  spectral.setRuleset(new Ruleset(oas));
  const problems = await spectral.run(source);
  return problems.map(({ code, message, path }) => `${code}: ${message} ${path.join('/')}`);
}

describe.each([
  ['Redocly', redoclyProblems],
  ['Spectral', spectralProblems],
])('%s', (_linter, problemsOf) => {
  it('has neither an error nor a warning for the interface document', async () => {
    expect(await problemsOf(DOCUMENT)).toEqual([]);
  }, 60_000);

  it('would have one for a document that lacks something', async () => {
    const source = DOCUMENT.replace('"operationId": "createBankPayout",', '');
    expect((await problemsOf(source)).join()).toMatch(/operation-operationId/);
  }, 60_000);
});
