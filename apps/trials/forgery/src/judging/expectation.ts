/**
 * What has to become of a forgery. It is refused; or it takes place and the auditor finds it; or it can't be prevented, and then
 * the table says who notices it and when.
 */
import { assertNever } from '@stablecoin/ledger-domain/assert-never';

export type Expectation =
  | { becomes: 'refused'; by: Refuser; error: string }
  | { becomes: 'found'; names: string; when: string | undefined }
  | { becomes: 'noticed'; by: string; when: string; shows: string };

export type Refuser =
  | 'the gateway'
  | 'the broker'
  | 'the ledger'
  | 'the customer service'
  | 'the signer'
  | 'the payout service'
  | 'Postgres'
  | 'encryption'
  | "the operator's program";

/** What became of a forgery in the running trial. */
export type Evidence =
  | { became: 'refused'; by: Refuser; error: string }
  /** `advice`: the lines of the report that say what to do. */
  | { became: 'found'; report: string; advice: readonly string[] }
  | { became: 'noticed'; shown: string }
  | { became: 'unseen'; what: string };

/** Something must keep it from taking place. @param error a part of what it says */
export const refusedBy = (by: Refuser, error: string): Expectation => ({ becomes: 'refused', by, error });

/**
 * `audit verify` must end with 1 and name it in one sentence.
 *
 * @param names a part of the line that names the place
 * @param when where that is not at once
 */
export const foundByVerify = (names: string, when?: string): Expectation => ({ becomes: 'found', names, when });

/** Nothing prevents it. @param shows a part of what shows it, to whom and when the others say */
export const noticedBy = (by: string, when: string, shows: string): Expectation => ({
  becomes: 'noticed',
  by,
  when,
  shows,
});

/** @returns why the evidence is not what the table says; undefined where it is */
export function contradiction(expected: Expectation, evidence: Evidence): string | undefined {
  const told = evidenceText(evidence);
  switch (expected.becomes) {
    case 'refused':
      if (evidence.became !== 'refused') return `it had to be refused by ${expected.by}, and ${told}`;
      if (evidence.by !== expected.by) return `it had to be refused by ${expected.by}, and ${told}`;
      return evidence.error.includes(expected.error)
        ? undefined
        : `the refusal had to say "${expected.error}", ${told}`;
    case 'found':
      if (evidence.became !== 'found') return `audit verify had to find it, and ${told}`;
      if (!evidence.report.includes(expected.names))
        return `audit verify had to say "${expected.names}", and said: ${evidence.report}`;
      if (evidence.advice.length !== 1)
        return `audit verify had to advise in one sentence, not in ${evidence.advice.length}: ${evidence.advice.join(' ')}`;
      return undefined;
    case 'noticed':
      if (evidence.became !== 'noticed') return `it was to be noticed by ${expected.by}, and ${told}`;
      return evidence.shown.includes(expected.shows)
        ? undefined
        : `"${expected.shows}" had to show it, and what was shown is: ${evidence.shown}`;
    default:
      return assertNever(expected);
  }
}

function evidenceText(evidence: Evidence): string {
  switch (evidence.became) {
    case 'refused':
      return `${evidence.by} refused it: ${evidence.error}`;
    case 'found':
      return `audit verify found it: ${evidence.report}`;
    case 'noticed':
      return `it took place, as this shows: ${evidence.shown}`;
    case 'unseen':
      return `it took place unseen: ${evidence.what}`;
    default:
      return assertNever(evidence);
  }
}

/** As the tables of the report and of the document have it. */
export function expectationText(expected: Expectation): string {
  switch (expected.becomes) {
    case 'refused':
      return `refused by ${expected.by}: \`${expected.error}\``;
    case 'found':
      return `found by \`audit verify\`${expected.when === undefined ? '' : ` ${expected.when}`}: \`${expected.names}\``;
    case 'noticed':
      return `not prevented; ${expected.by} notices ${expected.when}`;
    default:
      return assertNever(expected);
  }
}
