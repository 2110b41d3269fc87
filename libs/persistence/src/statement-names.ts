/**
 * Names for statements, so that Postgres parses and plans each text once per connection instead of once per execution.
 * A text is named when it comes again: what comes once, a list of as many parameters as it has members, would only
 * take the database's memory. Names are never given up, for a connection keeps what it has prepared until it ends;
 * when all are taken, further texts stay without.
 */
const NAMED_MAX = 512;
const SEEN_ONCE_MAX = 2_048;

export class StatementNames {
  private readonly names = new Map<string, string>();
  private seenOnce = new Set<string>();

  /** The same for the same text, in every connection; undefined for a text that is to be sent without a name. */
  nameOf(text: string): string | undefined {
    const name = this.names.get(text);
    if (name !== undefined || this.names.size >= NAMED_MAX) return name;
    if (this.seenOnce.delete(text)) return this.given(text);
    if (this.seenOnce.size >= SEEN_ONCE_MAX) this.seenOnce.clear();
    this.seenOnce.add(text);
    return undefined;
  }

  private given(text: string): string {
    const name = `statement_${this.names.size + 1}`;
    this.names.set(text, name);
    if (this.names.size >= NAMED_MAX) this.seenOnce = new Set();
    return name;
  }
}
