import { Client, ClientConfig, QueryConfig } from 'pg';
import { StatementNames } from './statement-names';

type ClientClass = new (config?: string | ClientConfig) => Client;

/** SQLSTATE of a prepared statement whose result has other types than when it was prepared (feature_not_supported). */
const CHANGED_RESULT = '0A000';
const names = new StatementNames();

/**
 * A client that prepares the statements that come again (StatementNames): those of Prisma's client, its raw ones, and the
 * driver's. After a change of the schema Postgres plans them anew by itself. Only where a result has got another type
 * does it refuse, in this connection for ever: the connection then uses other names, and the caller may try again
 * (`databaseFailure`: retry).
 */
export function clientWithPreparedStatements(Base: ClientClass): ClientClass {
  return class ClientWithPreparedStatements extends Base {
    /** Counts how often a result of this connection had another type than before. */
    private changes = 0;

    constructor(config?: string | ClientConfig) {
      super(config);
      const ask = this.query.bind(this) as (...asked: unknown[]) => unknown;
      this.query = ((asked: unknown, ...others: unknown[]) => ask(this.prepared(asked), ...others)) as Client['query'];
      this.connection.on('errorMessage', ({ code }: { code?: string }) => {
        if (code === CHANGED_RESULT) this.changes += 1;
      });
    }

    /** A text without values is sent as it is, in one message: a BEGIN has nothing to plan. */
    private prepared(asked: unknown): unknown {
      if (!isQuery(asked) || asked.name !== undefined || !asked.values?.length) return asked;
      const name = names.nameOf(asked.text);
      return name === undefined ? asked : { ...asked, name: `${name}/${this.changes}` };
    }
  };
}

const isQuery = (asked: unknown): asked is QueryConfig =>
  typeof asked === 'object' &&
  asked !== null &&
  'text' in asked &&
  typeof asked.text === 'string' &&
  !('submit' in asked);
