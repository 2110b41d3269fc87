import { MERCHANT_MARK } from './client-of-merchants';
import { Reads } from './sql';

/**
 * What a merchant asked to see, as a second wall behind each statement's own condition: a statement of `of(merchantId)` runs
 * under a role of the database whose policies show that merchant's rows alone. The database is one whose client was made
 * with a `merchantRole`.
 */
export class MerchantReads {
  constructor(private readonly database: Reads) {}

  of(merchantId: string): Reads {
    const { database } = this;
    return {
      $queryRaw: (query, ...values) => database.$queryRaw(marked(query), ...values, merchantId),
    };
  }
}

const MARKED = new WeakMap<TemplateStringsArray, TemplateStringsArray>();

/** The template with the mark at its end, which takes one value more. */
function marked(query: TemplateStringsArray): TemplateStringsArray {
  const known = MARKED.get(query);
  if (known) return known;
  const strings = [...query.slice(0, -1), `${query.at(-1) ?? ''}${MERCHANT_MARK}`, ''];
  const made = Object.assign(strings, { raw: strings });
  MARKED.set(query, made);
  return made;
}
