/**
 * What the ledger must have of a schedule's deposits once everything is final: each transfer to a wallet's address once, with
 * its amount, and nothing else; failed and reversed ones only where the chain gave a reason.
 */
import { type EvmNetwork } from '@stablecoin/chains/chains';
import { tokenAt } from '@stablecoin/chains/tokens';
import { toLedgerAmount } from '@stablecoin/chains/units';
import { Money } from '@stablecoin/money/money';
import type { ChainRecord, SeenTransfer } from './chain-record';

export interface TrialWallet {
  id: string;
  currency: 'USDT' | 'USDC';
  /** In lower case. */
  address: string;
}

export interface BookedDeposit {
  wallet_id: string;
  crypto_transaction_id: string;
  /** As the ledger prints it. */
  amount: string;
  status: string;
}

export interface DepositsToJudge {
  network: EvmNetwork;
  wallets: readonly TrialWallet[];
  booked: readonly BookedDeposit[];
  record: ChainRecord;
  /** A node has left out transfers, or whole blocks: what it hid may have been taken for gone, and come again. */
  wereHidden: boolean;
}

interface Credit {
  key: string;
  transfer: SeenTransfer;
}

export function findingsOfDeposits(judged: DepositsToJudge): string[] {
  const { booked, record, wereHidden } = judged;
  const onChain = creditsOf(judged, record.transfers());
  const seen = new Map(creditsOf(judged, record.everSeen()).map(({ key, transfer }) => [key, transfer]));
  const findings: string[] = [];
  const owed = counted(onChain.map(({ key }) => key));
  const given = counted(booked.filter(({ status }) => status === 'COMPLETED').map(keyOfBooked));
  for (const key of new Set([...owed.keys(), ...given.keys()])) {
    const [due, done] = [owed.get(key) ?? 0, given.get(key) ?? 0];
    if (done !== due) findings.push(`${key}: ${due} on the chain, credited ${done} times`);
  }
  for (const deposit of booked) {
    const key = keyOfBooked(deposit);
    const transfer = seen.get(key);
    if (deposit.status === 'PENDING') findings.push(`${key}: still PENDING`);
    if (deposit.status === 'REVERSED' && !(transfer && record.wasFinal(transfer)))
      findings.push(`${key}: REVERSED, so it was credited, and it was never final`);
    const mayHaveFailed = transfer === undefined || record.wasGone(transfer) || wereHidden;
    if (deposit.status === 'FAILED' && !mayHaveFailed)
      findings.push(`${key}: FAILED, and it was never gone from the chain`);
    if (deposit.status === 'REVERSED' && !mayHaveFailed)
      findings.push(`${key}: REVERSED, and it was never gone from the chain`);
  }
  return findings;
}

/** What has been credited before it was final; asked while the schedule runs. */
export function findingsOfHaste({ booked, record, ...judged }: Omit<DepositsToJudge, 'wereHidden'>): string[] {
  const final = record.everSeen().filter((transfer) => record.wasFinal(transfer));
  const credits = new Set(creditsOf({ ...judged, booked, record }, final).map(({ key }) => key));
  return booked
    .filter((deposit) => deposit.status === 'COMPLETED' && !credits.has(keyOfBooked(deposit)))
    .map((deposit) => `${keyOfBooked(deposit)}: credited before it was final`);
}

/** Of each wallet, by its id: what the transfers on the chain come to. */
export function creditedTo(judged: Omit<DepositsToJudge, 'wereHidden'>): Map<string, Money> {
  const sums = new Map(judged.wallets.map(({ id, currency }) => [id, Money.zero(currency)]));
  for (const { wallet, amount } of creditable(judged, judged.record.transfers()))
    sums.set(wallet.id, (sums.get(wallet.id) ?? Money.zero(wallet.currency)).plus(amount));
  return sums;
}

/** Transfers to our addresses that are no wallet's currency, or of no token: each waits for an operator, once. */
export function findingsOfUnrecognised(
  { network, wallets, record }: Pick<DepositsToJudge, 'network' | 'wallets' | 'record'>,
  listed: readonly string[],
): string[] {
  const onChain = record.transfers();
  const credited = new Set(creditable({ network, wallets }, onChain).map(({ transfer }) => transfer));
  const odd = onChain
    .filter((transfer) => wallets.some(({ address }) => address === transfer.to))
    .filter((transfer) => transfer.units > 0n && !credited.has(transfer))
    .map(({ transactionHash, units }) => `${transactionHash} ${units}`);
  return [
    ...odd.filter((each) => !listed.includes(each)).map((each) => `transfer ${each} waits for no operator`),
    ...listed
      .filter((each) => !odd.includes(each))
      .map((each) => `transfer ${each} waits for an operator, and is not there`),
  ];
}

const creditsOf = (judged: Omit<DepositsToJudge, 'wereHidden'>, transfers: readonly SeenTransfer[]): Credit[] =>
  creditable(judged, transfers).map(({ wallet, amount, transfer }) => ({
    key: keyOf(transfer.transactionHash, wallet.id, amount.toString()),
    transfer,
  }));

/** A transfer of a listed token to an address of that token's currency, of more than the ledger's smallest unit. */
function creditable(
  { network, wallets }: Pick<DepositsToJudge, 'network' | 'wallets'>,
  transfers: readonly SeenTransfer[],
): { wallet: TrialWallet; amount: Money; transfer: SeenTransfer }[] {
  return transfers.flatMap((transfer) => {
    const token = tokenAt(network, transfer.token);
    const wallet = wallets.find(({ address }) => address === transfer.to);
    if (!token || !wallet || token.currency !== wallet.currency) return [];
    const amount = Money.parse(wallet.currency, toLedgerAmount(token, transfer.units).amount);
    return amount.isZero() ? [] : [{ wallet, amount, transfer }];
  });
}

const keyOf = (hash: string, wallet: string, amount: string): string => `${amount} of ${hash} to wallet ${wallet}`;
const keyOfBooked = ({ crypto_transaction_id: hash, wallet_id, amount }: BookedDeposit): string =>
  keyOf(hash, wallet_id, amount);

function counted(keys: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}
