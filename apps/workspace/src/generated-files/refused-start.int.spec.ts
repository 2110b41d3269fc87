// A service's own program, started as an orchestrator would, with this environment and nothing else: what is wrong with its
// settings it says at once, and ends.

import { spawnSync } from 'node:child_process';
import { bundledMain } from '@stablecoin/local-stack/service-process';
import { environmentOf } from '../testing/setting-values';
import { serviceConfigurations } from './configurations';

const START_TIMEOUT_MS = 30_000;

function started(app: string, env: NodeJS.ProcessEnv) {
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, [bundledMain(app)], {
    env,
    encoding: 'utf8',
    timeout: START_TIMEOUT_MS,
  });
  return { status, signal, output: stdout + stderr };
}

describe.each(serviceConfigurations())('$app', ({ app, settings }) => {
  /** For a service on the bus the broker's URL and the key of its messages. */
  const [first, second] = settings.filter((setting) => setting.secret && setting.default === undefined);

  it('that has no settings at all says so and ends', () => {
    const { status, output } = started(app, {});
    expect(status).toBe(1);
    const scheme = /^\w+:\/\//.exec(first?.example ?? '')?.[0];
    expect(scheme).toMatch(/^(nats|postgresql):/);
    const start = `${app} could not start: ${first?.env}: expected it to be set, for example ${scheme}`;
    expect(output.slice(0, start.length)).toBe(start);
  });

  it('that has wrong settings names them all at once, shows no secret, and ends', () => {
    const [secret, missing] = [first?.env ?? '', second?.env ?? ''];
    const { [missing]: _, ...others } = environmentOf(settings);
    const wrong = { LOG_LEVEL: 'loudest', OPERATIONS_PORT: '70000', [secret]: 'neither-this-nor-that-but-secret' };
    const environment: Record<string, string> = { ...others, ...wrong };
    const { status, signal, output } = started(app, environment);
    expect({ status, signal }).toEqual({ status: 1, signal: null });

    const lines = output
      .trimEnd()
      .split('\n')
      .map((line) => line.replace(`${app} could not start: `, ''));
    expect(lines).toHaveLength(4);
    for (const env of [missing, 'LOG_LEVEL', 'OPERATIONS_PORT', secret]) {
      const example = settings.find((setting) => setting.env === env)?.example ?? '';
      const line = lines.find((one) => one.startsWith(`${env}: expected `));
      expect(line).toContain(`, for example ${example}. `);
    }
    expect(output).toContain(`${missing}: expected it to be set`);
    expect(output).toContain('OPERATIONS_PORT: expected a whole number from 0 to 65535');
    const withoutExamples = output.replaceAll(/for example .*/g, '');
    for (const { env } of settings.filter((setting) => setting.secret && environment[setting.env]))
      expect(withoutExamples).not.toContain(environment[env]);
  });
});

const DATABASE_URL = /_DATABASE_URL$/;
const withDatabase = serviceConfigurations().filter(({ settings }) =>
  settings.some(({ env }) => DATABASE_URL.test(env)),
);

describe('a service whose database offers no TLS, which its URL demands', () => {
  it('is each one that has a database', () => {
    expect(withDatabase.map(({ app }) => app)).toEqual([
      'customer',
      'wallet-ledger',
      'swap-pricing',
      'payout',
      'chain',
      'backoffice',
      'audit-runner',
    ]);
  });

  it.each(withDatabase)('$app says so and ends', ({ app, settings }) => {
    const url = settings.find(({ env }) => DATABASE_URL.test(env))?.env ?? '';
    const demanding = `${process.env['TEST_POSTGRES_URL']}?sslmode=verify-full`;
    const { status, output } = started(app, { ...environmentOf(settings), OPERATIONS_PORT: '0', [url]: demanding });
    expect(output).toContain(
      `${app} could not start: ${url}: the database offers no TLS, which sslmode in the URL demands`,
    );
    expect(status).toBe(1);
  });
});
