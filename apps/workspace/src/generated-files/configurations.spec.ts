// Every setting of every service and command line: a wrong or missing value is refused by name, with what was expected and
// an example that would do; a secret is never repeated; no service's variable looks like a slip of another's.

import { misspeltVariables } from '@stablecoin/service-host/misspelt-variables';
import { loadConfiguration } from '@stablecoin/service-host/setting';
import { configurationPage, formatOf } from './configuration-page';
import { CONFIGURED_APPS, configurations, isService, serviceConfigurations } from './configurations';
import { environmentOf } from '../testing/setting-values';

const WRONG = '\0 neither-this-nor-that';
const all = configurations();

function problemOf(type: new () => object, environment: NodeJS.ProcessEnv): string | undefined {
  try {
    loadConfiguration(type, environment);
    return undefined;
  } catch (error) {
    if (error instanceof Error) return error.message;
    throw error;
  }
}

it('each service has one class, and the command line of operators has its own', () => {
  expect([...new Set(all.map(({ app }) => app))]).toEqual(CONFIGURED_APPS);
  expect(serviceConfigurations().map(({ app }) => app)).toEqual(CONFIGURED_APPS.filter(isService));
});

describe.each(all)('$app, $name', ({ type, settings }) => {
  it('every example will do', () => {
    expect(problemOf(type, environmentOf(settings))).toBeUndefined();
  });

  describe.each(settings)('$env', (setting) => {
    const { env, example, describe: about, secret } = setting;
    const explained = (problem: string | undefined) => {
      expect(problem?.split('\n')).toHaveLength(1);
      expect(problem?.startsWith(`${env}: expected `)).toBe(true);
      expect(problem?.endsWith(`, for example ${example}. ${about}`)).toBe(true);
    };

    it('is refused when it is wrong, with what was expected and an example', () => {
      const problem = problemOf(type, { ...environmentOf(settings), [env]: WRONG });
      explained(problem);
      expect(problem).toContain(formatOf(setting));
      if (secret) expect(problem).not.toContain(WRONG);
    });

    it(setting.default === undefined ? 'is required' : 'may be left out', () => {
      const problem = problemOf(type, { ...environmentOf(settings), [env]: '' });
      if (setting.default === undefined) explained(problem);
      else expect(problem).toBeUndefined();
    });
  });
});

it('everything that is wrong is reported at once', () => {
  for (const { type, settings } of all.slice(0, 1)) {
    const wrong = Object.fromEntries(settings.map(({ env }) => [env, WRONG]));
    expect(problemOf(type, wrong)?.split('\n')).toHaveLength(settings.length);
  }
});

it('no variable of one service looks like a slip of another one', () => {
  const environment = Object.fromEntries(all.flatMap(({ settings }) => settings.map(({ env }) => [env, 'x'])));
  for (const { type } of all) expect(misspeltVariables(type, environment)).toEqual([]);
});

it('the page has a line for each', () => {
  const page = configurationPage();
  for (const { settings } of all) for (const { env } of settings) expect(page).toContain(`| \`${env}\` |`);
});
