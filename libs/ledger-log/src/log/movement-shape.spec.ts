import { GENESIS_HASH } from '@stablecoin/event-chain/event-hash';
import { LedgerEvent, Movement, RecordedEvent } from '@stablecoin/ledger-domain/events';
import { Legs } from '@stablecoin/ledger-domain/legs';
import { eventRows } from '@stablecoin/ledger-store/event-rows';
import { Money } from '@stablecoin/money/money';
import { withAskers } from '../testing/asked-log';
import {
  DrivenLog,
  eventfulLog,
  judgedLog,
  overdrawnLog,
  returnedLog,
  swappedForItselfLog,
} from '../testing/driven-log';
import { firstFault, headOf } from '../testing/first-fault';

const SHARD = 5;

function faultIn(events: readonly RecordedEvent[]) {
  const rows = eventRows(events, GENESIS_HASH);
  return firstFault(SHARD, rows, headOf(rows));
}

interface Forged {
  log: DrivenLog;
  wallet: string;
  /** COMPLETED. */
  deposit: string;
}

function funded(): Forged {
  const log = new DrivenLog(SHARD);
  const wallet = log.openWallet('USD');
  return { log, wallet, deposit: log.deposit(wallet, '10') };
}

/** One group more, with sound balances; of the last command, or of one of its own. */
function withGroup({ log }: Forged, movement: Movement, events: readonly LedgerEvent[], of?: 'the last command') {
  const last = log.events.at(-1) as RecordedEvent;
  const { shard, recorded_at, merchant_id, customer_id } = last;
  const command_id = of ? last.command_id : log.id();
  const group = last.position + 1;
  const about = { shard, group, movement, recorded_at, command_id, merchant_id, customer_id };
  return [...log.events, ...events.map((event, offset) => ({ ...about, position: group + offset, event }))];
}

const paidIn = ({ log, wallet, deposit }: Forged, amount: string, transaction = deposit): LedgerEvent[] => {
  const legs = new Legs(log.state, transaction);
  legs.transfer(Money.parse('USD', amount), 'external:bank:USD', wallet);
  return legs.take();
};

describe('what the ledger writes', () => {
  it.each([eventfulLog, judgedLog, returnedLog, overdrawnLog])('%p: each movement is of its shape', (made) => {
    expect(faultIn(made(SHARD).events)).toBeUndefined();
  });
});

describe('money that enters with sums that are equal', () => {
  it.each(['wallet-opened', 'deposit-address-added', 'payout-approved', 'policy-changed'] as const)(
    'under the name of a %s: found',
    (movement) => {
      const forged = funded();
      const changed = withGroup(forged, movement, paidIn(forged, '1000000'));
      expect(faultIn(changed)?.problem).toBe(`posts, which a ${movement} does not`);
    },
  );

  it.each([undefined, 'the last command'] as const)('once more as that deposit, without an end, of %s: found', (of) => {
    const forged = funded();
    const again = withGroup(forged, 'deposit-completed', paidIn(forged, '10'), of);
    expect(faultIn(again)?.problem).toMatch('no deposit-completed consists of these events');
  });

  /** The deposit of 10 is recorded, and completed with another amount, in one command. */
  function completedWith(amount: string, which?: (forged: Forged) => string) {
    const forged = funded();
    const { log, wallet } = forged;
    const other = which?.(forged);
    const deposit = log.deposit(wallet, '10', false);
    const transaction = other ?? deposit;
    const legs = new Legs(log.state, transaction);
    legs.transfer(Money.parse('USD', amount), 'external:bank:USD', wallet);
    const completed = [...legs.take(), legs.statusChanged({ id: wallet, currency: 'USD' }, 'PENDING', 'COMPLETED')];
    return faultIn(withGroup(forged, 'deposit-completed', completed, 'the last command'));
  }

  it('with a deposit of another amount: found, and the amount itself is sound', () => {
    expect(completedWith('10')).toBeUndefined();
    expect(completedWith('1000000')?.problem).toBe('posts 1000000.00000000, and its amount is 10.00000000');
  });

  it('with another deposit, of which no rail has said that it is final: found', () => {
    const waiting = completedWith('7', ({ log, wallet }) => log.deposit(wallet, '7', false));
    expect(waiting?.problem).toMatch('no deposit-completed of this follows a deposit-recorded in one command');
  });

  it('to another account than the wallet’s: found', () => {
    const forged = funded();
    const { log, wallet, deposit } = forged;
    const legs = new Legs(log.state, deposit);
    legs.transfer(Money.parse('USD', '10'), 'external:bank:USD', 'fees:USD');
    const reversed = [...legs.take(), legs.statusChanged({ id: wallet, currency: 'USD' }, 'COMPLETED', 'REVERSED')];
    expect(faultIn(withGroup(forged, 'deposit-reversed', reversed))?.problem).toMatch(
      'a deposit-reversed does not post to external:bank:USD',
    );
  });
});

describe('a payout', () => {
  it('that is judged in an event that opens nothing: found', () => {
    const { events } = judgedLog(SHARD);
    const judged = { policy_version: 1, destination: 'd'.repeat(64) };
    const settled = events.findIndex(
      ({ movement, event }) => movement === 'payout-completed' && event.type === 'DebitPosted',
    );
    const changed = events.map((recorded, index) =>
      index === settled ? { ...recorded, event: { ...recorded.event, judged } as LedgerEvent } : recorded,
    );
    expect(faultIn(changed)?.problem).toMatch('no payout-completed consists of these events');
  });

  it('that gives back more fee than it took: found', () => {
    const { log } = funded();
    const payout = log.holdPayout('USD', '5');
    log.resolvePayout(payout, 'COMPLETED');
    const resolved = log.events.slice(-5);
    for (const { event } of resolved.slice(2, 4)) Object.assign(event, { amount: '0.20000000' });
    expect(resolved.map(({ movement }) => movement)).toEqual(Array(5).fill('payout-completed'));
    expect(faultIn(log.events)?.problem).toMatch(/balance_after|posts 0\.2/);
  });
});

describe('a swap of one currency', () => {
  it('is found where it begins', () => {
    expect(faultIn(swappedForItselfLog(SHARD).events)).toMatchObject({
      position: 6,
      problem: expect.stringMatching('swaps USD for USD, which the ledger does not') as string,
    });
  });

  it('is named as what its service stated', () => {
    expect(faultIn(withAskers(swappedForItselfLog(SHARD).events))).toMatchObject({
      problem: expect.stringMatching('swaps USD for USD, as swap-pricing stated') as string,
      stated_by: 'swap-pricing',
    });
  });
});

describe('what another movement has to follow', () => {
  /** The log without the groups of a movement. */
  function without(log: DrivenLog, movement: Movement) {
    const events = log.events.filter((one) => one.movement !== movement);
    const at = (position: number) => log.events.findIndex((one) => one.position === position);
    const shift = (position: number) =>
      position - log.events.slice(0, at(position)).filter((one) => one.movement === movement).length;
    return events.map((one) => ({ ...one, position: shift(one.position), group: shift(one.group) }));
  }
  const swapped = () => {
    const { log } = funded();
    log.openWallet('USDC', 'erc20');
    log.swap('USD', 'USDC', '1', '0.9');
    return log;
  };

  it('is followed by it in its command, or found', () => {
    const log = swapped();
    expect(faultIn(log.events)).toBeUndefined();
    const accepted = log.events.find(({ movement }) => movement === 'swap-accepted');
    const fault = { position: accepted?.position, problem: 'is a swap-accepted that no swap-settled follows' };
    expect(faultIn(without(log, 'swap-settled'))).toMatchObject(fault);
    log.deposit(log.openWallet('EUR'), '1');
    expect(faultIn(without(log, 'swap-settled'))).toMatchObject(fault);
  });

  it('the same of money on its way to the merchant', () => {
    expect(faultIn(without(returnedLog(SHARD), 'transfer-received'))?.problem).toBe(
      'is a transfer-sent that no transfer-received follows',
    );
  });
});

describe('what only follows another movement', () => {
  it('begins no command', () => {
    const log = returnedLog(SHARD);
    const sent = log.events.findIndex(({ movement }) => movement === 'transfer-sent');
    const apart = log.events.map((recorded, index) =>
      index < sent ? recorded : { ...recorded, command_id: log.merchant_id },
    );
    expect(faultIn(apart)?.problem).toMatch('begins with a transfer-sent, which only follows');
  });
});
