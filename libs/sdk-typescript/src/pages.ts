import { Answer, Call } from './call';
import type { Pagination } from './types.generated';

/** One page of a list. */
export interface Page<Item> {
  data: Item[];
  pagination: Pagination;
  /** The page after this one; undefined after the last. */
  nextPage(): PageCall<Item> | undefined;
}

/** The most that a page may hold: a walk over all pages asks for as much, unless the caller said how much. */
const LIMIT_MAX = 100;

export interface PageQuery {
  page?: number;
  limit?: number;
}

type LoadPage<Item> = (query: PageQuery) => Promise<Answer<{ data: Item[]; pagination: Pagination }>>;

/**
 * A list: `await` gives one page, `for await` every item of all pages from there on. Nothing is sent before either.
 *
 * Pages are counted, so items that come in meanwhile push others onto a later page: a walk gives each `id` once. What is removed
 * meanwhile may let a walk miss one.
 */
export class PageCall<Item> extends Call<Page<Item>> implements AsyncIterable<Item> {
  constructor(
    private readonly load: LoadPage<Item>,
    private readonly query: PageQuery,
  ) {
    let first: Promise<Answer<Page<Item>>> | undefined;
    super(() => (first ??= this.loaded(query)));
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    const seen = new Set<unknown>();
    let page: Page<Item> | undefined = (await this.loaded({ limit: LIMIT_MAX, ...given(this.query) })).data;
    while (page !== undefined) {
      for (const item of page.data) {
        const id = idOf(item);
        if (id !== undefined && seen.has(id)) continue;
        seen.add(id);
        yield item;
      }
      page = await page.nextPage();
    }
  }

  private async loaded(query: PageQuery): Promise<Answer<Page<Item>>> {
    const answer = await this.load(query);
    const { data, pagination } = answer.data;
    const nextPage = () =>
      pagination.page < pagination.totalPages
        ? new PageCall(this.load, { ...query, page: pagination.page + 1 })
        : undefined;
    return { ...answer, data: { data, pagination, nextPage } };
  }
}

/** Without what is undefined, which would hide a default. */
const given = (query: PageQuery): PageQuery =>
  Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined));

function idOf(item: unknown): unknown {
  return typeof item === 'object' && item !== null && 'id' in item ? item.id : undefined;
}
