import { furtherLedgerDatabases } from '@stablecoin/service-host/repeated-settings';
import { connectDatabases } from './connect-databases';

const { read } = furtherLedgerDatabases('LEDGER_DATABASES', '', 'ledger_app');
const url = (host: string, database = 'ledger') => `postgresql://ledger_app:secret@${host}/${database}`;

it('reads databases by name', () => {
  expect(read(`b=${url('one:5433')}, c-2=${url('two')}`)).toEqual([
    { name: 'b', url: url('one:5433') },
    { name: 'c-2', url: url('two') },
  ]);
});

it.each([
  ['without a name', url('one')],
  ['with the name of the one that is always there', `home=${url('one')}`],
  ['with a name that no label can have', `B!=${url('one')}`],
  ['one name twice', `b=${url('one')},b=${url('two')}`],
  ['one database twice, its port left out', `b=${url('one')},c=${url('one:5432')}`],
  ['what is no database', 'b=https://one/ledger'],
])('takes no list %s', (_, text) => expect(() => read(text)).toThrow());

it('takes no second name for home', () => {
  const settings = { databaseUrl: url('one'), poolSize: 4, readConnections: 2 };
  const connect = (other: string) => connectDatabases({ ...settings, furtherDatabases: [{ name: 'b', url: other }] });
  expect(() => connect(url('one:5432'))).toThrow('b is the database of LEDGER_DATABASE_URL');
  expect(connect(url('two')).all.map(({ name }) => name)).toEqual(['home', 'b']);
});
