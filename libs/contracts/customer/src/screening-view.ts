/** See libs/customer-store/src/screening/screening-desk.ts: only what is `clear` or `released` goes on. */
export type ScreeningDecision = 'clear' | 'held' | 'released' | 'rejected' | 'unlisted';

export interface ScreeningView {
  decision: ScreeningDecision;
  /** SHA-256 of the files of the lists that it was held against, in hex. */
  lists: string[];
}
