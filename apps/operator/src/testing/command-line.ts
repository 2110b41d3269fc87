import { PassThrough } from 'node:stream';
import { asRole } from '@stablecoin/testing/postgres';
import { deployedOperator } from '../deployed-operator';
import { CustomerService, TEST_KEYS } from './customer-service';

/** The operator's commands on the service's database, typed by Ada Obi. */
export function commandLine(service: () => CustomerService) {
  const environment = () => ({
    ...TEST_KEYS,
    OPERATOR_NAME: 'Ada Obi',
    CUSTOMER_DATABASE_URL: service().database.url,
    CUSTOMER_COMPLIANCE_DATABASE_URL: asRole(service().database.ownerUrl, 'customer_compliance'),
  });

  /** Runs the command line like a shell. */
  async function operate(args: string[], env: NodeJS.ProcessEnv = environment()) {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const code = await deployedOperator(env, stdout, stderr).run(args);
    const text = (stream: PassThrough) => String((stream.read() as Buffer | null) ?? '');
    return { code, out: text(stdout), err: text(stderr) };
  }

  /** The answer of a command that must succeed with one line of JSON. */
  async function answer<Answer>(command: string, ...args: string[]): Promise<Answer> {
    const { code, out, err } = await operate([...command.split(' '), ...args]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^\S[^\n]*\n$/);
    return JSON.parse(out) as Answer;
  }

  return { environment, operate, answer };
}
