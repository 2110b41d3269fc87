/**
 * What a witness has seen: a directory with two files per log, to which lines are added and nothing else. So the file system
 * can be told to allow no more (`chattr +a`), and everything that was ever seen stays.
 *
 * | file                          | a line                                                                                   |
 * |-------------------------------|------------------------------------------------------------------------------------------|
 * | `<hash of origin>.seen`       | a checkpoint that was taken, when; or that the log begins anew, by whose decision and why |
 * | `<hash of origin>.refused`    | a signed checkpoint that contradicts what was seen: evidence                             |
 *
 * A line that was cut off by a crash was never answered, and is passed over. The newest checkpoint is the largest one, so that
 * two processes that write at the same time can't set it back.
 */
import { constants } from 'node:fs';
import { access, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Checkpoint, readCheckpoint, verifyCheckpoint } from '@stablecoin/event-proofs/checkpoint';
import { originHash } from '@stablecoin/event-proofs/cosignature';
import { EMPTY_ROOT, isConsistent } from '@stablecoin/event-proofs/merkle-tree';
import { TrustedKey } from '@stablecoin/event-proofs/signed-note';
import { WitnessRequest } from '@stablecoin/event-proofs/witness-request';
import { RefusedCheckpoint, Witness } from './witness';

/** What of a file is read for its newest lines: some hundreds. */
const TAIL_BYTES = 256 * 1_024;
/** Only who has the log's key can add to it; a ledger that tries again with the same checkpoint adds nothing. */
const REFUSED_MAX = 1_000;

/** The log begins anew here: by whose decision, and why. */
interface AnewLine {
  at: string;
  anew: string;
}
type SeenLine = { origin: string; at: string; note: string } | ({ origin: string } & AnewLine);
type RefusedLine = RefusedCheckpoint | AnewLine;
type Seen = Checkpoint & { note: string };

/** Why a request is not taken, in the terms of c2sp.org/tlog-witness. */
export type BookRefusal = 'malformed' | 'unknown_log' | 'not_signed' | 'other_root' | 'inconsistent';
interface BookRefused {
  answer: 'refused';
  why: BookRefusal;
  problem: string;
  /** Of the newest checkpoint that it has. */
  size: number;
}
/** What was taken comes back as it was written. */
export type BookAnswer = { answer: 'taken'; note: string } | { answer: 'other_size'; size: number } | BookRefused;

export interface WitnessBookOptions {
  directory: string;
  /** The keys that may sign a log, none for a log that is not known; left out where only the ledger itself writes. */
  keysOf?: (origin: string) => readonly TrustedKey[];
  /** The note as it is kept and answered: with a cosignature, where this witness gives one. */
  completed?: (note: string) => string;
  now?: () => Date;
}

export class WitnessBook implements Witness {
  private working: Promise<unknown> = Promise.resolve();
  private readonly now: () => Date;

  constructor(private readonly options: WitnessBookOptions) {
    this.now = options.now ?? (() => new Date());
  }

  get name(): string {
    return this.options.directory;
  }

  /** One after the other, so that what was checked is still so when it is written. */
  submit(request: WitnessRequest): Promise<BookAnswer> {
    const answered = this.working.then(() => this.take(request));
    this.working = answered.catch(() => undefined);
    return answered;
  }

  async newest(origin: string): Promise<string | undefined> {
    return largestOf(await this.seen(origin))?.note;
  }

  async refused(origin: string): Promise<RefusedCheckpoint[]> {
    return sinceAnew(await linesOf<RefusedLine>(this.place(origin, 'refused'), Infinity));
  }

  async origins(): Promise<string[]> {
    const names = await readdir(this.options.directory);
    const found = names.filter((name) => name.endsWith('.seen')).sort();
    const lines = await Promise.all(
      found.map((name) => linesOf<SeenLine>(join(this.options.directory, name), TAIL_BYTES)),
    );
    return lines.flatMap((of) => of.at(-1)?.origin ?? []).sort();
  }

  /**
   * The log begins anew, because its database was restored to a moment before what was seen. What was seen stays in the file.
   *
   * @param reason whose decision it is, and why
   */
  async beginAnew(origin: string, reason: string): Promise<void> {
    const at = this.now().toISOString();
    await append(this.place(origin, 'seen'), { origin, at, anew: reason });
    await append(this.place(origin, 'refused'), { at, anew: reason });
  }

  /** @throws when it can't be written to: a witness that forgets is none */
  async check(): Promise<void> {
    await access(this.options.directory, constants.R_OK | constants.W_OK | constants.X_OK);
  }

  /** The order of checks, and what each answers, are those of c2sp.org/tlog-witness. */
  private async take({ oldSize, path, note }: WitnessRequest): Promise<BookAnswer> {
    const said = readCheckpoint(note);
    if (!said) return refusal('malformed', 'it is no checkpoint');
    const { origin, size, root } = said;
    const keys = this.options.keysOf?.(origin);
    if (keys?.length === 0) return refusal('unknown_log', `no key is known of a log ${origin}`);
    const signed = keys ? verifyCheckpoint(note, keys) : said;
    if (typeof signed === 'string') return refusal('not_signed', signed);
    if (oldSize > size) return refusal('malformed', 'its size is less than the old one');
    const seen = await this.seen(origin);
    const newest = largestOf(seen);
    const other = seen.find((one) => one.size === size && !one.root.equals(root));
    if (other) return { ...(await this.keep(note, said, other, 'other_root')), size: newest?.size ?? 0 };
    if ((newest?.size ?? 0) !== oldSize) return { answer: 'other_size', size: newest?.size ?? 0 };
    const oldRoot = newest?.root ?? EMPTY_ROOT;
    if (!isConsistent({ oldSize, oldRoot, newSize: size, newRoot: root, path })) {
      if (oldSize === size) return refusal('inconsistent', 'a proof where none is needed');
      return this.keep(note, said, newest, 'inconsistent');
    }
    const completed = this.options.completed?.(note) ?? note;
    await append(this.place(origin, 'seen'), { origin, at: this.now().toISOString(), note: completed });
    return { answer: 'taken', note: completed };
  }

  private async keep(
    note: string,
    { origin, size }: Checkpoint,
    seen: Checkpoint | undefined,
    why: 'other_root' | 'inconsistent',
  ): Promise<BookRefused> {
    const before = seen ? `the one of ${seen.size} events that was signed at ${seen.time}` : 'an empty log';
    const problem =
      why === 'other_root'
        ? `a checkpoint of ${size} events with another root than ${before}`
        : `a checkpoint of ${size} events that does not extend ${before}`;
    const kept = await this.refused(origin);
    const text = rootLine(note);
    if (kept.length < REFUSED_MAX && !kept.some((one) => rootLine(one.note) === text)) {
      const received_at = this.now().toISOString();
      await append(this.place(origin, 'refused'), { note, problem, is_proof: why === 'other_root', received_at });
    }
    return { answer: 'refused', why, problem, size: seen?.size ?? 0 };
  }

  /** The last few hundred, all of the log as it is since it began anew. */
  private async seen(origin: string): Promise<Seen[]> {
    const place = this.place(origin, 'seen');
    return sinceAnew(await linesOf<SeenLine>(place, TAIL_BYTES)).map(({ note }) => {
      const checkpoint = readCheckpoint(note);
      if (checkpoint?.origin !== origin) throw new Error(`${place} has a line of another log`);
      return { ...checkpoint, note };
    });
  }

  private place(origin: string, kind: 'seen' | 'refused'): string {
    return join(this.options.directory, `${originHash(origin)}.${kind}`);
  }
}

const refusal = (why: BookRefusal, problem: string): BookRefused => ({ answer: 'refused', why, problem, size: 0 });

function sinceAnew<Line extends object>(lines: readonly (Line | AnewLine)[]): Exclude<Line, AnewLine>[] {
  const since = lines.slice(lines.findLastIndex((line) => 'anew' in line) + 1);
  return since as Exclude<Line, AnewLine>[];
}

const largestOf = (seen: readonly Seen[]): Seen | undefined =>
  seen.reduce<Seen | undefined>((largest, one) => (one.size > (largest?.size ?? -1) ? one : largest), undefined);

/** Origin, size and root, without the time and the signatures. */
const rootLine = (note: string) => note.split('\n', 3).join('\n');

/** Durable when it resolves. */
async function append(place: string, line: object): Promise<void> {
  const file = await open(place, 'a+');
  try {
    const { size } = await file.stat();
    const last = Buffer.alloc(1);
    if (size > 0) await file.read(last, 0, 1, size - 1);
    // After a line that a crash has cut off.
    const begin = size > 0 && last.toString() !== '\n' ? '\n' : '';
    await file.appendFile(`${begin}${JSON.stringify(line)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** The last whole lines of a file. @throws when one that was completed is damaged: what can't be read must not pass for nothing */
async function linesOf<Line>(place: string, bytesMax: number): Promise<Line[]> {
  const file = await open(place, 'r').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  });
  if (!file) return [];
  try {
    const { size } = await file.stat();
    const length = Math.min(size, bytesMax);
    const bytes = Buffer.alloc(length);
    await file.read(bytes, 0, length, size - length);
    const lines = bytes.toString('utf8').split('\n');
    // The part after the last line feed is empty, or a line that a crash cut off; the first may have begun before.
    lines.pop();
    if (length < size) lines.shift();
    return lines.flatMap((line) => parsed<Line>(place, line));
  } finally {
    await file.close();
  }
}

/** A line that a crash cut off and that others were added to begins as one and does not end as one. */
function parsed<Line>(place: string, line: string): Line[] {
  try {
    return [JSON.parse(line) as Line];
  } catch {
    if (line.startsWith('{') && !line.endsWith('}')) return [];
    throw new Error(`${place} has a line that is damaged`);
  }
}
