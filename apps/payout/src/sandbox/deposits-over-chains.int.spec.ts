/** Which deposits of the sandbox are sent over a chain, and who decides on those. */
import { randomBytes, randomUUID } from 'node:crypto';
import { CommandBus } from '@nestjs/cqrs';
import { SimulateDeposit } from '@stablecoin/contracts/payout/simulate-deposit';
import {
  HELD_DEPOSIT,
  SIMULATED_DEPOSIT_OUTCOMES,
  SimulateDepositOutcome,
} from '@stablecoin/contracts/payout/simulate-deposit-outcome';
import { TransactionView } from '@stablecoin/contracts/wallet/views';
import { CommandReply } from '@stablecoin/contracts/wire/merchant-request';
import { Network } from '@stablecoin/money/currency';
import { commandOf } from '@stablecoin/testing/command-of';
import { OwnNats, startOwnNats } from '@stablecoin/testing/nats-server';
import { PayoutModule } from '../payout.module';
import { ChainStandIn } from '../testing/chain-stand-in';
import { RunningPayout, startPayout } from '../testing/running-service';

const CHAINS = { PAYOUT_RAIL_ERC20: 'evm', PAYOUT_RAIL_POLYGON: 'evm', EVM_RAIL_FOR_TEST: 'true' };

let nats: OwnNats;
let service: RunningPayout;
let chain: ChainStandIn;

async function start(environment: NodeJS.ProcessEnv): Promise<void> {
  nats = await startOwnNats();
  service = await startPayout({ imports: [PayoutModule] }, { NATS_URL: nats.url, ...environment });
  chain = await ChainStandIn.start(service.connection, service.codec);
}

async function stop(): Promise<void> {
  await service.stop();
  await nats.stop();
}

function wallet(...networks: Network[]): string {
  const id = randomUUID();
  service.ledger.networksOf.set(id, networks);
  return id;
}

const merchant_id = randomUUID();

function deposit(wallet_id: string, more: { network?: Network; reference?: string } = {}) {
  const body = commandOf({ merchant_id, wallet_id, amount: '5', shard: service.ledger.shard, ...more });
  return service.app
    .get(CommandBus)
    .execute<SimulateDeposit, CommandReply<TransactionView>>(Object.assign(new SimulateDeposit(), body));
}

/** On which chain a wallet's deposit was sent; undefined where the sandbox recorded it. */
async function chainOf(wallet_id: string, more: Parameters<typeof deposit>[1] = {}): Promise<string | undefined> {
  await deposit(wallet_id, more);
  const sent = chain.deposits.filter((request) => request.wallet_id === wallet_id);
  expect(sent.length + service.ledger.outcomesOf(wallet_id).length).toBe(1);
  return sent[0]?.network;
}

describe('where test merchants go by chains', () => {
  beforeAll(() => start(CHAINS));
  afterAll(stop);

  it.each([
    ['on the network that is named', ['erc20', 'polygon'], { network: 'polygon' }, 'polygon'],
    ["on the network of the wallet's first address", ['erc20', 'polygon'], {}, 'erc20'],
    ['whatever its reference, which a transfer does not carry', ['erc20'], { reference: 'mine' }, 'erc20'],
    ['but not on a network whose rail is the sandbox', ['bep20'], {}, undefined],
    ['but not on a network that is no such chain', ['trc20', 'erc20'], {}, undefined],
    [
      'but not to a wallet without an address there, which the ledger refuses',
      ['trc20'],
      { network: 'erc20' },
      undefined,
    ],
    ['but not for a currency without networks', [], {}, undefined],
    ['but not what is to be held', ['erc20'], { reference: HELD_DEPOSIT }, undefined],
  ] as const)('a deposit is sent %s', async (_, networks, more, expected) =>
    expect(await chainOf(wallet(...networks), more)).toBe(expected),
  );

  it('is sent under the command of its request', async () => {
    const to = wallet('erc20');
    expect(await deposit(to, { reference: 'mine' })).toEqual({ result: { status: 'PENDING' }, replayed: false });
    expect(chain.deposits.at(-1)).toEqual({
      ...{ merchant_id, wallet_id: to, amount: '5', network: 'erc20' },
      ...{ command_id: expect.any(String), input_hash: expect.any(String) },
    });
  });
});

describe('where test merchants stay with the sandbox', () => {
  beforeAll(() => start({ ...CHAINS, EVM_RAIL_FOR_TEST: 'false' }));
  afterAll(stop);

  it('no deposit is sent over a chain', async () => expect(await chainOf(wallet('erc20'))).toBeUndefined());

  it.each(SIMULATED_DEPOSIT_OUTCOMES)(
    'what came over a chain all the same is not for the sandbox to %s',
    async (outcome) => {
      const over = { network: 'erc20', crypto_transaction_id: `0x${randomBytes(32).toString('hex')}` } as const;
      const { id } = service.ledger.deposit(over);
      const body = commandOf({ merchant_id, id, outcome, shard: service.ledger.shard });
      const told = service.app.get(CommandBus).execute(Object.assign(new SimulateDepositOutcome(), body));
      await expect(told).rejects.toMatchObject({ code: 'invalid_transition' });
      expect(service.ledger.outcomesOf(id)).toEqual([]);
    },
  );
});
