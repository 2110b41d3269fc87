import { BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { Journal } from '../journal/journal';
import { JournalRefusal } from '../journal/journal-refusal';
import { type SignedTransaction, SigningMemory } from '../rules/signing-memory';
import type { Hex } from '../rules/transfer-transaction';
import { entryOf, type SignedEntry, signedTransactionOf } from './signed-entries';

/** A clock is set by more than this only when it was wrong before. */
const CLOCK_BEHIND_MAX_MS = 10 * 60_000;

/** What was signed: durable in the journal, and in memory as far as the rules need it. */
@Injectable()
export class SigningJournal implements BeforeApplicationShutdown {
  private constructor(
    private readonly journal: Journal,
    readonly memory: SigningMemory,
    private last: number,
  ) {}

  /** @param of whose keys sign: the journal of others is refused */
  static async open(directory: string, of: string, now = Date.now): Promise<SigningJournal> {
    const memory = new SigningMemory();
    let last = 0;
    const journal = await Journal.open({
      directory,
      of,
      onEntry: (entry) => {
        const signed = signedTransactionOf(entry as SignedEntry);
        memory.remember(signed);
        last = signed.at;
      },
    });
    if (last <= now() + CLOCK_BEHIND_MAX_MS) return new SigningJournal(journal, memory, last);
    await journal.close();
    throw new JournalRefusal(
      `SIGNER_JOURNAL_DIRECTORY: the last line of the journal is of ${new Date(last).toISOString()}, after this machine's time: ` +
        'set the clock, because what left within a day is counted by it.',
    );
  }

  /** Never before what was signed last: a clock that is set back must not hide what was spent. */
  now(): number {
    return Math.max(Date.now(), this.last);
  }

  get takesEntries(): boolean {
    return this.journal.takesEntries;
  }

  async write(signed: SignedTransaction, hash: Hex): Promise<void> {
    await this.journal.append(entryOf(signed, hash));
    this.memory.remember(signed);
    this.last = signed.at;
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.journal.close();
  }
}
