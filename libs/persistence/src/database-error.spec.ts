import { databaseFailure, databasesWords } from './database-error';

const adapterError = (cause: object) =>
  Object.assign(new Error('as the adapter says it'), { name: 'DriverAdapterError', cause });

describe('what a failed call to the database means', () => {
  it.each([
    ['a socket reset at COMMIT', adapterError({ kind: 'ConnectionClosed' }), 'unknown'],
    ['a socket that timed out', adapterError({ kind: 'SocketTimeout' }), 'unknown'],
    ['no server', adapterError({ kind: 'DatabaseNotReachable', host: 'localhost' }), 'unknown'],
    ['a server that is full', adapterError({ kind: 'TooManyConnections', cause: '' }), 'unknown'],
    ['a backend that was ended', adapterError({ originalCode: '57P01', kind: 'postgres' }), 'unknown'],
    [
      'a serialization failure at COMMIT',
      adapterError({ originalCode: '40001', kind: 'TransactionWriteConflict' }),
      'retry',
    ],
    ['a server that only reads', adapterError({ originalCode: '25006', kind: 'postgres' }), 'retry'],
    ['a disk that cannot be read', adapterError({ originalCode: '58030', kind: 'postgres' }), 'unknown'],
    ['a password that was changed', adapterError({ originalCode: '28P01', kind: 'AuthenticationFailed' }), 'unknown'],
    [
      'a database that is being restored',
      adapterError({ originalCode: '3D000', kind: 'DatabaseDoesNotExist' }),
      'unknown',
    ],
    ['a connection that failed', adapterError({ originalCode: '08006', kind: 'postgres' }), 'unknown'],
    ['a certificate that has run out', adapterError({ kind: 'TlsConnectionError', reason: 'expired' }), 'unknown'],
    ['a server without memory', adapterError({ originalCode: '53200', kind: 'postgres' }), 'unknown'],
    ['a transaction that idled for too long', adapterError({ originalCode: '25P03', kind: 'postgres' }), 'unknown'],
    [
      'a statement that was prepared before the schema changed',
      adapterError({ originalCode: '0A000', message: 'cached plan must not change result type', kind: 'postgres' }),
      'retry',
    ],
    ['what Postgres cannot do', adapterError({ originalCode: '0A000', kind: 'postgres' }), 'bug'],
    ['a deadlock', adapterError({ originalCode: '40P01', kind: 'postgres' }), 'retry'],
    ['a write conflict that Prisma tells of', Object.assign(new Error(), { code: 'P2034' }), 'retry'],
    ['a connection that was refused', Object.assign(new Error(), { code: 'ECONNREFUSED' }), 'unknown'],
    ['a check that failed', adapterError({ originalCode: '23514', kind: 'postgres' }), 'bug'],
    ['a bug of ours', new TypeError('x is undefined'), 'bug'],
    ['nothing at all', undefined, 'bug'],
  ])('%s', (_what, error, kind) => {
    expect(databaseFailure(error).kind).toBe(kind);
  });

  it("has Postgres' words where the adapter names only the kind", () => {
    const cause = {
      originalCode: '42P01',
      originalMessage: 'relation "notes" does not exist',
      kind: 'TableDoesNotExist',
    };
    const throughTheClient = Object.assign(new Error('Invalid `prisma.$executeRaw()` invocation'), {
      meta: { driverAdapterError: adapterError(cause) },
    });
    expect([adapterError(cause), throughTheClient, new Error('of the socket')].map(databasesWords)).toEqual([
      'relation "notes" does not exist',
      'relation "notes" does not exist',
      'of the socket',
    ]);
  });

  it('names the constraint', () => {
    const cause = { originalCode: '23505', kind: 'UniqueConstraintViolation', constraint: { index: 'one_per_owner' } };
    expect(databaseFailure(adapterError(cause))).toEqual({ kind: 'constraint', constraint: 'one_per_owner' });
  });
});
