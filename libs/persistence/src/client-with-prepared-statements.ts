import { Client, ClientConfig, QueryConfig } from 'pg';
import { StatementNames } from './statement-names';

type ClientClass = new (config?: string | ClientConfig) => Client;

/** SQLSTATE of a prepared statement whose result has other types than when it was prepared (feature_not_supported). */
const CHANGED_RESULT = '0A000';
const names = new StatementNames();

/**
 * A client that prepares the statements that come again (StatementNames): those of Prisma's client, its raw ones, and the
 * driver's. After a change of the schema Postgres plans them anew by itself. Only where a result has got another type
 * does it refuse, in every connection that has prepared it, for ever: the pool's connections then use other names, so that
 * one retry is enough (`databaseFailure`: retry).
 *
 * @returns a class for the connections of one pool
 */
export function clientWithPreparedStatements(Base: ClientClass): ClientClass {
  /** Counts how often a result had another type than before. */
  let changes = 0;
  return class ClientWithPreparedStatements extends Base {
    constructor(config?: string | ClientConfig) {
      super(config);
      const ask = this.query.bind(this) as (...asked: unknown[]) => unknown;
      this.query = ((asked: unknown, ...others: unknown[]) => ask(this.prepared(asked), ...others)) as Client['query'];
      this.connection.on('errorMessage', ({ code }: { code?: string }) => {
        if (code === CHANGED_RESULT) changes += 1;
      });
    }

    /** A text without values is sent as it is, in one message: a BEGIN has nothing to plan. */
    private prepared(asked: unknown): unknown {
      if (!isQuery(asked) || asked.name !== undefined || !asked.values?.length) return asked;
      const name = names.nameOf(asked.text);
      return name === undefined ? asked : { ...asked, name: `${name}/${changes}` };
    }
  };
}

const isQuery = (asked: unknown): asked is QueryConfig =>
  typeof asked === 'object' &&
  asked !== null &&
  'text' in asked &&
  typeof asked.text === 'string' &&
  !('submit' in asked);
