import { table } from '@stablecoin/command-line/table';
import { tokenOf } from '@stablecoin/chains/tokens';
import { toLedgerAmount } from '@stablecoin/chains/units';
import { TransferAttemptView, WholeTransferView } from '@stablecoin/contracts/chain/get-transfer';
import { TransferView } from '@stablecoin/contracts/chain/views';
import { coinsText } from './coins-text';

export function amountText({ network, currency, units }: TransferView): string {
  const token = currency === null ? undefined : tokenOf(network, currency);
  return token ? `${toLedgerAmount(token, BigInt(units)).amount} ${token.currency}` : coinsText(network, units);
}

/** What is known of it, a line each; what is not is left out. */
export function transferText(transfer: WholeTransferView): string {
  const { network, block_number, confirmations, fee_wei, attempts } = transfer;
  const said: [string, string | number | null][] = [
    ['name', transfer.reference],
    ['kind', `${transfer.kind} on ${network}`],
    ['amount', `${amountText(transfer)} (${transfer.units} units)`],
    ['from', transfer.from_address],
    ['to', transfer.to_address],
    ['address index', transfer.deposit_address_index],
    ['state', transfer.state],
    ['held by', transfer.held_by],
    ['failure', transfer.failure],
    ['nonce', transfer.nonce],
    ['transaction', transfer.transaction_hash],
    ['block', block_number === null ? null : `${block_number}, ${confirmations} confirmations`],
    ['fee', fee_wei === null ? null : coinsText(network, fee_wei)],
    ['cancelled', cancellationOf(transfer)],
    ['ordered', transfer.created_at],
    ['sent', transfer.sent_at],
    ['changed', transfer.updated_at],
  ];
  const lines = said.filter(([, value]) => value !== null).map(([name, value]) => `${name.padEnd(14)}${value}`);
  return [...lines, attempts.length === 0 ? 'No transaction was made for it.' : attemptTable(attempts)].join('\n');
}

const cancellationOf = ({ cancelled_by, cancelled_at, cancel_reason }: WholeTransferView): string | null =>
  cancelled_by === null ? null : `${cancelled_at ?? '-'} by ${cancelled_by}: ${cancel_reason ?? '-'}`;

function attemptTable(attempts: readonly TransferAttemptView[]): string {
  const rows = attempts.map((attempt) => [
    ...[String(attempt.number), attempt.cancels ? 'cancels' : 'moves', attempt.transaction_hash ?? attempt.refused],
    ...[String(attempt.gas), attempt.max_fee_per_gas, attempt.max_priority_fee_per_gas],
    ...[attempt.created_at, attempt.broadcast_at],
  ]);
  return table(['NO', 'WHAT', 'TRANSACTION OR REFUSAL', 'GAS', 'MAX FEE', 'PRIORITY', 'MADE', 'SENT'], rows);
}
