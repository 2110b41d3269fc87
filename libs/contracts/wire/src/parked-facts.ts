import { IsLimit, IsPage, Page } from './fields/paging';

/** In the order of the log. */
export class ListParkedFacts {
  @IsPage() page = 1;
  @IsLimit() limit = 50;
}

/** A fact of the ledger that a service could not handle, or that is held back behind one. */
export interface ParkedFactView {
  consumer: string;
  shard: number;
  position: number;
  movement: string;
  /** What the fact is about: facts of the same are handled in their order. */
  concerns: string;
  /** The position of the parked fact that holds this one back; null for the parked one itself. */
  held_behind: number | null;
  attempts: number;
  reason: string | null;
  parked_at: string;
  /** Whether a retry is requested and not yet made. */
  retry_requested: boolean;
}

export type ParkedFactsPage = Page<ParkedFactView>;
