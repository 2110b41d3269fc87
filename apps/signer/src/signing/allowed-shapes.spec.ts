// Whatever is asked, in whatever order: a signed transaction, taken apart again by a reader of its own, has one of the
// allowed shapes, and no two of an address and nonce pay differently.

import { isAddress } from '@stablecoin/addresses/validate-address';
import { CHAINS, EVM_NETWORKS, type EvmNetwork } from '@stablecoin/chains/chains';
import { TOKENS } from '@stablecoin/chains/tokens';
import type { Movement } from '@stablecoin/contracts/signer/movement';
import type { SignTransfer } from '@stablecoin/contracts/signer/sign-transfer';
import fc from 'fast-check';
import { parseTransaction } from 'viem/utils';
import { CAPS, COLD, depositAddress, HOT, OTHER_PAYEE, PAYEE, POLICY } from '../testing/requests';
import { SigningMemory } from '../rules/signing-memory';
import { decideSigning } from '../rules/signing-rules';
import { type Hex, signedTransaction } from '../rules/transfer-transaction';

const ZERO = `0x${'0'.repeat(40)}`;
/** Whose it is, signer.int.spec.ts asks. */
const SIGNATURE = { r: `0x${'1'.repeat(64)}`, s: `0x${'2'.repeat(64)}`, yParity: 1 } as const;
const tokenAddresses = TOKENS.map(({ address }) => address.toLowerCase());

const index = fc.integer({ min: 0, max: 3 });
const amount = fc.oneof(
  fc.constantFrom('1', '1000000', '1000000000', '1000000001'),
  fc.bigInt({ min: 1n, max: 10n ** 22n }).map(String),
);
const address = fc.constantFrom(...[PAYEE, OTHER_PAYEE, HOT, COLD, ZERO, depositAddress(0)], ...tokenAddresses);
const currency = fc.constantFrom('USDT', 'USDC');
const movement = fc.oneof(
  fc.record({ kind: fc.constant('payout'), currency, to: address, units: amount }),
  fc.record({ kind: fc.constant('sweep'), currency, units: amount }),
  fc.record({ kind: fc.constant('to-cold'), currency, units: amount }),
  fc.record({ kind: fc.constant('gas'), index, wei: amount }),
  fc.record({ kind: fc.constant('cancel') }),
) as fc.Arbitrary<Movement>;
const request = fc.record({
  network: fc.constantFrom(...EVM_NETWORKS),
  from: fc.oneof(fc.constant({ kind: 'hot' as const }), fc.record({ kind: fc.constant('deposit' as const), index })),
  nonce: fc.integer({ min: 0, max: 3 }),
  gas: fc.constantFrom(21_000, 65_000, 500_000, 1_000_000),
  max_fee_per_gas: fc.constantFrom(20n, 22n, 30n, 199n, 201n, 10_000n).map((gwei) => `${gwei}000000000`),
  max_priority_fee_per_gas: fc.constantFrom(0n, 1n, 2n, 25n).map((gwei) => `${gwei}000000000`),
  movement,
}) as fc.Arbitrary<SignTransfer>;

interface Read {
  sender: Hex;
  to: string;
  value: bigint;
  /** Of a token's transfer, read byte by byte. */
  paid?: { to: string; units: bigint };
}

/** The raw transaction as a node reads it, and what its data says without any library's help. */
function read(raw: Hex, chainId: number, sender: Hex): Read {
  const parsed = parseTransaction(raw);
  expect(parsed).toMatchObject({ type: 'eip1559', chainId });
  expect(parsed.accessList ?? []).toEqual([]);
  const { to, value = 0n, data } = parsed;
  if (!to) throw new Error('A contract would be made');
  if (data === undefined) return { sender, to, value };
  const [, payee = '', units = ''] = /^0xa9059cbb0{24}([0-9a-f]{40})([0-9a-f]{64})$/.exec(data) ?? [];
  if (payee === '') throw new Error(`No transfer: ${data}`);
  return { sender, to: to.toLowerCase(), value, paid: { to: `0x${payee}`, units: BigInt(`0x${units}`) } };
}

function requireAllowed(network: EvmNetwork, { sender, to, value, paid }: Read): void {
  const isDeposit = [0, 1, 2, 3].map(depositAddress).includes(sender);
  if (!paid) {
    const isToItself = to.toLowerCase() === sender.toLowerCase() && value === 0n;
    const isGas = sender === HOT && [0, 1, 2, 3].some((i) => depositAddress(i).toLowerCase() === to.toLowerCase());
    if (!isToItself && !(isGas && value > 0n && value <= (CAPS.gas.get(network)?.perTransaction ?? 0n)))
      throw new Error(`Native coin to ${to}`);
    return;
  }
  const token = TOKENS.find((one) => one.network === network && one.address.toLowerCase() === to);
  if (!token || value !== 0n) throw new Error(`No token: ${to}`);
  if (isDeposit && paid.to !== HOT.toLowerCase()) throw new Error(`A sweep to ${paid.to}`);
  if (isDeposit || paid.to === COLD.toLowerCase()) return;
  if (
    paid.to === HOT.toLowerCase() ||
    paid.to === ZERO ||
    tokenAddresses.includes(paid.to) ||
    !isAddress(network, paid.to)
  )
    throw new Error(`A payout to ${paid.to}`);
  const cap = CAPS.payouts.get(`${network}:${token.currency}`)?.perTransaction ?? 0n;
  if (paid.units > cap) throw new Error(`${paid.units} units`);
}

it('no accepted request makes another transaction than the allowed ones', () => {
  let accepted = 0;
  fc.assert(
    fc.property(fc.array(request, { minLength: 1, maxLength: 12 }), (requests) => {
      const memory = new SigningMemory(100);
      const paidBy = new Map<string, string>();
      for (const asked of requests) {
        const decision = decideSigning(asked, POLICY, memory, 0);
        if (!('sign' in decision)) continue;
        const { terms, from } = decision.sign;
        memory.remember({ ...decision.sign, signature: SIGNATURE });
        const found = read(signedTransaction(terms, SIGNATURE).raw, CHAINS[asked.network].chainId, from);
        requireAllowed(asked.network, found);
        accepted += 1;
        // Of an address and nonce: one payment, beside its cancellation.
        const isCancelled = !found.paid && found.value === 0n;
        const slot = `${asked.network} ${from} ${asked.nonce}`;
        const payment = JSON.stringify(found, (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value));
        if (!isCancelled) expect(paidBy.get(slot) ?? payment).toBe(payment);
        paidBy.set(slot, isCancelled ? 'cancelled' : payment);
      }
      const fees = EVM_NETWORKS.map((network) => memory.spentWithinDay(`${network}:fees`, 0));
      expect(fees.every((fee) => fee <= 10n ** 17n)).toBe(true);
    }),
    { numRuns: 2_000 },
  );
  expect(accepted).toBeGreaterThan(1_500);
});
