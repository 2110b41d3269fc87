import { ListUnreadable } from './list-text';
import { ListEntry, ListFormat, readList } from './read-list';
import { addressKey, nameKey } from './screening-key';

const WALLET = '0x098B716B8Aaf21512996dC57EB0615e2383E2f96';
const TRON = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const HEADER = '"id","schema","name","aliases","birth_date","countries","addresses","identifiers","sanctions"';

/** In pieces of three bytes, so that lines and letters are cut anywhere; large ones in larger pieces. */
async function* inPieces(text: string | Uint8Array): AsyncGenerator<Uint8Array> {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  const length = bytes.length > 100_000 ? 65_536 : 3;
  for (let first = 0; first < bytes.length; first += length) yield bytes.subarray(first, first + length);
}

async function entriesOf(format: ListFormat, text: string | Uint8Array): Promise<ListEntry[]> {
  const entries: ListEntry[] = [];
  for await (const entry of readList(format, inPieces(text))) entries.push(entry);
  return entries;
}

const textsOf = async (format: ListFormat, text: string) =>
  (await entriesOf(format, text)).map((entry) => `${entry.kind} ${entry.id} ${entry.text}`);

const problemOf = async (format: ListFormat, text: string | Uint8Array): Promise<string> => {
  const error: unknown = await entriesOf(format, text).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof ListUnreadable) return error.message;
  throw new Error('it could be read', { cause: error });
};

describe('a list of addresses', () => {
  it('has one in each line, beside comments and empty lines', async () => {
    const text = `\uFEFF# of the regulator\r\n${WALLET}\r\n\r\n  ${TRON}  \n#${WALLET}\n${TRON.slice(0, -1)}u`;
    const entries = await entriesOf('addresses', text);
    expect(entries.map((entry) => entry.text)).toEqual([WALLET, TRON, `${TRON.slice(0, -1)}u`]);
    expect(entries[0]).toEqual({ kind: 'address', id: WALLET, text: WALLET, key: addressKey(WALLET.toLowerCase()) });
  });

  it('names the line that is none', async () => {
    expect(await problemOf('addresses', `${WALLET}\n\nAda Obi\n`)).toBe('line 3: is no address');
    expect(await problemOf('addresses', `${WALLET}\n${'A'.repeat(24)}\n`)).toBe('line 2: is no address');
    expect(await problemOf('addresses', `${WALLET} ${TRON}`)).toBe('line 1: is no address');
  });
});

describe('targets.simple.csv of OpenSanctions', () => {
  const row = (...fields: string[]) => fields.map((field) => `"${field.replaceAll('"', '""')}"`).join(',');
  const person = row(
    'NK-1',
    'Person',
    'José Álvarez',
    '"Alvarez; José";Pepe',
    '1970',
    'cu',
    '1 Calle, "X"\nHabana',
    'P12',
    '',
  );

  it('has the names and aliases of people and organisations, and the addresses of wallets', async () => {
    const wallet = row('NK-2', 'CryptoWallet', WALLET, '', '', '', '', `${TRON};${WALLET};OFAC-1`, '');
    const company = row('NK-3', 'Company', 'Acme Ltd.', '', '', '', '', WALLET, '');
    const vessel = row('NK-4', 'Vessel', 'Ada', '', '', '', '', '', '');
    expect(await textsOf('opensanctions-csv', [HEADER, person, wallet, company, vessel].join('\n'))).toEqual([
      ...['name NK-1 José Álvarez', 'name NK-1 Alvarez; José', 'name NK-1 Pepe'],
      ...[`address NK-2 ${WALLET}`, `address NK-2 ${TRON}`],
      'name NK-3 Acme Ltd.',
    ]);
    const [first] = await entriesOf('opensanctions-csv', `${HEADER}\n${person}`);
    expect(first?.key).toEqual(nameKey('alvarez jose'));
  });

  it('is read by the names of its columns', async () => {
    const text = 'schema,identifiers,aliases,new,name,id\nPerson,,,1,Ada Obi,NK-5\n';
    expect(await textsOf('opensanctions-csv', text)).toEqual(['name NK-5 Ada Obi']);
  });

  it.each([
    ['a column that is not there', 'id,schema,name\n', 'line 1: names no column aliases, identifiers'],
    ['a record that is cut off', `${HEADER}\n${person}\n"NK-6","Person"`, 'line 4: has 2 fields, and the first line 9'],
    ['a field without an end', `${HEADER}\n${person}\n"NK-6,Person`, 'line 4: has a quoted field without an end'],
    ['a quote within a field', `${HEADER}\nNK"6"`, 'line 2: has a quote in a field that is not quoted, or text behind'],
    ['an entity without an id', `${HEADER}\n,Person,Ada,,,,,,`, 'line 2: is of an entity without an id'],
    ['no entity at all', `${HEADER}\n`, 'line 1: there is no entry in this file'],
  ])('names the line of %s', async (_, text, problem) =>
    expect(await problemOf('opensanctions-csv', text)).toContain(problem),
  );
});

describe('entities.ftm.json of OpenSanctions', () => {
  const line = (entity: object) => `${JSON.stringify(entity)}\n`;
  const person = { id: 'NK-1', schema: 'Person', target: true, properties: { name: ['Ada Obi'], alias: ['Ada'] } };

  it('has the names of targets and the addresses of wallets', async () => {
    const text = [
      line({ ...person, properties: { ...person.properties, previousName: ['Ada Eze'], weakAlias: ['Boss'] } }),
      line({ ...person, id: 'NK-2', target: false }),
      line({
        id: 'NK-3',
        schema: 'CryptoWallet',
        target: false,
        properties: { publicKey: [WALLET], holder: ['NK-1'] },
      }),
      line({ id: 'NK-4', schema: 'Sanction', properties: { entity: ['NK-1'] } }),
      '\n',
    ];
    expect(await textsOf('opensanctions-json', text.join(''))).toEqual([
      ...['name NK-1 Ada Obi', 'name NK-1 Ada', 'name NK-1 Ada Eze', `address NK-3 ${WALLET}`],
    ]);
  });

  it.each([
    ['no JSON', `${line(person)}{"id":`, 'line 2: is no JSON object'],
    ['a list', `${line(person)}[]`, 'line 2: is no entity: it has no schema, or no properties'],
    ['an entity without properties', line({ id: 'NK-1', schema: 'Person' }), 'line 1: is no entity'],
    ['a name that is no text', line({ ...person, properties: { name: [7] } }), 'line 1: has a property name that is'],
    ['an entity without an id', line({ ...person, id: '' }), 'line 1: is of an entity without an id'],
  ])('names the line of %s', async (_, text, problem) =>
    expect(await problemOf('opensanctions-json', text)).toContain(problem),
  );
});

it('takes bytes that are no UTF-8 for no list', async () => {
  const bytes = Buffer.concat([Buffer.from(`${WALLET}\n\n\n`), Buffer.of(0xff, 0xfe, 0x0a)]);
  expect(await problemOf('addresses', bytes)).toBe('line 4: is not UTF-8, or one of the lines after it');
});

it('takes a line without an end for no list', async () => {
  expect(await problemOf('addresses', 'a'.repeat(4_000_001))).toBe('line 1: is longer than 4000000 characters');
});
