import { Client, ClientConfig, Connection, Query, QueryConfig, QueryResult } from 'pg';

type ClientClass = new (config?: string | ClientConfig) => Client;
type Answered = (error: Error | null | undefined, result?: QueryResult) => void;
type MerchantQueryConfig = QueryConfig<unknown[]> & { queryMode?: 'extended' };

/** The parts of the driver's query that its types leave out: how it is sent, and what it does with each answer. */
interface SentQuery extends Query {
  prepare(connection: Connection): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: Connection): void;
}
interface ExtendedProtocol {
  bind(config: { portal: string; statement: string; values: string[] }): void;
  execute(config: { portal: string }): void;
}

/** The setting that policies compare a row's merchant with; policies are of the role. Both last until the statement's end. */
const SETTING = {
  name: 'read_for_merchant',
  text: "SELECT set_config('app.merchant_id', $1, true), set_config('role', $2, true)",
};
/**
 * Stands at the end of a statement that is made for one merchant, before the last of its values: the merchant's id. To any
 * other client that is a comment with a value too many, for which Postgres refuses the statement.
 */
export const MERCHANT_MARK = '\n-- of merchant ';
const MARKED = new RegExp(`${MERCHANT_MARK}\\$\\d+$`);

/**
 * A client that runs a marked statement for its merchant: under this role, whose policies show the merchant's rows alone. The
 * setting and the statement leave in one flush, with one Sync at its end:
 *
 *   Bind, Execute (merchant and role) → Parse, Bind, Describe, Execute (the statement) → Sync
 *
 * That is one implicit transaction and no further round trip. When the setting fails, Postgres skips everything up to the
 * Sync, and the statement does not run; as both are the transaction's own, the connection keeps nothing of a merchant.
 */
export function clientOfMerchants(Base: ClientClass, role: string): ClientClass {
  return class ClientOfMerchants extends Base {
    constructor(config?: string | ClientConfig) {
      super(config);
      const connect = this.connect.bind(this) as () => Promise<unknown>;
      const ask = this.query.bind(this) as (...asked: unknown[]) => unknown;
      // Prepared beforehand: a connection then sends one Parse at most with a statement, and that is the statement's own.
      const connected = async () => {
        await connect();
        await ask({ ...SETTING, values: ['', 'none'] });
      };
      this.connect = ((done?: (error?: Error) => void) => {
        const connecting = connected();
        if (!done) return connecting;
        connecting.then(() => done(), done);
      }) as Client['connect'];
      this.query = ((asked: unknown, ...others: unknown[]) => {
        if (!isMarked(asked)) return ask(asked, ...others);
        const callback = others.find((other): other is Answered => typeof other === 'function');
        if (callback) return void ask(queryOf(asked, role, callback));
        return new Promise((resolve, reject) =>
          ask(queryOf(asked, role, (error, result) => (error ? reject(error) : resolve(result)))),
        );
      }) as Client['query'];
    }
  };
}

type Marked = QueryConfig<unknown[]> & { values: unknown[] };

const isMarked = (asked: unknown): asked is Marked =>
  typeof asked === 'object' &&
  asked !== null &&
  'text' in asked &&
  typeof asked.text === 'string' &&
  MARKED.test(asked.text);

function queryOf({ text, values, ...config }: Marked, role: string, callback: Answered): MerchantQuery {
  const merchantId = values.at(-1);
  if (typeof merchantId !== 'string' || merchantId === '')
    throw new Error('a marked statement has to name its merchant');
  const statement = { ...config, text: text.replace(MARKED, ''), values: values.slice(0, -1) };
  return new MerchantQuery(statement, [merchantId, role], callback);
}

const DriversQuery = Query as unknown as new (config: MerchantQueryConfig, callback: Answered) => SentQuery;

class MerchantQuery extends DriversQuery {
  /** The row and the end of the setting come before those of the statement. */
  private isSet = false;

  constructor(
    config: MerchantQueryConfig,
    private readonly setting: string[],
    callback: Answered,
  ) {
    // Without values it would leave as a simple query, which is a transaction of its own.
    super({ ...config, queryMode: 'extended' }, callback);
  }

  /** Called by the driver with the stream corked, so that everything leaves at once. */
  override prepare(connection: Connection): void {
    const protocol = connection as unknown as ExtendedProtocol;
    protocol.bind({ portal: '', statement: SETTING.name, values: this.setting });
    protocol.execute({ portal: '' });
    super.prepare(connection);
  }

  override handleDataRow(message: unknown): void {
    if (this.isSet) super.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, connection: Connection): void {
    if (this.isSet) super.handleCommandComplete(message, connection);
    this.isSet = true;
  }
}
