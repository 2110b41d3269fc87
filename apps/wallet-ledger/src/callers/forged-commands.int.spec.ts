/**
 * A neighbour on the bus, with the bus's shared key: what it asks the ledger for in another service's name, or with terms of
 * its own, is refused, and what is taken says in the log who asked for it.
 */
import { randomUUID } from 'node:crypto';
import { callerKeysText, readCallerKeys } from '@stablecoin/command-proofs/caller-keys';
import { CallerSecret } from '@stablecoin/command-proofs/caller-secret';
import { requestProof } from '@stablecoin/command-proofs/command-mac';
import { DepositEvidence, EvidenceRail, QuoteEvidence, signEvidence } from '@stablecoin/command-proofs/evidence';
import { SwapOrder } from '@stablecoin/command-proofs/order';
import { orderHash } from '@stablecoin/command-proofs/order-signature';
import { simulateDeposit } from '@stablecoin/contracts/payout/simulate-deposit';
import { dryRunExecuteSwap } from '@stablecoin/contracts/swap/dry-run-execute-swap';
import { executeSwap } from '@stablecoin/contracts/swap/execute-swap';
import { confirmDeposit } from '@stablecoin/contracts/wallet/confirm-deposit';
import { holdPayout } from '@stablecoin/contracts/wallet/hold-payout';
import { openWallet } from '@stablecoin/contracts/wallet/open-wallet';
import { postSwap, postSwapCommandName } from '@stablecoin/contracts/wallet/post-swap';
import { recordDeposit } from '@stablecoin/contracts/wallet/record-deposit';
import { rejectPayout } from '@stablecoin/contracts/wallet/reject-payout';
import { resolvePayout } from '@stablecoin/contracts/wallet/resolve-payout';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { LedgerCommand } from '@stablecoin/ledger-domain/commands';
import { recordedEvent } from '@stablecoin/ledger-store/event-rows';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { derivedCommand } from '@stablecoin/messaging/derived-command';
import { withRequestContext } from '@stablecoin/messaging/request-context';
import { Currency } from '@stablecoin/money/currency';
import { DEFAULT_USD_PRICES } from '@stablecoin/money/usd-prices';
import { SoftwareDevice } from '@stablecoin/testing/software-device';
import { registry } from '@stablecoin/telemetry/metrics/instruments';
import { readSwapPrices } from '../event-log/read-swap-prices';
import type { ShardWriter } from '../event-log/shard-writer';
import { ConfirmDepositHandler } from '../deposits/confirm-deposit.handler';
import { RecordDepositHandler } from '../deposits/record-deposit.handler';
import { HoldPayoutHandler } from '../payouts/hold-payout.handler';
import { RejectPayoutHandler } from '../payouts/reject-payout.handler';
import { ResolvePayoutHandler } from '../payouts/resolve-payout.handler';
import { PostSwapHandler } from '../swaps/post-swap.handler';
import { RunningShards } from '../testing/running-shards';
import { OpenWalletHandler } from '../wallets/open-wallet.handler';

const SERVICES = ['gateway', 'customer', 'swap-pricing', 'payout', 'chain', 'backoffice'] as const;
type Service = (typeof SERVICES)[number];
const secrets = Object.fromEntries(
  SERVICES.map((service, index) => [service, new CallerSecret(service, Buffer.alloc(32, index + 1))]),
) as Record<Service, CallerSecret>;
const target = { shard: 0 };

let ledger: RunningShards;
let writer: () => ShardWriter;
let clients: Record<Service | 'neighbour', BusClient>;

beforeAll(async () => {
  ledger = await RunningShards.start();
  const { shards, server, addresses, evidence } = await ledger.newInstance({
    ...{ shards: 1, checkpointIntervalMs: 60_000, commandsAcceptedUnsigned: false },
    ...{ swapPriceBand: 2_000, swapPriceBandHours: 24 },
    commandCallerKeys: readCallerKeys(callerKeysText(SERVICES.map((name) => [name, secrets[name].macKey]))),
    commandEvidenceKeys: readCallerKeys(callerKeysText(SERVICES.map((name) => [name, secrets[name].evidenceKey]))),
  });
  const opening = new OpenWalletHandler(shards, addresses);
  const recording = new RecordDepositHandler(shards, evidence);
  const confirming = new ConfirmDepositHandler(shards, evidence);
  const holding = new HoldPayoutHandler(shards, evidence);
  const resolving = new ResolvePayoutHandler(shards, addresses, evidence);
  const rejecting = new RejectPayoutHandler(shards);
  const posting = new PostSwapHandler(shards, evidence);
  server.serve(openWallet, (request) => opening.execute(request));
  server.serve(recordDeposit, (request) => recording.execute(request));
  server.serve(confirmDeposit, (request) => confirming.execute(request));
  server.serve(holdPayout, (request) => holding.execute(request));
  server.serve(resolvePayout, (request) => resolving.execute(request));
  server.serve(rejectPayout, (request) => rejecting.execute(request));
  server.serve(postSwap, (request) => posting.execute(request));
  await shards.onApplicationBootstrap();
  writer = () => shards.writer();
  const connection = await ledger.servers.connect();
  const own = SERVICES.map((name) => [name, new BusClient(connection, ledger.codec, secrets[name])] as const);
  // Has the bus's key, and no service's.
  const neighbour = new BusClient(connection, ledger.codec);
  clients = { ...(Object.fromEntries(own) as Record<Service, BusClient>), neighbour };
});
afterAll(() => ledger.stop());

type Mode = 'live' | 'test';
interface Merchant {
  id: string;
  mode: Mode;
}
const merchantOf = (mode: Mode = 'test'): Merchant => ({ id: randomUUID(), mode });

/** As a merchant's request at the gateway. */
const asGateway = <Result>({ id, mode }: Merchant, work: () => Promise<Result>): Promise<Result> =>
  withRequestContext({ requestId: 'spec', deadline: Date.now() + 5_000, merchantId: id, mode }, work);

interface Asked {
  subject: string;
  body: object;
}
type SwapCommand = ReturnType<typeof quote>['command'];
/** What the merchants' requests ask for at the gateway, made to fit each command; some other thing where a test says so. */
const askedFor = {
  swap: ({ customer_id, from_currency, to_currency, from_amount: amount }: SwapCommand): Asked => ({
    subject: executeSwap.subject,
    body: { customer_id, from_currency, to_currency, amount },
  }),
  deposit: ({ wallet_id, amount, command_id }: ReturnType<typeof deposit>['command']): Asked => ({
    subject: simulateDeposit.subject,
    body: { wallet_id, amount, command_id },
  }),
};

interface Behalf {
  merchant: Merchant;
  by: CallerSecret;
  asked: Asked | undefined;
  deadline: number;
}
let behalf: Behalf | undefined;

/** As a service that has a merchant's request from the gateway. @param asked instead of what the command is */
async function onBehalfOf<Result>(
  merchant: Merchant,
  work: () => Promise<Result>,
  { by = secrets.gateway, asked, agoMs = 0 }: { by?: CallerSecret; asked?: Asked; agoMs?: number } = {},
): Promise<Result> {
  behalf = { merchant, by, asked, deadline: Date.now() + 5_000 - agoMs };
  const done = work();
  behalf = undefined;
  return done;
}

/** With the proof of the request, where there is one. */
function withProof<Result>(fitting: Asked, work: () => Promise<Result>): Promise<Result> {
  if (!behalf) return work();
  const { merchant, by, asked = fitting, deadline } = behalf;
  const { id: merchant_id, mode } = merchant;
  const terms = { merchant_id, mode, deadline, subject: asked.subject, body: JSON.stringify(asked.body) };
  const context = { requestId: 'spec', deadline: Date.now() + 5_000, requestProof: requestProof(by.macKey, terms) };
  return withRequestContext(context, work);
}

const commandOf = <Terms extends object>(terms: Terms, command_id: string = randomUUID()) => ({
  ...terms,
  ...{ command_id, input_hash: '0'.repeat(64) },
});

async function walletOf(merchant: Merchant, currency: Currency, by: BusClient = clients.gateway): Promise<string> {
  const terms = commandOf({
    merchant_id: merchant.id,
    currency,
    ...(currency.length === 4 && { network: 'polygon' as const }),
  });
  return (await asGateway(merchant, () => by.call(openWallet, terms, target))).result.id;
}

function deposit(merchant: Merchant, wallet_id: string, amount: string, rail: EvidenceRail = 'sandbox') {
  const transfer = rail === 'chain' && { network: 'polygon' as const, crypto_transaction_id: '0xa' };
  const id = rail === 'chain' ? derivedCommand(`record-${deposit_name}`, {}).command_id : undefined;
  const command = commandOf({ merchant_id: merchant.id, wallet_id, amount, confirmed: true, ...transfer }, id);
  const seen = rail === 'chain' ? { ordinal: 0, block_number: 7, block_hash: '0xb', deposit_name } : NOT_ON_A_CHAIN;
  const { input_hash: _, ...terms } = command;
  const stated: DepositEvidence = { ...BARE_DEPOSIT, rail, ...terms, ...seen };
  return { command, stated };
}
const deposit_name = `deposit:137:0xa:0x${'c'.repeat(40)}:0:0`;
const NOT_ON_A_CHAIN = { ordinal: null, block_number: null, block_hash: null };
const BARE_DEPOSIT = { type: 'deposit', network: null, crypto_transaction_id: null } as const;

const recorded = ({ command, stated }: ReturnType<typeof deposit>, by: Service = 'payout') =>
  withProof(askedFor.deposit(command), () =>
    clients[by].call(recordDeposit, command, { ...target, evidence: signEvidence(secrets[by], stated) }),
  );

async function funded(merchant: Merchant, currency: Currency, amount: string): Promise<string> {
  const wallet = await walletOf(merchant, currency);
  const recording = () => recorded(deposit(merchant, wallet, amount));
  await (merchant.mode === 'test' ? onBehalfOf(merchant, recording) : given(merchant, wallet, amount));
  return wallet;
}

const LATER = '2999-01-01T00:00:00.000Z';
const PAIR = { from_currency: 'USD', to_currency: 'EUR' } as const;
const BARE_QUOTE = { ...PAIR, from_amount: '10', to_amount: '9', valid_until: LATER } as const;

function quote(merchant: Merchant, changes: Partial<Omit<QuoteEvidence, 'from_currency' | 'to_currency'>> = {}) {
  const stated: QuoteEvidence = {
    ...{ type: 'quote', merchant_id: merchant.id, customer_id: null, swap_id: randomUUID(), ...BARE_QUOTE },
    ...{ price: '0.9', rates: 'market', ...changes },
  };
  const { type: _, rates: __, price: quoted_price, ...terms } = stated;
  const swap = { ...terms, ...BARE_QUOTE, ...changes, quoted_price, merchant_id: stated.merchant_id };
  const { price: ___, rates: ____, ...asked } = swap as typeof swap & { price?: string; rates?: string };
  return { stated, command: commandOf(asked, derivedCommand(postSwapCommandName(stated.swap_id), {}).command_id) };
}

const posted = ({ stated, command }: ReturnType<typeof quote>, by: Service = 'swap-pricing') =>
  withProof(askedFor.swap(command), () =>
    clients[by].call(postSwap, command, { ...target, evidence: signEvidence(secrets[by], stated) }),
  );

const refusalOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'taken',
    (error: unknown) => (error as Refusal).code,
  );

async function counted(reason: string): Promise<number> {
  const metric = await registry.getSingleMetric('ledger_commands_unauthorized_total')?.get();
  return metric?.values.find(({ labels }) => (labels as { reason?: string }).reason === reason)?.value ?? 0;
}

/** Refuses, says why in a counter, and writes nothing. */
async function expectRefused(reason: string, work: () => Promise<unknown>): Promise<void> {
  const before = { count: await counted(reason), events: await ledger.servers.database.ledgerEvent.count() };
  expect(await refusalOf(work())).toBe('unavailable');
  expect({ count: await counted(reason), events: await ledger.servers.database.ledgerEvent.count() }).toEqual({
    count: before.count + 1,
    events: before.events,
  });
}

async function balanceOf(wallet: string): Promise<string> {
  const [row] = await ledger.servers.database.$queryRaw<{ balance: string }[]>`
    SELECT balance::text FROM account_balances WHERE account_id = ${wallet}`;
  return row?.balance ?? '0';
}

/** Past all that is asked of callers. */
const submitted = (merchant_id: string, command: LedgerCommand) =>
  withRequestContext({ requestId: 'spec', deadline: Date.now() + 5_000, shard: 0 }, () =>
    writer().submit({ request: commandOf({ merchant_id }), command, result: () => null }),
  );

/** No rail brings a live merchant money of this kind: it is swapped for. */
const given = ({ id: merchant_id }: Merchant, wallet_id: string, amount: string) => {
  const about = { id: randomUUID(), reference_id: randomUUID(), network: null, reference: null, confirmed: true };
  return submitted(merchant_id, { kind: 'RecordDeposit', merchant_id, wallet_id, amount, ...about });
};

/** Whatever an operator lets it pay out. */
const givePolicy = ({ id: merchant_id }: Merchant) => {
  const limit = { currency: 'USD', per: 'merchant', within: 'day', amount: '1000.00000000' } as const;
  const changed = { policy: { limits: [limit], new_destination_wait_seconds: 0 }, changed_by: 'an operator' };
  return submitted(merchant_id, { kind: 'ChangePolicy', merchant_id, ...changed, reason: 'case 1' });
};

const signer = { key_id: randomUUID(), signer_id: randomUUID() };
const held = (merchant: Merchant) => {
  const payout = { currency: 'USD', amount: '10', rail: 'bank', sealed_destination: 'v1.sealed' } as const;
  const terms = { recipient_currency: 'USD', exchange_rate: '1', destination_hash: 'd'.repeat(64), signer } as const;
  const command = commandOf({ merchant_id: merchant.id, ...payout, ...terms });
  return asGateway(merchant, () => clients.gateway.call(holdPayout, command, target));
};

describe('a neighbour with the bus’s key', () => {
  const merchant = merchantOf();
  let wallet: string;
  beforeAll(async () => {
    wallet = await funded(merchant, 'USD', '1000');
    await walletOf(merchant, 'EUR');
  });

  it('posts no swap with terms of its own', async () => {
    const forged = quote(merchant, { from_amount: '0.01', to_amount: '1000000000.00', price: '100000000000' });
    await expectRefused('no_caller', () => clients.neighbour.call(postSwap, forged.command, target));
    await expectRefused('not_a_caller', () => onBehalfOf(merchant, () => posted(forged, 'payout')));
  });

  it('records no deposit', async () => {
    const money = deposit(merchant, wallet, '1000000');
    await expectRefused('no_caller', () => clients.neighbour.call(recordDeposit, money.command, target));
    await expectRefused('not_a_caller', () => onBehalfOf(merchant, () => recorded(money, 'swap-pricing')));
  });

  it('opens no wallet in the gateway’s name', async () => {
    await expectRefused('no_caller', () => walletOf(merchantOf(), 'USD', clients.neighbour));
    const ownKey = new CallerSecret('gateway', Buffer.alloc(32, 99));
    const other = new BusClient(await ledger.servers.connect(), ledger.codec, ownKey);
    await expectRefused('wrong_mac', () => walletOf(merchantOf(), 'USD', other));
  });

  it('sends a message of another service to no other shard, and not with another body', async () => {
    const terms = commandOf({ merchant_id: merchant.id, currency: 'NGN' as const });
    let sent: Uint8Array = new Uint8Array();
    const connection = await ledger.servers.connect();
    const watch = connection.subscribe('wallet.open-wallet.0', { callback: (_, { data }) => (sent = data) });
    await connection.flush();
    await asGateway(merchant, () => clients.gateway.call(openWallet, terms, target));
    await connection.flush();
    watch.unsubscribe();
    const envelope = ledger.codec.decode('wallet.open-wallet.0', sent) as { body: object; call_id: string };
    const changed = { ...envelope, call_id: randomUUID(), body: { ...envelope.body, ...commandOf({}) } };
    const subject = 'wallet.open-wallet.0';
    await expectRefused('wrong_mac', async () => {
      const answer = await connection.request(subject, ledger.codec.encode(subject, changed), { timeout: 3_000 });
      throw new Refusal((ledger.codec.decode(subject, answer.data) as { code: 'unavailable' }).code);
    });
  });
});

describe('a service that was taken over', () => {
  it('swaps for no merchant that asks for none', async () => {
    const merchant = merchantOf();
    await funded(merchant, 'USD', '100');
    await walletOf(merchant, 'EUR');
    await expectRefused('wrong_proof', () => posted(quote(merchant)));
    await expectRefused('wrong_proof', () => onBehalfOf(merchantOf(), () => posted(quote(merchant))));
    await expectRefused('wrong_proof', () =>
      onBehalfOf(merchant, () => posted(quote(merchant)), { by: secrets['swap-pricing'] }),
    );
    expect(await refusalOf(onBehalfOf(merchant, () => posted(quote(merchant))))).toBe('taken');
  });

  it('swaps what the merchant has asked for, and nothing else', async () => {
    const merchant = merchantOf();
    await funded(merchant, 'USD', '100');
    for (const currency of ['EUR', 'NGN'] as const) await walletOf(merchant, currency);
    const swap = quote(merchant);
    const asked = askedFor.swap(swap.command);
    const others: Asked[] = [
      askedFor.deposit(deposit(merchant, randomUUID(), '10').command),
      { ...asked, subject: dryRunExecuteSwap.subject },
      ...[{ amount: '1' }, { to_currency: 'NGN' }, { customer_id: randomUUID() }, { quote_id: randomUUID() }].map(
        (changes) => ({ ...asked, body: { ...asked.body, ...changes } }),
      ),
    ];
    for (const other of others)
      await expectRefused('wrong_proof', () => onBehalfOf(merchant, () => posted(swap), { asked: other }));
    const named = { ...asked, body: { ...asked.body, amount: '10.00', quote_id: swap.command.swap_id } };
    expect(await refusalOf(onBehalfOf(merchant, () => posted(swap), { asked: named }))).toBe('taken');
  });

  it('makes one swap of one request, with which an attempt that was abandoned can still be finished', async () => {
    const merchant = merchantOf();
    await funded(merchant, 'USD', '100');
    await walletOf(merchant, 'EUR');
    const [swap, second] = [quote(merchant), quote(merchant)];
    const asked = askedFor.swap(swap.command);
    const proof = { merchant_id: merchant.id, mode: merchant.mode, deadline: Date.now() - 60_000 };
    const made = requestProof(secrets.gateway.macKey, {
      ...proof,
      ...{ subject: asked.subject, body: JSON.stringify(asked.body) },
    });
    const withIt = (work: () => Promise<unknown>) =>
      withRequestContext({ requestId: 'spec', deadline: Date.now() + 5_000, requestProof: made }, work);
    expect(await refusalOf(withIt(() => posted(swap)))).toBe('taken');
    await expectRefused('wrong_proof', () => withIt(() => posted(second)));
    expect(await refusalOf(withIt(() => posted(swap)))).toBe('taken');
    const late = onBehalfOf(merchant, () => posted(second), { agoMs: 126_000 });
    expect(await refusalOf(late)).toBe('unavailable');
  });

  it('takes no proof that a gateway makes for itself, and none that says of nothing what it is for', async () => {
    const merchant = merchantOf();
    await funded(merchant, 'USD', '100');
    await walletOf(merchant, 'EUR');
    const swap = quote(merchant);
    const own = { merchant_id: merchant.id, mode: merchant.mode, deadline: Date.now() + 5_000 };
    for (const asked of [{}, { subject: 'wallet.post-swap.0' }, { subject: 'wallet.hold-payout.0' }]) {
      const proof = requestProof(secrets.gateway.macKey, { ...own, ...asked });
      await expectRefused('wrong_proof', () =>
        withRequestContext({ requestId: 'spec', deadline: own.deadline, requestProof: proof }, () => posted(swap)),
      );
    }
  });

  it('changes no term that was signed, and uses a quote once', async () => {
    const merchant = merchantOf();
    const wallet = await funded(merchant, 'USD', '100');
    await walletOf(merchant, 'EUR');
    const signed = quote(merchant);
    const changed = { ...signed, command: { ...signed.command, to_amount: '99' } };
    await expectRefused('wrong_evidence', () => onBehalfOf(merchant, () => posted(changed)));
    const byAnother = { evidence: signEvidence(secrets.payout, signed.stated), ...target };
    await expectRefused('wrong_evidence', () => clients['swap-pricing'].call(postSwap, signed.command, byAnother));
    await expectRefused('no_evidence', () => clients['swap-pricing'].call(postSwap, signed.command, target));
    await onBehalfOf(merchant, () => posted(signed));
    const again = { ...signed, command: { ...signed.command, command_id: randomUUID() } };
    await expectRefused('wrong_evidence', () => onBehalfOf(merchant, () => posted(again)));
    expect(await balanceOf(wallet)).toBe('90.00000000');
  });

  it.each<[string, Parameters<typeof quote>[1], string]>([
    ['that its price does not give', { to_amount: '9.01' }, 'quote_mismatch'],
    ['after its time', { valid_until: '2020-01-01T00:00:00.000Z' }, 'quote_expired'],
    ['far from the price before', { price: '1.2', to_amount: '12' }, 'quote_mismatch'],
    ['at the edge of the band', { price: '1.08', to_amount: '10.8' }, 'taken'],
  ])('signs a quote %s', async (_name, changes, code) => {
    const merchant = merchantOf();
    await funded(merchant, 'USD', '100');
    await walletOf(merchant, 'EUR');
    await onBehalfOf(merchant, () => posted(quote(merchant)));
    expect(await refusalOf(onBehalfOf(merchant, () => posted(quote(merchant, changes))))).toBe(code);
    if (code === 'taken') await onBehalfOf(merchant, () => posted(quote(merchant)));
  });

  it('is held to the price that another owner of the shard took, and test prices bound no live one', async () => {
    const [test, live] = [merchantOf(), merchantOf('live')];
    for (const merchant of [test, live]) {
      await funded(merchant, 'USD', '100');
      await walletOf(merchant, 'EUR');
    }
    await onBehalfOf(test, () => posted(quote(test)));
    const { database } = ledger.servers;
    const settings = {
      ...{ basisPoints: 2_000, ofPair: new Map<string, number>([['EUR/USD', 100]]), heldMs: 3_600_000 },
      ...{ book: DEFAULT_USD_PRICES, bookBasisPoints: 0, lossPerHour: 0 },
    };
    const [head] = await database.$queryRaw<{ at: number }[]>`SELECT head_position::int AS at FROM ledger_shards`;
    const read = await readSwapPrices(database, 0, head?.at ?? 0, settings);
    const amounts = { from_amount: '10', to_amount: '5', quoted_price: '0.5' };
    const pair = { from_currency: 'USD', to_currency: 'EUR', mode: 'test', ...amounts } as const;
    const now = new Date();
    expect(read?.exceeded(pair, now.toISOString())).toBe('previous');
    expect(read?.exceeded(pair, new Date(now.getTime() + 3_660_000).toISOString())).toBeUndefined();
    expect(read?.exceeded({ ...pair, from_currency: 'EUR', to_currency: 'USD' }, now.toISOString())).toBeUndefined();
    const far = { price: '0.5', to_amount: '5' };
    expect(await refusalOf(onBehalfOf(test, () => posted(quote(test, far))))).toBe('quote_mismatch');
    expect(await refusalOf(onBehalfOf(live, () => posted(quote(live, far))))).toBe('taken');
    await onBehalfOf(live, () => posted(quote(live, { price: '0.6', to_amount: '6' })));
    // A second small step, from the price that the first one made.
    expect(await refusalOf(onBehalfOf(live, () => posted(quote(live, { price: '0.7', to_amount: '7' }))))).toBe(
      'quote_mismatch',
    );
  });

  it('ends no deposit that another has recorded, and plays no other rail', async () => {
    const merchant = merchantOf();
    const wallet = await walletOf(merchant, 'USDC');
    const seen = deposit(merchant, wallet, '5', 'chain');
    await expectRefused('wrong_evidence', () => onBehalfOf(merchant, () => recorded(seen, 'payout')));
    const waits = { confirmed: false };
    const pending = { command: { ...seen.command, ...waits }, stated: { ...seen.stated, ...waits } };
    const { result } = await recorded(pending, 'chain');
    const confirmed = (rail: EvidenceRail, by: 'payout' | 'chain', name = `confirm-${deposit_name}`) => {
      const end = commandOf({ merchant_id: merchant.id, id: result.id }, derivedCommand(name, {}).command_id);
      const { input_hash: _, ...terms } = end;
      const evidence = signEvidence(secrets[by], { type: 'deposit-end', rail, ...terms, to: 'COMPLETED' });
      return clients[by].call(confirmDeposit, end, { ...target, evidence });
    };
    await expectRefused('not_a_caller', () => confirmed('sandbox', 'payout'));
    await expectRefused('wrong_evidence', () => confirmed('chain', 'chain', 'resolve-payout:1:COMPLETED'));
    await confirmed('chain', 'chain');
    expect(await balanceOf(wallet)).toBe('5.00000000');
  });
});

describe('the backoffice', () => {
  const merchant = merchantOf();
  const rejection = () => commandOf({ merchant_id: merchant.id, transaction: 'NOTTHERE00', signer });

  it('proves its own requests, and what members may decide', async () => {
    const rejected = asGateway(merchant, () => clients.backoffice.call(rejectPayout, rejection(), target));
    expect(await refusalOf(rejected)).toBe('not_found');
  });

  it('opens no wallet', async () => {
    await expectRefused('not_a_caller', () => walletOf(merchant, 'USD', clients.backoffice));
  });

  it("proves no request that another service's command follows from, and none of the gateway's", async () => {
    const wallet = await walletOf(merchant, 'USD');
    await expectRefused('wrong_proof', () =>
      onBehalfOf(merchant, () => recorded(deposit(merchant, wallet, '5')), { by: secrets.backoffice }),
    );
    const subject = `${rejectPayout.subject}.0`;
    const proved = { merchant_id: merchant.id, mode: merchant.mode, deadline: Date.now() + 5_000, subject };
    for (const [asking, proving] of [
      ['gateway', 'backoffice'],
      ['backoffice', 'gateway'],
    ] as const) {
      const proof = requestProof(secrets[proving].macKey, proved);
      await expectRefused('wrong_proof', () =>
        withRequestContext({ requestId: 'spec', deadline: Date.now() + 5_000, requestProof: proof }, () =>
          clients[asking].call(rejectPayout, rejection(), target),
        ),
      );
    }
  });
});

describe("a member's request, which the backoffice has taken", () => {
  const device = SoftwareDevice.at('https://console.example');
  const merchant = merchantOf();
  beforeAll(async () => {
    await funded(merchant, 'USD', '100');
    await walletOf(merchant, 'EUR');
  });

  /** @param changes in what the passkey has signed; undefined for a request without */
  function posting(changes: Partial<SwapOrder> | undefined, by = secrets.backoffice) {
    const swap = quote(merchant);
    const { from_currency, to_currency, swap_id } = swap.command;
    const order: SwapOrder = {
      ...{ type: 'swap-order', merchant_id: merchant.id, customer_id: null, mode: 'test', command_id: randomUUID() },
      ...{ key_id: randomUUID(), signer_id: randomUUID(), valid_until: LATER, swap_id, from_currency, to_currency },
      ...{ from_amount: '10.00000000', to_amount: '9.00000000', price: '0.9', ...changes },
    };
    const signed_order = changes && signEvidence(by, { ...order, ...device.signs(orderHash(order)) });
    const { subject, body } = askedFor.swap(swap.command);
    return asMember({ subject, body: { ...body, command_id: order.command_id, signed_order } }, () => posted(swap));
  }
  const asMember = <Result>({ subject, body }: Asked, work: () => Promise<Result>) => {
    const of = { by: 'backoffice', merchant_id: merchant.id, mode: 'test', deadline: Date.now() + 5_000 };
    const proof = requestProof(secrets.backoffice.macKey, { ...of, subject, body: JSON.stringify(body) });
    return withRequestContext({ requestId: 'spec', deadline: of.deadline, requestProof: proof }, work);
  };

  it('leads to a swap with what the member has signed, which the log keeps, and to none without', async () => {
    await expectRefused('no_evidence', () => posting(undefined));
    await expectRefused('wrong_evidence', () => posting({}, secrets['swap-pricing']));
    for (const changes of [{ price: '0.8' }, { to_amount: '8.00000000' }, { swap_id: randomUUID() }] as const)
      await expectRefused('wrong_evidence', () => posting(changes));
    await expectRefused('wrong_evidence', () => posting({ valid_until: new Date(Date.now() - 11_000).toISOString() }));
    expect(await refusalOf(posting({}))).toBe('taken');
    const [row] = await ledger.servers.database.$queryRaw<{ body: string }[]>`
      SELECT body FROM ledger_events WHERE body LIKE '%"requested_by":{%' ORDER BY position DESC LIMIT 1`;
    expect(JSON.parse(row?.body ?? '{}')).toMatchObject({ asked_by: { requested_by: { service: 'backoffice' } } });
  });

  it('leads to no deposit', async () => {
    const money = deposit(merchant, await walletOf(merchant, 'GBP'), '5');
    await expectRefused('wrong_proof', () => asMember(askedFor.deposit(money.command), () => recorded(money)));
  });
});

describe('the sandbox', () => {
  it('credits no merchant that asks for nothing, and no live one', async () => {
    const [test, live] = [merchantOf(), merchantOf('live')];
    const [wallet, liveWallet] = [await walletOf(test, 'USD'), await walletOf(live, 'USD')];
    const money = deposit(test, wallet, '5');
    await expectRefused('wrong_proof', () => recorded(money));
    const asked = askedFor.deposit(money.command);
    const others = [{ amount: '6' }, { wallet_id: liveWallet }, { network: 'polygon' }, { command_id: randomUUID() }];
    for (const changes of others) {
      const other = { ...asked, body: { ...asked.body, ...changes } };
      await expectRefused('wrong_proof', () => onBehalfOf(test, () => recorded(money), { asked: other }));
    }
    expect(await refusalOf(onBehalfOf(live, () => recorded(deposit(live, liveWallet, '5'))))).toBe('rail_unavailable');
    // A gateway that was taken over proves another mode than that of the wallet.
    const said: Merchant = { ...live, mode: 'test' };
    expect(await refusalOf(onBehalfOf(said, () => recorded(deposit(said, liveWallet, '5'))))).toBe('rail_unavailable');
    expect(await refusalOf(onBehalfOf(test, () => recorded(deposit(test, wallet, '5'))))).toBe('taken');
  });

  it('prices no swap of a live merchant', async () => {
    const live = merchantOf('live');
    await funded(live, 'USD', '100');
    await walletOf(live, 'EUR');
    // Near to what live swaps before had.
    const terms = { price: '0.5', to_amount: '5' };
    const swap = (rates: 'static' | 'market') => onBehalfOf(live, () => posted(quote(live, { rates, ...terms })));
    expect(await refusalOf(swap('static'))).toBe('quote_mismatch');
    expect(await refusalOf(swap('market'))).toBe('taken');
  });

  it('completes no payout of a live merchant, and gives its money back', async () => {
    const outcomes = [];
    for (const mode of ['live', 'test'] as const) {
      const merchant = merchantOf(mode);
      await funded(merchant, 'USD', '100');
      if (mode === 'live') {
        // Also where the gateway does not say so: it proves the mode of the key.
        expect(await refusalOf(held(merchant))).toBe('limit_exceeded');
        await givePolicy(merchant);
      }
      const { result } = await held(merchant);
      const resolve = (resolution: 'COMPLETED' | 'FAILED', transaction: string) => {
        const command = commandOf({ merchant_id: merchant.id, transaction, resolution, rail_reference: 'ref' });
        const { input_hash: _, rail_reference: reference, ...terms } = command;
        const evidence = signEvidence(secrets.payout, { type: 'settlement', rail: 'sandbox', reference, ...terms });
        return refusalOf(clients.payout.call(resolvePayout, command, { ...target, evidence }));
      };
      outcomes.push(await resolve('COMPLETED', result.transaction_id), await resolve('FAILED', result.id));
    }
    expect(outcomes).toEqual([...['rail_unavailable', 'taken'], ...['taken', 'invalid_transition']]);
  });
});

it('the log says who asked, for whom, and what was stated', async () => {
  const merchant = merchantOf();
  const wallet = await funded(merchant, 'USD', '100');
  await walletOf(merchant, 'EUR');
  const swap = quote(merchant);
  await onBehalfOf(merchant, () => posted(swap));
  const rows = await ledger.servers.database.$queryRaw<{ body: string }[]>`
    SELECT body FROM ledger_events WHERE body LIKE ${`%"merchant_id":"${merchant.id}"%`} ORDER BY position`;
  const events = rows.map(({ body }) => recordedEvent(body)).filter(({ asked_by }) => asked_by);
  expect(events.map(({ movement, asked_by }) => [movement, asked_by?.service, asked_by?.mode])).toEqual([
    ['wallet-opened', 'gateway', 'test'],
    ['deposit-recorded', 'payout', 'test'],
    ['wallet-opened', 'gateway', 'test'],
    ['swap-accepted', 'swap-pricing', 'test'],
  ]);
  expect(JSON.parse(events[1]?.asked_by?.evidence ?? '')).toMatchObject({ type: 'deposit', wallet_id: wallet });
  expect(JSON.parse(events[3]?.asked_by?.evidence ?? '')).toEqual(swap.stated);
});
