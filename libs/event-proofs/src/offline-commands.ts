/**
 * The commands verify-proof, verify-consistency and verify-liability: they read files and a public key, and print text or JSON. Exit
 * codes: 0 proved, 1 not proved, 2 wrong usage.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { VerifiedCheckpoint } from './checkpoint';
import { isObject, unwrapped } from './proof-documents';
import { parseTrustedKey, TrustedKey } from './signed-note';
import { isStep, StatedEvent, Statement } from './statement';
import { isOfTest } from './liabilities/liability-statement';
import { printUnits } from './liabilities/sum-tree';
import { ProvedLiability, verifyLiability } from './liabilities/verify-liability';
import { verifyConsistency } from './verify-consistency';
import { ProofRefused } from './proven-events';
import { ProvedTransaction, verifyProof } from './verify-proof';

export const OFFLINE_COMMANDS = ['verify-proof', 'verify-consistency', 'verify-liability'];

const HELP = `Usage:
  verify-proof FILE --key PUBLIC_KEY [--json]
  verify-consistency OLD NEW --key PUBLIC_KEY [--json]
  verify-liability FILE --key PUBLIC_KEY [--json]

FILE   a proof: what GET /audit/proofs/{transaction_id} answered, or audit prove wrote; of a liability, what
       GET /audit/liabilities/{wallet_id} answered
OLD    the checkpoint that you kept: its text, or a proof that holds it
NEW    what GET /audit/consistency answered, or audit prove-consistency wrote
--key  a public key that you trust, as base64 or in the form of signed notes; repeat it after a change of keys

None needs a network or a database. Exit codes: 0 proved, 1 not proved, 2 wrong usage.
`;

export interface CommandOutcome {
  code: 0 | 1 | 2;
  out: string;
  err: string;
}

interface Findings {
  json: object;
  text: string;
}

class WrongUsage extends Error {}

export function runOfflineCommand(args: readonly string[]): CommandOutcome {
  let json = args.includes('--json');
  try {
    const { values, positionals } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
    if (values.help) return { code: 0, out: HELP, err: '' };
    json = values.json ?? false;
    const [command, ...files] = positionals;
    const keys = trustedKeys(values.key ?? []);
    const { json: object, text } = findings(command, files, keys);
    return { code: 0, out: json ? `${JSON.stringify({ ok: true, ...object })}\n` : `${text}\n`, err: '' };
  } catch (error) {
    const message = (error as Error).message;
    if (!(error instanceof ProofRefused)) return { code: 2, out: '', err: `${message}\n` };
    const out = json ? `${JSON.stringify({ ok: false, problem: message })}\n` : `NOT proved: ${message}.\n`;
    return { code: 1, out, err: '' };
  }
}

const OPTIONS = {
  key: { type: 'string', multiple: true },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

function findings(command: string | undefined, files: readonly string[], keys: readonly TrustedKey[]): Findings {
  const [first, second] = files;
  if (command === 'verify-proof' && first !== undefined && files.length === 1) {
    return provedTransaction(verifyProof(jsonOf(first), keys));
  }
  if (command === 'verify-consistency' && first !== undefined && second !== undefined && files.length === 2) {
    const { old, new: grown } = verifyConsistency(checkpointOf(first), jsonOf(second), keys);
    const text = `Proved: nothing of what was signed at ${old.time} has changed by ${grown.time}.`;
    return { json: { old: printed(old), new: printed(grown) }, text: [text, lineOf(old), lineOf(grown)].join('\n') };
  }
  if (command === 'verify-liability' && first !== undefined && files.length === 1) {
    return provedLiability(verifyLiability(jsonOf(first), keys));
  }
  throw new WrongUsage(HELP);
}

function trustedKeys(texts: readonly string[]): TrustedKey[] {
  if (texts.length === 0) throw new WrongUsage('Name the public key that you trust with --key.');
  return texts.map((text) => {
    const key = parseTrustedKey(text.trim());
    if (!key) throw new WrongUsage('--key takes 32 bytes in base64, or a key in the form name+id+base64.');
    return key;
  });
}

function jsonOf(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) throw new ProofRefused(`${file} holds no JSON`);
    throw error;
  }
}

/** A file may be the checkpoint alone, or any document with one in it. */
function checkpointOf(file: string): string {
  const text = readFileSync(file, 'utf8');
  if (!text.startsWith('{')) return text;
  const document = unwrapped(jsonOf(file));
  return String(isObject(document) ? (document['checkpoint'] ?? document['new']) : undefined);
}

function provedTransaction({ checkpoint, opening, statuses, events }: ProvedTransaction): Findings {
  const { transaction_id, id, transaction_type, transaction_mode, amount, currency, fee } = opening;
  const merchant = events[0]?.statement.merchant_id;
  const lines = [
    `Proved: transaction ${transaction_id} (${id}) of merchant ${merchant}`,
    `${transaction_type} ${transaction_mode} ${amount} ${currency}${fee === undefined ? '' : `, fee ${fee}`}`,
    ...statuses.map(({ status, recorded_at, position }) => `${status} since ${recorded_at}, position ${position}`),
    '',
    ...events.map(({ statement, balance }) => eventLine(statement, balance)),
    '',
    'In every group of events the debits equal the credits.',
    lineOf(checkpoint),
    'This shows what is in the log up to there. It can not show that nothing has happened since.',
  ];
  return {
    json: {
      transaction: opening,
      merchant_id: merchant,
      statuses,
      positions: events.map(({ statement }) => statement.position),
      checkpoint: printed(checkpoint),
    },
    text: lines.join('\n'),
  };
}

function provedLiability({ liability, currency, owed, stated, statement }: ProvedLiability): Findings {
  const { origin, number, time, keyId, shards } = statement;
  const [balance, held] = [printUnits(liability.balance), printUnits(liability.held)];
  const root = stated.root.toString('hex');
  const mode = isOfTest(stated.currency) ? 'test' : 'live';
  const whose = statement.form === 1 ? '' : ` to ${mode} merchants`;
  const lines = [
    `Proved: wallet ${liability.wallet_id} counts ${printUnits(owed)} of the ${printUnits(stated.sum)} ${currency} that are owed${whose}`,
    `its balance ${balance}, and ${held} held for payouts that were pending`,
    '',
    `Statement ${number} of ${time} by ${origin}, root ${root}, signed with key ${keyId}`,
    ...shards.map((place) => `  shard ${place.shard} up to position ${place.size}, root ${place.root.toString('hex')}`),
    'This shows that the sum contains this wallet. Whether it contains all others, their owners and an auditor can check.',
  ];
  const wallet = {
    wallet_id: liability.wallet_id,
    currency,
    balance,
    held,
    owed: printUnits(owed),
    ...(whose && { mode }),
  };
  return {
    json: {
      ...wallet,
      statement: {
        ...{ origin, number, time, key_id: keyId, sum: printUnits(stated.sum), root },
        shards: shards.map(({ root: logRoot, ...place }) => ({ ...place, root: logRoot.toString('hex') })),
      },
    },
    text: lines.join('\n'),
  };
}

function eventLine({ position, movement, event }: Statement, balance: string | undefined): string {
  const after = balance === undefined ? '' : `, balance ${balance}`;
  return `  ${position}  ${movement}  ${wordsOf(event)}${after}`;
}

function wordsOf(event: StatedEvent): string {
  if (isStep(event)) return event.type;
  if (event.type === 'TransactionStatusChanged') return `${event.from ?? 'new'} → ${event.to}  ${event.account_id}`;
  const side = event.type === 'DebitPosted' ? 'debit ' : 'credit';
  return `${side} ${event.amount} ${event.currency}  ${event.account_id}`;
}

const lineOf = ({ origin, size, root, time, keyId }: VerifiedCheckpoint) =>
  `Checkpoint of ${time}: ${size} events of ${origin}, root ${root.toString('hex')}, signed with key ${keyId}`;

const printed = ({ origin, size, root, time, keyId }: VerifiedCheckpoint) => ({
  origin,
  size,
  root: root.toString('hex'),
  time,
  key_id: keyId,
});
