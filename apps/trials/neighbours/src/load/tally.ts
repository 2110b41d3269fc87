import { type Answer, UnansweredRequest } from '@stablecoin/testing/merchant-client';

/** What the attacker got: how often, by status and code, or by what broke. */
export class Tally {
  private readonly counts = new Map<string, number>();
  private readonly notes = new Set<string>();

  count(what: string, times = 1): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + times);
  }

  /** Something about the attack that a reader of the figures has to know. */
  note(text: string): void {
    this.notes.add(text);
  }

  /** Counts how a request ends; resolves to undefined unless it was a success. */
  async outcomeOf<Data>(sent: Promise<Answer<Data>>): Promise<Answer<Data> | undefined> {
    this.count('sent');
    try {
      const answer = await sent;
      const { status } = answer;
      this.count(status < 300 ? String(status) : `${status} ${codeOf(answer)}`.trim());
      return status < 300 ? answer : undefined;
    } catch (error) {
      if (!(error instanceof UnansweredRequest)) throw error;
      this.count(error.reason);
      return undefined;
    }
  }

  get told(): { counts: Record<string, number>; notes: string[] } {
    return { counts: Object.fromEntries(this.counts), notes: [...this.notes] };
  }
}

function codeOf(answer: Answer<unknown>): string {
  try {
    return answer.body.code ?? '';
  } catch {
    return 'no JSON';
  }
}
