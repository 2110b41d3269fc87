import { counted, grouped, Report, table } from '../report/report';
import { isEqual, TableComparison } from '../rebuild/compare-tables';
import { tableLines } from '../rebuild/compare-tables.report';
import { ShardOutcome } from '@stablecoin/ledger-log/rebuild/rebuild-log';
import { CheckpointOutcome } from './checkpoint-outcome';
import { LogFault } from '@stablecoin/ledger-log/log/fault';
import { FollowingOutcome } from './following-check';
import { PublishedBeyond } from './published-beyond';
import { CopyBeingMade } from './rebuilt-copies';
import { CopyOutcome } from './shard-copies';
import { StrayedMerchant } from './strayed-merchants';
import { Verification } from './verify';
import { WitnessOutcome } from './witnesses';

/** A line of a table has more spaces after its mark. */
const SENTENCE = /^!! (?! )/;

export function verificationReport(found: Verification, elapsedMs: number): Report {
  const first_fault =
    [...found.shards, ...found.checkpoints].find(({ fault }) => fault)?.fault ??
    found.missing[0] ??
    found.copies.map(({ shard, fault }) => fault && { shard, ...fault }).find((fault) => fault !== null) ??
    found.booked_twice[0] ??
    found.strayed?.[0] ??
    found.closed_for_others[0] ??
    found.ended_by_others[0] ??
    found.unsigned[0] ??
    found.prices?.faults[0] ??
    found.witnesses.map(({ shard, fault }) => fault && { shard, ...fault }).find((fault) => fault !== null) ??
    null;
  const seconds = elapsedMs / 1000;
  const verdict = found.ok
    ? `Intact: ${counted(found.events, 'event')}, and every table that answers a caller follows from the log.`
    : 'NOT intact: see the lines marked with !!';
  const others = otherLines(found);
  const what_to_do = whatToDo(found);
  return {
    ok: found.ok,
    json: { ...found, first_fault, seconds, findings: findingsOf(found, others), what_to_do },
    text: [
      table(found.shards.map(shardLine)),
      ...others,
      `${verdict} ${seconds.toFixed(1)} s`,
      ...what_to_do.map((one) => `What to do: ${one}`),
    ].join('\n'),
  };
}

/** What the text marks with !!, one sentence each. */
function findingsOf({ shards, tables, derived }: Verification, others: readonly string[]): string[] {
  const inLog = shards.flatMap(({ fault }) =>
    fault ? [`shard ${fault.shard} position ${grouped(fault.position)}: ${fault.problem}`] : [],
  );
  const marked = others.flatMap((line) => (SENTENCE.test(line) ? [line.replace(SENTENCE, '')] : []));
  return [...inLog, ...marked, ...[...tables, ...derived].filter((each) => !isEqual(each)).map(tableFinding)];
}

function tableFinding({ table: name, missing, surplus, differing, first }: TableComparison): string {
  const rows = first.map(({ key, kind, columns }) =>
    columns.length > 0 ? `${kind} ${key} in ${columns.join(', ')}` : `${kind} ${key}`,
  );
  const named = rows.length > 0 ? `: ${rows.join('; ')}` : '';
  return `${name}: ${missing} missing, ${surplus} surplus, ${differing} differing${named}`;
}

function otherLines(found: Verification): string[] {
  const beyond = found.published_beyond.map(
    ({ shard, published, logged }) =>
      `!! shard ${shard}: published up to position ${published}, but the log ends at ${logged}`,
  );
  const barred = found.barred.map(({ shard, problem }) => `!! shard ${shard} ${problem}`);
  const sums = found.sums.map(({ shard, of, problem }) => `!! shard ${shard}: ${of}: ${problem}`);
  const schema = found.schema.map(({ of, problem }) => `!! ${of}: ${problem}`);
  const indexes = found.indexes.faults.map(({ of, problem }) => `!! ${of}: ${problem}`);
  const shared = found.shared_addresses.map(
    ({ address, wallets }) =>
      `!! deposit address ${address} is that of ${wallets.length} wallets: ${wallets.join(', ')}`,
  );
  const commands = found.commands.map(
    ({ shard, position, command_id, problem }) =>
      `!! ${position === null ? '' : `shard ${shard} position ${grouped(position)}: `}command ${command_id} ${problem}`,
  );
  const torn = found.torn.map(({ shard, problem }) => `!! shard ${shard} ${problem}`);
  const inLog = [...found.booked_twice, ...(found.strayed ?? []), ...found.closed_for_others, ...found.ended_by_others];
  const faults = [...found.missing, ...inLog, ...found.unsigned, ...(found.prices?.faults ?? [])].map(
    ({ shard, position, problem }) => `!! shard ${shard} position ${grouped(position)}: ${problem}`,
  );
  const signed = found.checkpoints.flatMap((outcome) => [checkpointLine(outcome), ...nodesLine(outcome)]);
  const tables = tableLines([...found.tables, ...found.derived]);
  return [
    ...torn,
    ...signed,
    ...found.copies.map(copyLine),
    ...found.copies_being_made.map(beingMadeLine),
    ...liabilityLines(found),
    ...faults,
    ...actsLines(found),
    ...found.witnesses.flatMap(witnessLines),
    ...beyond,
    ...barred,
    ...sums,
    ...schema,
    ...loginLines(found),
    ...indexes,
    ...shared,
    ...commands,
    ...found.following.flatMap(followingLines),
    ...tables,
    ...indexesLine(found),
    ...evidenceLine(found),
    ...pricesLine(found),
    ...unloggedLine(found),
  ];
}

function copyLine({ shard, database, log, events, fault }: CopyOutcome): string {
  if (fault) return `!! shard ${shard} position ${grouped(fault.position)}: ${fault.problem}`;
  return `   shard ${shard}: the copy on ${database} is the log on ${log} up to position ${grouped(events)}`;
}

const beingMadeLine = ({ shard, database }: CopyBeingMade): string =>
  `   shard ${shard}: a move has begun the copy on ${database}; operator shards move ends it`;

function followingLines({ shard, end, searches, charts, faults }: FollowingOutcome): string[] {
  if (faults.length > 0)
    return faults.map(({ position, problem }) => `!! shard ${shard} position ${grouped(position)}: ${problem}`);
  const up = `searches have it up to position ${grouped(searches)}, charts up to position ${grouped(charts)}`;
  return [`   shard ${shard}: ${counted(end, 'event')}, ${up}`];
}

function nodesLine({ shard, nodes_differing }: CheckpointOutcome): string[] {
  if (nodes_differing === 0) return [];
  return [`!! shard ${shard}: ${counted(nodes_differing, 'stored node')} of its tree not as the log says`];
}

function witnessLines({ witness, shard, size, time, unproven, fault }: WitnessOutcome): string[] {
  const seen = time === null ? 'nothing' : `it up to position ${grouped(size)}, as signed at ${time}`;
  const open = `${counted(unproven, 'signed checkpoint')} that it was not shown to extend what it had`;
  return [
    fault
      ? `!! shard ${shard} position ${grouped(fault.position)}: ${fault.problem}`
      : `   shard ${shard}: witness ${witness} has seen ${seen}`,
    ...(unproven > 0 ? [`   shard ${shard}: witness ${witness} has refused ${open}`] : []),
  ];
}

function liabilityLines({ liabilities }: Verification): string[] {
  if (!liabilities) return [];
  const { signed, verified, time, faults } = liabilities;
  const wrong = faults.map(({ number, problem }) => `!! statement ${grouped(number)} of liabilities: ${problem}`);
  if (time === null) return [...wrong, '   no statement of liabilities'];
  const made = `${counted(verified, 'newest one')} made anew from the log`;
  return [...wrong, `   liabilities: ${counted(signed, 'statement')} signed up to ${time}, ${made}`];
}

function actsLines({ acts }: Verification): string[] {
  if (!acts) return [];
  if (acts.faults.length > 0) return acts.faults.map((fault) => `!! operators' acts: ${fault}`);
  return [`   ${counted(acts.agreeing, 'policy change')} as the operators' acts say`];
}

function loginLines({ logins }: Verification): string[] {
  if (!logins)
    return ["   logins with the ledger's rights were not looked for: --logins says which are the deployment's"];
  if (logins.faults.length > 0) return logins.faults.map(({ of, problem }) => `!! ${of}: ${problem}`);
  return [`   ${counted(logins.with_rights, 'login')} with the ledger's rights, all of them named by the deployment`];
}

function indexesLine({ indexes: { read, unread, faults } }: Verification): string[] {
  if (faults.length > 0) return [];
  const others = unread.length > 0 ? `; not looked at: ${unread.join(', ')}` : '';
  return [`   ${grouped(read)} indexes find the rows that their tables have${others}`];
}

function evidenceLine({ evidence: { checked, unchecked } }: Verification): string[] {
  if (unchecked > 0) {
    const stated = counted(unchecked, 'statement');
    return [`   ${stated} of services, whose signatures were not checked: COMMAND_EVIDENCE_KEYS is not set`];
  }
  return checked > 0 ? [`   ${counted(checked, 'statement')} of services, each signed by one of its keys`] : [];
}

function pricesLine({ prices }: Verification): string[] {
  if (!prices)
    return ['   prices of swaps were not judged: --swap-prices-since says from when on the bounds of today hold'];
  return prices.judged > 0 && prices.faults.length === 0
    ? [`   ${counted(prices.judged, 'swap')} at prices within what bounds them`]
    : [];
}

function unloggedLine({ unlogged_results }: Verification): string[] {
  if (!unlogged_results) return [];
  const what = counted(unlogged_results, 'stored result');
  return [
    `   ${what} of commands that changed nothing: as the log says in all that never changes, the rest has no event`,
  ];
}

/**
 * Instructions for the operator on call. A log that can't be trusted is the one finding that counts: each such shard gets one
 * paragraph, for the gravest, and nothing is said of what was made from it. Only a log that is whole and signed may be built
 * upon.
 */
function whatToDo(found: Verification): string[] {
  const untrusted = untrustedShards(found);
  const tables = [...mendResults(found), ...mendTables(found), ...mendLiabilities(found)];
  const advice =
    [
      untrusted,
      mendSchema(found),
      mendLogins(found),
      mendIndexes(found),
      mendPolicies(found),
      mendAddresses(found),
      freeBarred(found),
      tables,
      mendFollowing(found),
    ].find((each) => each.length > 0) ?? [];
  return advice;
}

function untrustedShards(found: Verification): string[] {
  const byShard = new Map<number, string>();
  const say = (shard: number, sentence: string) => {
    if (!byShard.has(shard)) byShard.set(shard, sentence);
  };
  const strayedAt = (shard: number) =>
    found.strayed
      ?.filter((one) => [one.shard, one.other_shard].includes(shard))
      .map((one) => strayedMerchant(found, one))[0];
  for (const { shard, advice } of found.torn) say(shard, advice);
  for (const { fault } of found.shards) if (fault) say(fault.shard, strayedAt(fault.shard) ?? brokenLog(fault));
  for (const { fault } of found.checkpoints) if (fault) say(fault.shard, rewrittenLog(fault));
  for (const fault of found.missing) say(fault.shard, lostShard(fault));
  for (const copy of found.copies) if (copy.fault) say(copy.shard, otherCopy(copy));
  for (const beyond of found.published_beyond) say(beyond.shard, lostTail(beyond));
  for (const fault of found.booked_twice) say(fault.shard, twiceInLog(fault));
  for (const fault of found.strayed ?? []) say(fault.shard, strayedMerchant(found, fault));
  for (const fault of found.closed_for_others) say(fault.shard, closedForAnother(fault));
  for (const fault of found.ended_by_others) say(fault.shard, endedByAnother(fault));
  for (const fault of found.unsigned) say(fault.shard, unsignedLog(fault));
  for (const fault of found.prices?.faults ?? []) say(fault.shard, unboundedPrice(fault));
  for (const outcome of found.witnesses) if (outcome.fault) say(outcome.shard, unwitnessedLog(outcome));
  return [...new Set([...byShard].sort(([one], [other]) => one - other).map(([, sentence]) => sentence))];
}

const believedWord = (service: string, { shard, position }: LogFault) =>
  `The log of shard ${shard} can be trusted up to position ${grouped(position - 1)} and no further: a ledger of a version before has ` +
  `believed what ${service} stated. Stop wallet-ledger, update it, change the keys of ${service}, find out who had them and which ` +
  `merchant asked (npm run audit -- export --shard ${shard} --after ${position - 1}), and restore the database to a moment before.`;

const brokenLog = ({ shard, position, stated_by, ...fault }: LogFault) =>
  stated_by
    ? believedWord(stated_by, { shard, position, ...fault })
    : `The log of shard ${shard} can be trusted up to position ${grouped(position - 1)} and no further. Stop ` +
      `wallet-ledger and change nothing. Compare what an older export or a restored backup has from position ` +
      `${grouped(position)} on (npm run audit -- export --shard ${shard} --after ${position - 1}), find out who ` +
      `connected as the database's owner, and restore the database to a moment before.`;

const otherCopy = ({ shard, database, log, fault }: CopyOutcome) =>
  `What ${database} has of shard ${shard} answers no caller, but is not the beginning of the log on ${log} from position ` +
  `${grouped(fault?.position ?? 0)} on. Verify again: a move may be under way. If it is so still, ${log} was restored to a moment ` +
  `before, or one of them was changed: change nothing, look what is signed (npm run audit -- checkpoints), and find out who connected as ` +
  `the owner of ${database}, or of ${log}.`;

const lostTail = ({ shard, published, logged }: PublishedBeyond) =>
  `The end of shard ${shard} is gone: positions ${grouped(logged + 1)} to ${grouped(published)} were published to ` +
  `other services. Stop wallet-ledger, and restore the database to a moment when it had them.`;

const lostShard = ({ shard, position }: LogFault) =>
  `Shard ${shard} is gone from position ${grouped(position)} on, and with it what its merchants own. Stop wallet-ledger before it begins ` +
  `another log there, find out who connected as the database's owner, and restore the database to a moment when it had the shard.`;

const rewrittenLog = ({ shard, position }: LogFault) =>
  `From position ${grouped(position)} on, shard ${shard} is not what the ledger has signed: either the log or the ` +
  `checkpoint was changed by a login with the rights to. Stop wallet-ledger and change nothing. Compare with checkpoints ` +
  `that were kept elsewhere (--checkpoint FILE), and restore the database to a moment before.`;

const twiceInLog = ({ shard, position }: LogFault) =>
  `What shard ${shard} books at position ${grouped(position)} was stated once, and had been booked before: the ledger takes a command ` +
  `and a quote once, and the chain service a transfer, so another program has written this with their rights. Stop wallet-ledger, ` +
  `change its key and that service's, find out who had them, and restore the database to a moment before.`;

function strayedMerchant({ shards }: Verification, { shard, position, other_shard }: StrayedMerchant): string {
  // What a merchant may do is judged by all that its database knows of it, so what one log says may make the other look broken.
  const broken = shards.find(({ fault, ...one }) => fault && [shard, other_shard].includes(one.shard));
  return (
    `One of two logs, that of shard ${shard} from position ${grouped(position)} on or that of shard ${other_shard}, is not this ` +
    `merchant's: the customer service says on which shard it is. Find out who had the keys of the service that asked in the other ` +
    `one: asked_by of its events says which service it is (npm run audit -- export --shard ${shard} --after ${position - 1}). ` +
    `Change these keys; ` +
    (broken
      ? `a rule that seems broken in shard ${broken.shard} may be so by what was asked in the other, so restore nothing before you know.`
      : 'nothing is to be rebuilt.')
  );
}

const closedForAnother = ({ shard, position }: LogFault) =>
  `Position ${grouped(position)} of shard ${shard} closes a customer as another merchant's: the customer service knows whose it is. ` +
  `Update wallet-ledger, for which such a closing closes nothing, change the customer service's keys, and find out who had them: its own ` +
  `merchant can close this customer no more, and nothing is to be rebuilt.`;

const endedByAnother = ({ shard, position }: LogFault) =>
  `A deposit ends at position ${grouped(position)} of shard ${shard} by the word of a service that has never seen it, or under the id of ` +
  `another command: the ledger refuses either, so another program has written this with its rights, and with the key of that service. ` +
  `Stop wallet-ledger, change both keys, ` +
  `find out who had them, and restore the database to a moment before.`;

const unsignedLog = ({ shard, position }: LogFault) =>
  `No signature vouches for shard ${shard} from position ${grouped(position)} on. Ask the ledger to sign it (npm run audit -- ` +
  `checkpoint). If it refuses, its log says why: then these events, or the checkpoints that covered them, were changed by a ` +
  `login with the rights to. Stop wallet-ledger and restore the database to a moment before.`;

const unboundedPrice = ({ shard, position }: LogFault) =>
  `The ledger does not swap at the price of position ${grouped(position)} in shard ${shard}: either SWAP_RATES and the bands were others ` +
  `then, and --swap-prices-since is too early, or another program than the ledger has decided it, with the ledger's key. Then stop ` +
  `wallet-ledger, change its key and swap-pricing's, and find out who had them.`;

const unwitnessedLog = ({ witness, shard, fault }: WitnessOutcome) =>
  `Witness ${witness} does not vouch for shard ${shard} from position ${grouped(fault?.position ?? 0)} on. The log of wallet-ledger ` +
  `says whether it is away, then verify once it is back, or whether it refuses the log: then this log is not the one that it has ` +
  `seen, or the key has signed two. Stop wallet-ledger, change nothing, and ask the witness for all that it has.`;

/** What is said of tables means nothing where the ledger reads others. */
function mendSchema({ schema }: Verification): string[] {
  if (schema.length === 0) return [];
  return [
    "The ledger's login does not see what was compared here: the owner of the tables has changed their schema, as no migration does. " +
      'Stop wallet-ledger, undo what is named, find out who connected as that owner, and verify again before it serves.',
  ];
}

function freeBarred({ barred }: Verification): string[] {
  if (barred.length === 0) return [];
  return [
    'No instance takes such a shard once the one that has it ends, and then each request of its merchants fails. Find out who connected ' +
      "as the owner of the tables, or with the ledger's login; as that owner set reserved_until and lease_expires_at of its row in " +
      'ledger_shards to NULL, or its epoch to what an older backup has and some thousands more, and verify again.',
  ];
}

function mendLogins({ logins }: Verification): string[] {
  if (!logins || logins.faults.length === 0) return [];
  return [
    'A login may do what the ledger may, or more, and is not among those that the deployment has named. If it is yours, name it ' +
      '(--logins, or AUDIT_LOGINS). If not, drop it, find out who made it, by the log of Postgres, and change the password of the owner.',
  ];
}

function mendIndexes({ indexes: { faults } }: Verification): string[] {
  if (faults.length === 0) return [];
  return [
    'What the ledger reads by an index is not what was compared here, and a command whose result an index does not find takes effect ' +
      'twice. Stop wallet-ledger, have Postgres make what is named anew (REINDEX), or drop it where no migration has made it, and verify ' +
      'again before it serves: a disk may be damaged, or who connected as a superuser had the index not kept for a while.',
  ];
}

function mendPolicies({ acts }: Verification): string[] {
  if (!acts || acts.faults.length === 0) return [];
  return [
    'What merchants may pay out is not what operators have stated. Set the policy again that was meant (operator policies set), look ' +
      'at what was paid out meanwhile, and find out who could keep the statement back or had the key of operators.',
  ];
}

function mendAddresses({ shared_addresses }: Verification): string[] {
  if (shared_addresses.length === 0) return [];
  return [
    'Which wallet a deposit there is for can not be told: have the merchants give these addresses to no customer any more, and credit ' +
      'what arrives there by hand. The counter deposit_address_index was set back: find out who connected as the owner of the database.',
  ];
}

function mendResults({ commands }: Verification): string[] {
  if (commands.length === 0) return [];
  return [
    'A command without its result takes effect again if it is sent again, and a changed result is a forged answer. ' +
      'Restore command_results from a backup.',
  ];
}

function mendLiabilities({ liabilities }: Verification): string[] {
  const [first] = liabilities?.faults ?? [];
  if (!first) return [];
  return [
    `Statement ${grouped(first.number)} of liabilities is not what the log says: the tables were wrong when it was signed, or it was ` +
      'changed or removed since, by a login with the rights to. Show no such statement to anybody, compare with statements that ' +
      'were kept elsewhere (--statement FILE); the ledger signs the next one from the tables as they are then.',
  ];
}

function mendTables({ tables, derived, sums, checkpoints, copies_being_made }: Verification): string[] {
  const nodes = checkpoints.some(({ nodes_differing }) => nodes_differing > 0);
  if ([...tables, ...derived].every(isEqual) && sums.length === 0 && !nodes) return [];
  const [begun] = copies_being_made;
  return [
    'The log is whole and signed, so the tables can be made anew while the ledger works: npm run rebuild -- --switch' +
      (begun
        ? `. Before that end the move that has begun there, or has NULL be the mover where there was none (operator shards move ` +
          `${begun.shard} --to ${begun.database})`
        : ''),
  ];
}

function mendFollowing({ following }: Verification): string[] {
  if (following.every(({ faults }) => faults.length === 0)) return [];
  return [
    'Searches and charts show less than the log has: a ledger that runs reads it anew by itself, so verify again after some minutes. ' +
      'If they come no nearer, its log says why. Where no upgrade has filled them lately, find out who connected as the owner of the ' +
      'database.',
  ];
}

function shardLine({ shard, events, head_hash, fault }: ShardOutcome): string[] {
  if (fault) return ['!!', `shard ${shard}`, `position ${grouped(fault.position)}`, fault.problem];
  return ['  ', `shard ${shard}`, counted(events, 'event'), `head ${head_hash.slice(0, 16)}…`];
}

function checkpointLine({ shard, verified, size, time, fault }: CheckpointOutcome): string {
  if (fault) return `!! shard ${shard} position ${grouped(fault.position)}: ${fault.problem}`;
  if (time === null) return `   shard ${shard}: no checkpoint`;
  return `   shard ${shard}: as signed up to position ${grouped(size)} at ${time}, ${counted(verified, 'checkpoint')}`;
}
