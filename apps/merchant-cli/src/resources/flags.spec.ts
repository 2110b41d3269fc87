import { OPERATIONS } from 'stablecoin-sdk/operations';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CLI_VERSION } from '../cli-version';
import { printable } from '../output/printable';
import { fieldLines, table } from '../output/table';
import { processTerminal } from '../output/terminal';
import { programOf } from '../program';
import { fieldsWithoutFlag, flagsOf, valueOf } from './flags';
import { GivenFlags, paramsOf } from './request-params';

const GENERAL = ['data', 'all', 'idempotency-key', 'profile', 'json', 'help', 'version'];

const bodyOf = (typeName: string, given: Record<string, string[]>, data?: string) => {
  const texts: GivenFlags = new Map(Object.entries(given));
  return paramsOf(processTerminal(), { typeName, flags: flagsOf(typeName), given: texts, data });
};

describe('the flags of a body', () => {
  it('are its fields, inner ones by their path, and are never those of every command', () => {
    const names = flagsOf('IndividualCustomerParams').map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['first-name', 'registered-address.city']));
    const all = OPERATIONS.flatMap(({ params }) => (params === undefined ? [] : flagsOf(params.typeName)));
    expect(all.filter(({ name }) => GENERAL.includes(name))).toEqual([]);
  });

  it('leave to --data what they cannot say', () => {
    const fields = fieldsWithoutFlag('BusinessCustomerParams').map(({ name }) => name);
    expect(fields).toEqual(['documents', 'user_documents', 'business_owners']);
  });

  it('keep amounts as texts, and make numbers, choices and truths of what is one', () => {
    const flag = (typeName: string, name: string) => flagsOf(typeName).find((each) => each.name === name)!;
    expect(valueOf(flag('QuoteParams', 'amount'), ['010.50'])).toBe('010.50');
    expect(valueOf(flag('WalletListParams', 'limit'), ['5'])).toBe(5);
    expect(valueOf(flag('WebhookParams', 'events'), ['a,b', 'c'])).toEqual(['a', 'b', 'c']);
    const truth = flag('IndividualCustomerParams', 'acting-as-intermediary');
    expect(valueOf(truth, ['false'])).toBe(false);
    expect(() => valueOf(truth, ['no'])).toThrow('--acting-as-intermediary is true or false, not "no".');
  });

  it('go before the same field of --data, inside of objects as well', async () => {
    const data = JSON.stringify({ first_name: 'Ada', registered_address: { city: 'Lagos', state: 'Lagos' } });
    const given = { 'registered-address.city': ['Ikeja'], 'first-name': ['Grace'] };
    expect(await bodyOf('IndividualCustomerUpdateParams', given, data)).toEqual({
      first_name: 'Grace',
      registered_address: { city: 'Ikeja', state: 'Lagos' },
    });
  });

  it('name what is missing', async () => {
    const given = { currency: ['USD'], amount: ['1'] };
    await expect(bodyOf('BankPayoutParams', given)).rejects.toThrow(
      '--account-number is required, or "account_number" in --data.\n--bank-code is required',
    );
  });
});

describe('the program', () => {
  it('has a command with an example for every method of the SDK', () => {
    const program = programOf(processTerminal());
    const commands = program.commands.flatMap((parent) =>
      parent.commands.map((each) => `${parent.name()} ${each.name()}`),
    );
    const kebab = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    const methods = OPERATIONS.map(({ resource, method }) => `${kebab(resource)} ${kebab(method)}`);
    expect(commands).toEqual(expect.arrayContaining(methods));
  });

  it('names other commands as they are typed', () => {
    const descriptions = programOf(processTerminal()).commands.flatMap(({ commands }) =>
      commands.map((each) => each.description()),
    );
    const named = OPERATIONS.filter(({ operationId }) =>
      descriptions.some((text) => text.includes(`\`${operationId}\``)),
    );
    expect(named).toEqual([]);
    expect(descriptions.join()).toContain('`sandbox deposit`');
  });

  it('has the version of its package', () => {
    const { version } = JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8')) as { version: string };
    expect(CLI_VERSION).toBe(version);
  });
});

describe('tables', () => {
  it('line up, leave out columns that no row has, and show a dash for what is absent', () => {
    const rows = [
      { id: '1', inner: { name: 'Ada' } },
      { id: '22', inner: { name: null } },
    ];
    expect(table(rows, ['id', 'inner.name', 'colour']).split('\n')).toEqual(['ID  INNER.NAME', '1   Ada', '22  -']);
    expect(fieldLines({ a: 1, bc: { d: ['x', 'y'], e: [{ f: null }] } }).split('\n')).toEqual([
      ...['a         1', 'bc.d      x, y', 'bc.e.0.f  -'],
    ]);
  });

  it('give a terminal no orders', () => {
    expect(printable('a\u001b[31mb\nc\u202ed')).toBe('a\u{FFFD}[31mb\u{FFFD}c\u{FFFD}d');
    expect(table([{ id: '\u001b]0;x\u0007' }], ['id'])).not.toContain('\u001b');
  });
});
