/**
 * What was signed, in a file that only ever grows. A line is the hash of the line before and of its own text, a space, and
 * that text, JSON; the first names what the journal is of. An entry counts when `append` resolves:
 *
 * | step   | writes                    | after a kill behind it                                              |
 * |--------|---------------------------|---------------------------------------------------------------------|
 * | append | the line, flushed         | kept where it is whole, else cut off: no caller had its answer      |
 * | check  | nothing                   | the same; a file that is longer than it must be has a second writer |
 * | head   | number and hash, flushed  | kept                                                                |
 *
 * So at a start everything up to the head must be as it was written, byte for byte, and one line at the most may follow.
 * Whatever else is found ends the start. The hashes notice accidents, a restored older copy and an edited line; who can
 * write in the folder and knows how can still make a journal that fits.
 *
 * After a failed append it isn't known what the disk has: the journal takes no more, until a new start has read it.
 */
import { createHash } from 'node:crypto';
import { createReadStream, mkdirSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { type Head, readHead, writeHead } from './journal-head';
import { lockJournal } from './journal-lock';
import { JournalRefusal } from './journal-refusal';

const GENESIS: Head = { lines: 0, hash: '0'.repeat(64) };
const HASH_CHARACTERS = 64;
const NEWLINE = 0x0a;
/** An entry has some 700 bytes. */
const LINE_BYTES_MAX = 16_384;
const READ_BYTES = 2 ** 20;

interface JournalDefinition {
  directory: string;
  /** Of what: a journal of another one is refused. */
  of: string;
  /** Called for each entry, in order, while the journal is opened. */
  onEntry: (entry: unknown) => void;
}

export class Journal {
  private readonly log = new Logger(Journal.name);
  private head = GENESIS;
  /** In bytes. */
  private length = 0;
  private failed = false;

  private constructor(
    private readonly definition: JournalDefinition,
    private readonly file: FileHandle,
    private readonly headFile: FileHandle,
    private readonly unlock: () => Promise<void>,
  ) {}

  /** @throws JournalRefusal where it is in use, damaged, cut off, or another's */
  static async open(definition: JournalDefinition): Promise<Journal> {
    const { directory } = definition;
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const unlock = await lockJournal(directory);
    const opened: FileHandle[] = [];
    try {
      const file = await open(join(directory, 'journal'), 'a+', 0o600);
      opened.push(file);
      const headFile = await openInPlace(join(directory, 'head'));
      opened.push(headFile);
      const journal = new Journal(definition, file, headFile, unlock);
      await journal.read();
      return journal;
    } catch (error) {
      await Promise.all(opened.map((file) => file.close()));
      await unlock();
      throw error;
    }
  }

  /** False once an append has failed. */
  get takesEntries(): boolean {
    return !this.failed;
  }

  /** Resolves when the entry is on disk; one at a time. */
  async append(entry: object): Promise<void> {
    if (this.failed) throw new Error('The journal takes no entries: an append failed, and no start has read it since');
    this.failed = true;
    await this.write(entry);
    this.failed = false;
  }

  async close(): Promise<void> {
    await Promise.all([this.file.close(), this.headFile.close()]);
    await this.unlock();
  }

  private async write(entry: object): Promise<void> {
    const text = JSON.stringify(entry);
    const hash = hashOf(this.head.hash, text);
    const line = Buffer.from(`${hash} ${text}\n`);
    if (line.length > LINE_BYTES_MAX) throw new Error('An entry is longer than a line of the journal');
    const { bytesWritten } = await this.file.write(line);
    if (bytesWritten !== line.length) throw new Error('A line of the journal could not be written whole');
    await this.file.sync();
    await this.requireLength(this.length + line.length);
    this.head = { lines: this.head.lines + 1, hash };
    this.length += line.length;
    await writeHead(this.headFile, this.head);
  }

  /** Of two processes that append at once, the later one finds the file longer than it left it, and must not answer. */
  private async requireLength(expected: number): Promise<void> {
    const { size } = await this.file.stat();
    if (size !== expected) throw new Error('Another process writes into the journal: end all signers but one');
  }

  private async read(): Promise<void> {
    const answered = await readHead(this.headFile);
    if (answered === undefined && (await this.file.stat()).size > 0)
      throw this.damaged('its head file is missing or unreadable, so where it ended is not known');
    const tail = await this.readLines(answered?.lines ?? 0, answered?.hash);
    if (answered !== undefined && this.head.lines < answered.lines)
      throw this.damaged(`it ends after line ${this.head.lines}, and ${answered.lines} were answered for`);
    if (tail > 0) {
      this.log.warn(
        `${tail} bytes behind line ${this.head.lines} were cut off: a line that no caller had the answer of`,
      );
      await this.file.truncate(this.length);
      await this.file.sync();
    }
    if (this.head.lines === 0) await this.begin();
    else if ((answered?.lines ?? 0) < this.head.lines) await writeHead(this.headFile, this.head);
  }

  /** The head comes first: a journal with lines has one, whenever its making was cut short. */
  private async begin(): Promise<void> {
    this.log.warn(
      `a new journal begins in ${this.definition.directory}: right for keys that have signed nothing yet; ` +
        'else stop here, and put theirs back',
    );
    await writeHead(this.headFile, GENESIS);
    const directory = await open(this.definition.directory, 'r');
    await directory.sync().finally(() => directory.close());
    await this.write({ journal_of: this.definition.of });
  }

  /** @returns how many bytes behind the last line can't be one */
  private async readLines(answered: number, hash: string | undefined): Promise<number> {
    let rest = Buffer.alloc(0);
    for await (const chunk of createReadStream(join(this.definition.directory, 'journal'), {
      highWaterMark: READ_BYTES,
    })) {
      rest = Buffer.concat([rest, chunk as Buffer]);
      let begin = 0;
      for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE, begin)) {
        if (!this.takeLine(rest.toString('utf8', begin, end), end + 1 - begin, answered, hash)) {
          const { size } = await this.file.stat();
          // At the most one line was never answered for, and it is the last.
          if (size > this.length + end + 1 - begin)
            throw this.damaged(`line ${this.head.lines + 1} is none of its own`);
          return size - this.length;
        }
        begin = end + 1;
      }
      rest = rest.subarray(begin);
      if (rest.length > LINE_BYTES_MAX) throw this.damaged(`line ${this.head.lines + 1} has no end`);
    }
    return rest.length;
  }

  /** @returns false for a line that was not answered for and is not whole */
  private takeLine(line: string, bytes: number, answered: number, answeredHash: string | undefined): boolean {
    const number = this.head.lines + 1;
    const text = line.slice(HASH_CHARACTERS + 1);
    const hash = hashOf(this.head.hash, text);
    if (line !== `${hash} ${text}`) {
      if (number > answered) return false;
      throw this.damaged(`line ${number} is not as it was written`);
    }
    if (number === answered && hash !== answeredHash)
      throw this.damaged(`line ${number} is not the one that was answered for`);
    if (number > answered + 1) throw this.damaged(`its head file is older than it, by more than a line`);
    const entry = JSON.parse(text) as { journal_of?: string };
    if (number > 1) this.definition.onEntry(entry);
    else if (entry.journal_of !== this.definition.of)
      throw new JournalRefusal(
        `SIGNER_JOURNAL_DIRECTORY: the journal in ${this.definition.directory} is of other keys (${entry.journal_of}); ` +
          'name the one of these, or a new folder.',
      );
    this.head = { lines: number, hash };
    this.length += bytes;
    return true;
  }

  private damaged(what: string): JournalRefusal {
    return new JournalRefusal(
      `SIGNER_JOURNAL_DIRECTORY: the journal in ${this.definition.directory} was changed: ${what}. ` +
        'Nothing is signed on it, because a nonce could be given to a second payment: see "The signer\'s journal" in docs/OPERATIONS.md.',
    );
  }
}

const hashOf = (before: string, text: string): string =>
  createHash('sha256').update(Buffer.from(before, 'hex')).update(text).digest('hex');

/** For writing anywhere in it; made where it isn't there. */
async function openInPlace(path: string): Promise<FileHandle> {
  const made = await open(path, 'a', 0o600);
  await made.close();
  return open(path, 'r+');
}
