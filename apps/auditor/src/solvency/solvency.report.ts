import { TransferKind } from '@stablecoin/contracts/chain/views';
import { counted, grouped, Report, table } from '../report/report';
import { Amount, printed, sumOf } from './amounts';
import { Coverage } from './coverage';
import { decisionText, JudgedDecision } from './decisions';
import { isOpen, PlaceNotLookedAt } from './places-not-looked-at';
import { Explanation, EXPLANATIONS, Finding, Line, Order } from './reconcile';
import { NetworkSolvency, Solvency, TokenSolvency } from './solvency';

/** Of each token, in the text; `--json` has all of them. */
const FINDINGS_SHOWN_MAX = 20;

export function solvencyReport({ ok, ledger, networks, notLookedAt, coverage }: Solvency): Report {
  const { statement, keyId } = ledger;
  const known = coverage.map(({ currency }): string => currency);
  const outside = [...ledger.owed].filter(([currency, owed]) => !known.includes(currency) && owed !== 0n);
  return {
    ok,
    json: {
      statement: {
        number: statement.number,
        origin: statement.origin,
        time: statement.time,
        key_id: keyId,
        shards: statement.shards.map(({ shard, size, root }) => ({ shard, size, root: root.toString('hex') })),
      },
      currencies: coverage.map(coverageJson),
      not_on_chains: outside.map(([currency, owed]) => ({ currency, owed: printed(owed) })),
      left_out: [...ledger.owedToLeftOut].map(([currency, owed]) => ({ currency, owed: printed(owed) })),
      networks: networks.map(networkJson),
      not_looked_at: notLookedAt.map(placeJson),
    },
    text: [
      `Statement ${statement.number} of ${statement.time} by ${statement.origin}, signed with key ${keyId}`,
      ...networks.flatMap((network) => ['', ...networkText(network)]),
      '',
      ...notLookedAt.map(placeText),
      ...coverage.flatMap(coverageText),
      ...outside.map(([currency, owed]) => `${printed(owed)} ${currency} are owed, which no chain has.`),
      ...[...ledger.owedToLeftOut].map(
        ([currency, owed]) =>
          `${printed(owed)} ${currency} are owed to merchants left out: play money, which nothing has to cover.`,
      ),
      verdict({ ok, ledger, networks, notLookedAt, coverage }),
    ].join('\n'),
  };
}

function verdict({ ok, networks, notLookedAt, coverage }: Solvency): string {
  if (ok) return 'Covered, and every unit explained.';
  const short = coverage.filter(({ surplus }) => surplus < 0n).map(({ currency }) => currency);
  const findings = networks.flatMap(({ tokens }) => tokens.flatMap((token) => token.findings)).length;
  const open = [...new Set(notLookedAt.filter(isOpen).map(({ network }) => network))];
  return [
    ...(short.length > 0 ? [`!! NOT covered: ${short.join(', ')}.`] : []),
    ...(findings > 0 ? [`!! NOT explained: ${counted(findings, 'difference')} between chain and ledger.`] : []),
    ...(open.length > 0
      ? [`!! NOT looked at: ${open.join(', ')}. Name nodes, or say what is there: --held-elsewhere, or --without.`]
      : []),
  ].join('\n');
}

function networkText({ network, nodes, block, addresses, tokens }: NetworkSolvency): string[] {
  const at = `block ${grouped(block.number)} ${block.hash}`;
  return [
    `${network} at ${at}, by ${nodes.join(' and ')}, ${grouped(addresses)} ${addresses === 1 ? 'address' : 'addresses'}`,
    ...tokens.flatMap(tokenText),
  ];
}

function tokenText(solvency: TokenSolvency): string[] {
  const { token, held, booked, putIn, takenOut, explained, decisions, findings, ordered } = solvency;
  const explanations = Object.entries(EXPLANATIONS)
    .map(([name, about]) => ({ about, ...explained[name as Explanation] }))
    .filter(({ items }) => items > 0);
  const rows = [
    ['held', printed(held), ''],
    ['  put in by us', printed(putIn.amount), items(putIn, 'transfer')],
    ...(takenOut.items > 0 ? [['  taken out by us', printed(takenOut.amount), items(takenOut, 'transfer')]] : []),
    [`  booked through external:${token.network}:${token.currency}`, printed(booked), ''],
    ...explanations.map(({ about, ...line }) => [`  ${about}`, printed(line.amount), items(line, 'transfer')]),
    [
      '  not explained',
      printed(sumOf(findings.map(({ amount }) => amount))),
      items({ items: findings.length }, 'difference'),
    ],
  ];
  return [
    `  ${token.currency}`,
    ...table(rows)
      .split('\n')
      .map((line) => `    ${line}`),
    ...orderedBy(ordered).map(
      ({ kind, state, orders, amount }) => `    ${kind}s ${state}: ${orders}, ${printed(amount)}`,
    ),
    ...decisionsText(decisions).map((line) => `    ${line}`),
    ...findings.slice(0, FINDINGS_SHOWN_MAX).map(({ amount, problem }) => `    !! ${printed(amount)}: ${problem}`),
    ...(findings.length > FINDINGS_SHOWN_MAX
      ? [`    !! and ${findings.length - FINDINGS_SHOWN_MAX} more: --json`]
      : []),
  ];
}

function decisionsText(decisions: readonly JudgedDecision[]): string[] {
  if (decisions.length === 0) return [];
  const shown = decisions.slice(0, FINDINGS_SHOWN_MAX).map((decision) => {
    const act = decision.act ? `act ${decision.act}` : decision.act === null ? 'in NO act' : 'not held against acts';
    return `  ${decision.decided_at} transfer ${decision.deposit} ${decisionText(decision)} (${act})`;
  });
  const more = decisions.length - shown.length;
  return [`decided by operators: ${decisions.length}`, ...shown, ...(more > 0 ? [`  and ${more} more: --json`] : [])];
}

const items = ({ items: count }: Pick<Line, 'items'>, thing: string) => (count === 0 ? '' : counted(count, thing));

interface OrderedLine {
  kind: TransferKind;
  state: 'waiting' | 'sent';
  orders: number;
  amount: Amount;
}

/** What is ordered and not final, by kind: it is still where it was, or in `under way` where its block has come. */
function orderedBy(orders: readonly Order[]): OrderedLine[] {
  const kinds: readonly TransferKind[] = ['payout', 'sweep', 'to-cold'];
  return kinds.flatMap((kind) =>
    (['waiting', 'sent'] as const).flatMap((state) => {
      const those = orders.filter((order) => order.kind === kind && order.state === state);
      return those.length === 0
        ? []
        : [{ kind, state, orders: those.length, amount: sumOf(those.map(({ amount }) => amount)) }];
    }),
  );
}

function placeText(place: PlaceNotLookedAt): string {
  const { network, currency, booked, stated, leftOut } = place;
  const said = [
    ...(stated === null ? [] : [`${printed(stated)} held there as stated, which was not checked`]),
    ...(leftOut ? ['left out'] : []),
    ...(isOpen(place) ? ['NOT looked at'] : []),
  ];
  return [`${network}: ${printed(booked)} ${currency} booked through it`, ...said].join('; ');
}

function coverageText({ currency, owed, elsewhere, held, stated, spokenFor, surplus }: Coverage): string[] {
  const parts = [
    `${printed(owed)} owed`,
    ...(elsewhere > 0n ? [`of it ${printed(elsewhere)} came in on networks that are left out`] : []),
    `${printed(held)} held`,
    ...(stated === 0n ? [] : [`${printed(stated)} held elsewhere, as stated`]),
    ...(spokenFor === 0n ? [] : [`of it ${printed(spokenFor)} spoken for`]),
    surplus < 0n ? `${printed(-surplus)} MISSING` : `${printed(surplus)} more than owed`,
  ];
  return [`${currency}: ${parts.join('; ')}`];
}

const coverageJson = ({ currency, owed, elsewhere, held, stated, spokenFor, surplus }: Coverage) => ({
  currency,
  covered: surplus >= 0n,
  owed: printed(owed),
  owed_elsewhere: printed(elsewhere),
  held: printed(held),
  held_elsewhere: printed(stated),
  spoken_for: printed(spokenFor),
  surplus: printed(surplus),
});

const placeJson = (place: PlaceNotLookedAt) => ({
  network: place.network,
  currency: place.currency,
  booked: printed(place.booked),
  held_as_stated: place.stated === null ? null : printed(place.stated),
  left_out: place.leftOut,
  open: isOpen(place),
});

const networkJson = ({ network, nodes, block, addresses, tokens }: NetworkSolvency) => ({
  network,
  nodes,
  block_number: block.number,
  block_hash: block.hash,
  addresses,
  tokens: tokens.map(tokenJson),
});

const tokenJson = ({
  token,
  held,
  booked,
  putIn,
  takenOut,
  explained,
  decisions,
  findings,
  ordered,
}: TokenSolvency) => ({
  currency: token.currency,
  token: token.address,
  held: printed(held),
  put_in: lineJson(putIn),
  taken_out: lineJson(takenOut),
  booked: printed(booked),
  explained: Object.fromEntries(
    Object.keys(EXPLANATIONS).map((name) => [name.replaceAll('-', '_'), lineJson(explained[name as Explanation])]),
  ),
  ordered: orderedBy(ordered).map(({ amount, ...line }) => ({ ...line, amount: printed(amount) })),
  unexplained: printed(sumOf(findings.map(({ amount }) => amount))),
  decisions: decisions.map(({ act, ...decision }) => ({
    ...decision,
    act: act ?? null,
    held_against_acts: act !== undefined,
  })),
  findings: findings.map(({ amount, problem }: Finding) => ({ amount: printed(amount), problem })),
});

const lineJson = ({ items: count, amount }: Line) => ({ transfers: count, amount: printed(amount) });
