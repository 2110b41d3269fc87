/** A service that was taken over: its user of the bus, and the keys that its program has. */
import { randomUUID } from 'node:crypto';
import { findOwner } from '@stablecoin/contracts/customer/find-owner';
import { OpenedField, openSealed, SealedValue } from '@stablecoin/contracts/customer/open-sealed';
import { simulateDeposit } from '@stablecoin/contracts/payout/simulate-deposit';
import { closeCustomerAccount } from '@stablecoin/contracts/wallet/close-customer-account';
import { holdPayout } from '@stablecoin/contracts/wallet/hold-payout';
import { recordDeposit } from '@stablecoin/contracts/wallet/record-deposit';
import { resolvePayout } from '@stablecoin/contracts/wallet/resolve-payout';
import { reverseDeposit } from '@stablecoin/contracts/wallet/reverse-deposit';
import { PAYOUT_DESTINATION_FIELD } from '@stablecoin/contracts/wallet/views';
import { type BusUser } from '@stablecoin/local-stack/bus-users';
import { dataOf } from '@stablecoin/testing/merchant-client';
import { individual } from '@stablecoin/testing/person';
import { eventually } from '@stablecoin/testing/eventually';
import { heldPayout } from '../ground/people';
import type { Site } from '../ground/site';
import { type Evidence, noticedBy, refusedBy } from '../judging/expectation';
import type { Row } from './forgery';
import { makesItselfAKey, readsAsAnOfficer } from './acts-of-no-person';
import { approvesItsOwn } from './approvals';
import {
  approvesByItsOwnPasskey,
  approvesByTheWrongSignature,
  approvesWithoutPasskey,
  rejectsForNoMember,
} from './approvals-of-people';
import {
  holdsByAnotherOrder,
  holdsByItsOwnPasskey,
  holdsForAnotherDestination,
  holdsWithoutOrder,
  swapsByAnotherOrder,
  swapsWithoutOrder,
} from './orders-of-people';
import { hasEventsSentElsewhere } from './endpoints-of-merchants';
import { closesWhileMoneyIsHeld } from './erased-customers';
import { saysThatLiveIsTest, saysWhoseKeyItIs } from './keys-of-merchants';
import { closesInAnotherShard, opensInAnotherShard } from './other-shards';
import { destinationInTheLog, opensNothing } from './sealed-destination';
import { asksNoFee, reversesItsOwn } from './stated-falsely';
import { SWAP_PRICING } from './swap-pricing';
import { asksSigner, calls, does, listens, publishes, refusalOf } from './lines';
import {
  ACCOMPLICE,
  endOfPayout,
  forgedDeposit,
  NO_TRANSFER,
  forgedHold,
  forgedSettlement,
  forgedTransfer,
  ordered,
} from './stated';

const asTest = ({ merchantId }: { merchantId: string }) => ({ onBehalfOf: { merchantId, mode: 'test' } });
const asLive = ({ merchantId }: { merchantId: string }) => ({ onBehalfOf: { merchantId, mode: 'live' } });
const NO_CALLER = 'unavailable no_caller';

const closing = (merchant_id: string, customer_id: string) => ({
  ...{ merchant_id, customer_id, command_id: randomUUID(), input_hash: '0'.repeat(64) },
});

const opensAs = ({ bus, people: { ada } }: Site, user: BusUser, value: SealedValue) =>
  bus.call(openSealed, { merchant_id: ada.merchantId, values: [value] }, { user, ...asTest(ada) });

async function hasDestinationOpened(site: Site, user: BusUser): Promise<Evidence> {
  const { customer_id, sealed } = await destinationInTheLog(site);
  const [opened] = await opensAs(site, user, { customer_id, field: PAYOUT_DESTINATION_FIELD, sealed });
  if (opened === null) throw new Error('nothing was opened: it is no forgery');
  return { became: 'noticed', shown: await site.answersOfCustomer(openSealed.subject) };
}

async function opensWithOwnKeys(site: Site): Promise<Evidence> {
  const { ada } = site.people;
  const { customer_id, sealed } = await destinationInTheLog(site);
  const {
    wrapped_data_key,
    sealing_key = '',
    hash_key,
  } = await site.bus.call(findOwner, { merchant_id: ada.merchantId, customer_id }, { user: 'gateway', ...asTest(ada) });
  const texts = [...Object.values(site.gatewayEnvironment), sealing_key, hash_key];
  return opensNothing({ customer_id, sealed, wrapped_data_key, texts });
}

export const NEIGHBOURS = {
  gateway: {
    mint: [
      publishes('gateway', 'records a deposit', 'wallet.record-deposit.0'),
      publishes('gateway', 'posts a swap', 'wallet.post-swap.0'),
      saysThatLiveIsTest,
      asksNoFee,
    ],
    move: [
      publishes('gateway', "lifts a merchant's limits", 'wallet.change-policy.0'),
      publishes('gateway', 'sends a payout over a chain', 'chain.submit-transfer'),
      listens('gateway', "answers in the ledger's place", 'wallet.hold-payout.*'),
      calls(
        "holds a payout with the bus's key alone",
        holdPayout,
        ({ ada }) => ({ user: 'gateway', keysOf: null, shard: ada.shard, body: forgedHold(ada) }),
        NO_CALLER,
      ),
      calls(
        'holds a payout with the keys of another service',
        holdPayout,
        ({ ada }) => ({ user: 'gateway', keysOf: 'payout', shard: ada.shard, body: forgedHold(ada) }),
        'unavailable not_a_caller',
      ),
      does(
        'changes the amount of a payout under the MAC of the message',
        'running',
        refusedBy('the ledger', 'unavailable wrong_mac'),
        (site) => {
          const { ada } = site.people;
          const message = { body: forgedHold(ada), changed: { amount: '500' } };
          return refusalOf(site, () =>
            site.bus.callChanged(holdPayout, message, { user: 'gateway', shard: ada.shard }),
          );
        },
      ),
      does(
        'holds a payout that no merchant asked for, with its own keys',
        'running',
        noticedBy(
          'the merchant',
          'at the next look at the wallet or the transactions; the log names the gateway',
          'PENDING',
        ),
        async ({ bus, people: { ada } }) => {
          const { result } = await bus.call(holdPayout, forgedHold(ada), {
            ...{ user: 'gateway', shard: ada.shard, ...asTest(ada) },
          });
          const path = `/customers/transactions/by_txid/${result.transaction_id}`;
          const { status } = await dataOf(ada.client.get<{ status: string }>(path));
          return { became: 'noticed', shown: status };
        },
      ),
      approvesItsOwn,
    ],
    hide: [
      publishes('gateway', 'closes the account of a customer', 'wallet.close-customer-account.0'),
      publishes('gateway', 'says that a key was not revoked', 'customer.api-key-changed'),
      opensInAnotherShard,
    ],
    undo: [
      publishes('gateway', 'reverses a payout', 'wallet.resolve-payout.0'),
      does('sends a message again when its time is over', 'running', refusedBy('the ledger', 'unavailable'), (site) => {
        const { ada } = site.people;
        const message = { body: forgedHold(ada), agoMs: 60_000 };
        return refusalOf(site, () => site.bus.callChanged(holdPayout, message, { user: 'gateway', shard: ada.shard }));
      }),
      does(
        'sends a message again within its time',
        'running',
        refusedBy('the ledger', 'taken once: the stored result, replayed'),
        async ({ bus, people: { ada } }) => {
          const message = { body: forgedHold(ada) };
          const asking = { user: 'gateway', shard: ada.shard } as const;
          const first = await bus.callChanged(holdPayout, message, asking);
          const again = await bus.callChanged(holdPayout, message, asking);
          if (!again.replayed || again.result.id !== first.result.id)
            return { became: 'unseen', what: JSON.stringify([first, again]) };
          return { became: 'refused', by: 'the ledger', error: 'taken once: the stored result, replayed' };
        },
      ),
      publishes('gateway', 'reverses a deposit', 'wallet.reverse-deposit.0'),
    ],
    read: [
      listens('gateway', "hears the ledger's facts of all merchants", 'ledger.>'),
      publishes('gateway', 'reads facts from the log', 'wallet.read-facts'),
      does(
        'opens a destination that it finds in the log, with every key that its process has',
        'running',
        refusedBy('encryption', 'opens nothing'),
        opensWithOwnKeys,
      ),
      does(
        "has the customer service open a customer's profile",
        'running',
        refusedBy('the customer service', 'validation_failed'),
        async (site) => {
          const { ada } = site.people;
          const profile = { customer_id: ada.customerId, field: 'profile' as OpenedField, sealed: 'v1.AAAA.BBBB' };
          return refusalOf(site, () => opensAs(site, 'gateway', profile), 'the customer service');
        },
      ),
      does(
        'has a destination opened for a merchant who asks for nothing',
        'running',
        noticedBy(
          'an operator',
          "at a look at the customer service's metrics: more is opened than merchants ask for",
          'customer.open-sealed',
        ),
        (site) => hasDestinationOpened(site, 'gateway'),
      ),
    ],
  },
  customer: {
    mint: [
      publishes('customer', 'records a deposit', 'wallet.record-deposit.0'),
      publishes('customer', 'posts a swap', 'wallet.post-swap.0'),
    ],
    move: [
      publishes('customer', "lifts a merchant's limits", 'wallet.change-policy.0'),
      publishes('customer', 'holds a payout', 'wallet.hold-payout.0'),
      publishes('customer', 'executes a quote', 'swap.execute-swap'),
      listens('customer', "answers in the ledger's place", 'wallet.hold-payout.*'),
      publishes('customer', 'answers what the gateway has asked the ledger', '_INBOX_gateway.1.1'),
      saysWhoseKeyItIs,
    ],
    hide: [
      publishes('customer', 'tells of a payout that never came to its end', 'ledger.0.payout-completed'),
      publishes('customer', "deletes the ledger's facts", '$JS.API.STREAM.DELETE.LEDGER'),
      calls(
        "closes an account with the bus's key alone",
        closeCustomerAccount,
        ({ ada }) => ({
          user: 'customer',
          keysOf: null,
          shard: ada.shard,
          body: closing(ada.merchantId, ada.customerId),
        }),
        NO_CALLER,
      ),
      calls(
        "closes in the merchant's shard the account of a customer who has money",
        closeCustomerAccount,
        ({ ada }) => ({ user: 'customer', shard: ada.shard, body: closing(ada.merchantId, ada.customerId) }),
        'customer_not_empty',
      ),
      closesWhileMoneyIsHeld,
      closesInAnotherShard,
      does(
        'closes the account of a customer who has none',
        'running',
        noticedBy('the merchant', 'at the next request about that customer, which is refused', 'customer_closed'),
        async ({ bus, people: { ada } }) => {
          const { id } = await dataOf(ada.client.post<{ id: string }>('/individual-customers', individual()));
          await bus.call(closeCustomerAccount, closing(ada.merchantId, id), { user: 'customer', shard: ada.shard });
          const { body } = await ada.client.post('/wallets', { customer_id: id, currency: 'NGN' });
          return { became: 'noticed', shown: body.code ?? 'answered' };
        },
      ),
    ],
    undo: [publishes('customer', 'reverses a payout', 'wallet.resolve-payout.0')],
    read: [
      publishes('customer', 'reads a wallet', 'wallet.get-wallet'),
      listens('customer', "hears the gateway's answers", '_INBOX_gateway.>'),
    ],
  },
  'swap-pricing': SWAP_PRICING,
  payout: {
    mint: [
      publishes('payout', 'posts a swap', 'wallet.post-swap.0'),
      calls(
        "records a deposit with the bus's key alone",
        recordDeposit,
        ({ mallory }) => ({ user: 'payout', keysOf: null, shard: mallory.shard, ...forgedDeposit(mallory, 'sandbox') }),
        NO_CALLER,
      ),
      calls(
        'records one of the sandbox for a merchant who asks for nothing',
        recordDeposit,
        ({ mallory }) => ({ user: 'payout', shard: mallory.shard, ...forgedDeposit(mallory, 'sandbox') }),
        'unavailable wrong_proof',
      ),
      calls(
        'records another one of the sandbox than a merchant has just asked for',
        recordDeposit,
        ({ mallory }) => {
          const deposit = forgedDeposit(mallory, 'sandbox');
          const asked = { operation: simulateDeposit, body: { ...deposit.body, amount: '1' } };
          return { user: 'payout', shard: mallory.shard, ...asTest(mallory), asked, ...deposit };
        },
        'unavailable wrong_proof',
      ),
      calls(
        'records one of the sandbox for a live merchant',
        recordDeposit,
        ({ live }) => ({ user: 'payout', shard: live.shard, ...asLive(live), ...forgedDeposit(live, 'sandbox') }),
        'rail_unavailable',
      ),
      calls(
        'says that a live merchant, whose request it has, is one of the sandbox',
        recordDeposit,
        ({ live, mallory }) => ({
          ...{ user: 'payout', shard: live.shard, ...asTest(mallory) },
          ...forgedDeposit(live, 'sandbox'),
        }),
        'unavailable wrong_proof',
      ),
      calls(
        'records one that a chain has seen, as it says',
        recordDeposit,
        ({ live }) => ({ user: 'payout', shard: live.shard, ...asLive(live), ...forgedDeposit(live, 'chain') }),
        'unavailable wrong_evidence',
      ),
      calls(
        'records one without any evidence',
        recordDeposit,
        ({ mallory }) => ({
          ...{ user: 'payout', shard: mallory.shard, ...asTest(mallory) },
          body: forgedDeposit(mallory, 'sandbox').body,
        }),
        'unavailable no_evidence',
      ),
    ],
    move: [
      publishes('payout', "lifts a merchant's limits", 'wallet.change-policy.0'),
      publishes('payout', 'holds a payout', 'wallet.hold-payout.0'),
      publishes('payout', 'has a transfer signed', 'signer.sign-transfer'),
      listens('payout', "answers in the signer's place", 'signer.sign-transfer'),
    ],
    hide: [
      publishes('payout', 'tells of a payout that never came to its end', 'ledger.0.payout-completed'),
      publishes(
        'payout',
        "acknowledges another consumer's facts, so that it never has them",
        '$JS.ACK.LEDGER.customer.1.1.1.1.1',
      ),
      does(
        'says that a payout has arrived which waits for an approval',
        'running',
        refusedBy('the ledger', 'invalid_transition'),
        (site) => {
          const { merchant, payout } = site.waiting;
          const { body, evidence } = forgedSettlement({ ...merchant, payoutId: payout.id }, 'COMPLETED');
          return refusalOf(site, () =>
            site.bus.call(resolvePayout, body, { user: 'payout', shard: merchant.shard, evidence }),
          );
        },
      ),
      does(
        'says that a payout has arrived which the screening holds, and was not sent',
        'running',
        noticedBy(
          'the recipient',
          "who has nothing; an auditor, who holds the log against the bank's statement, or by audit solvency",
          'COMPLETED',
        ),
        async ({ bus, people: { mallory } }) => {
          const { id: payoutId } = await heldPayout(mallory);
          const { body, evidence } = forgedSettlement({ ...mallory, payoutId }, 'COMPLETED');
          const { result } = await bus.call(resolvePayout, body, { user: 'payout', shard: mallory.shard, evidence });
          return { became: 'noticed', shown: result.status };
        },
      ),
      publishes(
        'payout',
        'closes the account of a customer, so that it can be erased',
        'wallet.close-customer-account.0',
      ),
    ],
    undo: [
      publishes('payout', 'cancels a transfer, as operators do', 'chain.cancel-transfer'),
      calls(
        "says that a payout came back, with the bus's key alone",
        resolvePayout,
        ({ ada }) => ({ user: 'payout', keysOf: null, shard: ada.shard, ...forgedSettlement(ada, 'REVERSED') }),
        NO_CALLER,
      ),
      calls(
        'says that a payout failed which has arrived',
        resolvePayout,
        ({ ada }) => ({ user: 'payout', shard: ada.shard, ...forgedSettlement(ada, 'FAILED') }),
        'invalid_transition',
      ),
      does(
        'says that a payout came back which did not',
        'running',
        noticedBy(
          'the merchant',
          "at once, by the event payout.reversed; an auditor, who holds the log against the bank's statement, or by audit solvency",
          'payout.reversed',
        ),
        async ({ bus, people: { mallory } }) => {
          const { body, evidence } = forgedSettlement(mallory, 'REVERSED');
          await bus.call(resolvePayout, body, { user: 'payout', shard: mallory.shard, evidence });
          const told = async () => {
            const events = await dataOf(mallory.client.get<{ type: string }[]>('/events'));
            return events.find(({ type }) => type === 'payout.reversed')?.type;
          };
          return { became: 'noticed', shown: await eventually('the event of it', told) };
        },
      ),
    ],
    read: [
      publishes('payout', 'reads transactions', 'wallet.list-transactions'),
      publishes('payout', "takes another consumer's facts", '$JS.API.CONSUMER.MSG.NEXT.LEDGER.customer'),
    ],
  },
  chain: {
    mint: [
      publishes('chain', 'posts a swap', 'wallet.post-swap.0'),
      calls(
        "records a deposit with the bus's key alone",
        recordDeposit,
        ({ live }) => ({ user: 'chain', keysOf: null, shard: live.shard, ...forgedDeposit(live, 'chain') }),
        NO_CALLER,
      ),
      calls(
        "records one of the sandbox, in payout's place",
        recordDeposit,
        ({ mallory }) => ({
          ...{ user: 'chain', shard: mallory.shard, ...asTest(mallory) },
          ...forgedDeposit(mallory, 'sandbox'),
        }),
        'unavailable wrong_evidence',
      ),
      calls(
        'records one of naira that names no network, so that a bank would seem to have brought it',
        recordDeposit,
        ({ live }) => ({ user: 'chain', shard: live.shard, ...forgedDeposit(live, 'chain', NO_TRANSFER) }),
        'unavailable wrong_evidence',
      ),
      does(
        'records one that is on no chain',
        'running',
        noticedBy(
          'an auditor',
          'by audit solvency, which asks nodes of his own choice; the log names the service, with its signature',
          '"service":"chain"',
        ),
        async ({ bus, databases, people: { mallory } }) => {
          const { body, evidence } = forgedDeposit(mallory, 'chain');
          const { result } = await bus.call(recordDeposit, body, { user: 'chain', shard: mallory.shard, evidence });
          const [first] = await databases.ledger.rows<{ body: string }>(
            `SELECT body FROM ledger_events WHERE transaction = '${result.id}' ORDER BY position LIMIT 1`,
          );
          return { became: 'noticed', shown: first?.body ?? '' };
        },
      ),
    ],
    move: [
      publishes('chain', "lifts a merchant's limits", 'wallet.change-policy.0'),
      publishes('chain', 'holds a payout', 'wallet.hold-payout.0'),
      asksSigner('has a payment to himself signed', () => [forgedTransfer()], 'order_missing'),
      asksSigner(
        'has it signed under the order of another payment',
        ({ bus }) => [forgedTransfer({}, ordered({ signed: bus.signedBy('payout') }))],
        'wrong_order',
      ),
      asksSigner(
        'orders it himself',
        ({ bus }) => [forgedTransfer({ to: ACCOMPLICE, units: '1000000' }, ordered({ signed: bus.signedBy('chain') }))],
        'wrong_order',
      ),
      asksSigner(
        'has a payment of an accomplice signed twice',
        ({ bus }) => {
          const order = ordered({ signed: bus.signedBy('payout') });
          return [1, 2].map(() => forgedTransfer({ to: ACCOMPLICE, units: '1000000' }, order));
        },
        'order_paid',
      ),
    ],
    hide: [
      publishes('chain', 'tells of a deposit that never was', 'ledger.0.deposit-completed'),
      publishes(
        'chain',
        'closes the account of a customer, so that it can be erased',
        'wallet.close-customer-account.0',
      ),
    ],
    undo: [
      publishes('chain', 'reverses a payout', 'wallet.resolve-payout.0'),
      calls(
        "reverses a deposit with the bus's key alone",
        reverseDeposit,
        ({ ada }) => ({
          ...{ user: 'chain', keysOf: null, shard: ada.shard },
          body: { merchant_id: ada.merchantId, id: ada.payoutId, command_id: randomUUID(), input_hash: '0'.repeat(64) },
        }),
        NO_CALLER,
      ),
      calls(
        'reverses a deposit that another service has recorded',
        reverseDeposit,
        ({ ada }) => {
          const about = { merchant_id: ada.merchantId, id: ada.depositId, command_id: randomUUID() };
          return {
            ...{ user: 'chain', shard: ada.shard, body: { ...about, input_hash: '0'.repeat(64) } },
            evidence: { type: 'deposit-end', rail: 'chain', to: 'REVERSED', ...about },
          };
        },
        'unavailable not_a_caller',
      ),
      calls(
        "has a payout's end be refused, by a deposit under the id of its command",
        recordDeposit,
        ({ ada }) => {
          const { body, evidence } = forgedDeposit(ada, 'chain');
          const command_id = endOfPayout(ada.payoutId);
          const said = { body: { ...body, command_id }, evidence: { ...evidence, command_id } };
          return { user: 'chain', shard: ada.shard, ...said };
        },
        'unavailable wrong_evidence',
      ),
      reversesItsOwn,
    ],
    read: [
      publishes('chain', 'reads transactions', 'wallet.list-transactions'),
      publishes('chain', 'reads customers', 'customer.get-customer'),
    ],
  },
  backoffice: {
    mint: [
      publishes('backoffice', 'records a deposit', 'wallet.record-deposit.0'),
      publishes('backoffice', 'posts a swap', 'wallet.post-swap.0'),
      publishes('backoffice', 'asks the sandbox for a deposit', 'payout.simulate-deposit'),
    ],
    move: [
      holdsWithoutOrder,
      holdsByAnotherOrder,
      holdsForAnotherDestination,
      holdsByItsOwnPasskey,
      swapsWithoutOrder,
      swapsByAnotherOrder,
      approvesWithoutPasskey,
      approvesByTheWrongSignature,
      approvesByItsOwnPasskey,
      makesItselfAKey,
      publishes('backoffice', "lifts a merchant's limits", 'wallet.change-policy.0'),
      listens('backoffice', "answers in the ledger's place", 'wallet.hold-payout.*'),
    ],
    hide: [publishes('backoffice', 'closes the account of a customer', 'wallet.close-customer-account.0')],
    undo: [publishes('backoffice', 'reverses a payout', 'wallet.resolve-payout.0'), rejectsForNoMember],
    read: [
      does(
        'has a destination opened for a merchant whose people ask for nothing',
        'running',
        noticedBy(
          'an operator',
          "at a look at the customer service's metrics: more is opened than merchants ask for",
          'customer.open-sealed',
        ),
        (site) => hasDestinationOpened(site, 'backoffice'),
      ),
      publishes('backoffice', 'reads one customer', 'customer.get-customer'),
      readsAsAnOfficer,
      listens('backoffice', "hears the ledger's facts of all merchants", 'ledger.>'),
      hasEventsSentElsewhere,
      listens('backoffice', "hears the gateway's answers", '_INBOX_gateway.>'),
    ],
  },
} as const satisfies Record<string, Row>;
