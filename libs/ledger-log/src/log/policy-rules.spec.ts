import { LedgerEvent, RecordedEvent } from '@stablecoin/ledger-domain/events';
import { LedgerState } from '@stablecoin/ledger-domain/ledger-state';
import { DrivenLog, judgedLog } from '../testing/driven-log';
import { ruleBroken } from './ledger-rules';

const log = judgedLog(1);
const ANOTHER = { key_id: log.id(), signer_id: log.id() };

/** The first rule that a log breaks, with the event that breaks it. */
function firstBroken(events: readonly RecordedEvent[]): string | undefined {
  const state = new LedgerState();
  for (const recorded of events) {
    const problem = ruleBroken(state, recorded);
    if (problem) return `${recorded.event.type}: ${problem}`;
    state.apply(recorded);
  }
  return undefined;
}

type Of<Type> = Extract<LedgerEvent, { type: Type }>;

/** The log with each event of a type, or the `nth` one of them, changed. */
function changed<Type extends LedgerEvent['type']>(
  type: Type,
  change: (event: Of<Type>, recorded: RecordedEvent) => Partial<Of<Type>>,
  nth?: number,
  of: DrivenLog = log,
): RecordedEvent[] {
  let found = 0;
  return of.events.map((recorded) => {
    if (recorded.event.type !== type) return recorded;
    found += 1;
    if (nth !== undefined && found !== nth) return recorded;
    const fields = change(recorded.event as Of<Type>, recorded);
    return { ...recorded, event: { ...recorded.event, ...fields } };
  });
}

const without = (type: LedgerEvent['type']) => log.events.filter(({ event }) => event.type !== type);

it('the log that the ledger wrote breaks none', () => {
  expect(firstBroken(log.events)).toBeUndefined();
});

it.each<[string, () => RecordedEvent[], string]>([
  [
    'a policy out of turn',
    () => changed('PolicyChanged', () => ({ policy_version: 7 }), 2),
    'PolicyChanged: is version 7 of the policy, after which version 2 was missing',
  ],
  [
    'a limit that was passed',
    () =>
      changed('PolicyChanged', ({ policy }) => ({
        policy: { ...policy, limits: [{ currency: 'USD', per: 'merchant', within: 'day', amount: '100.00000000' }] },
      })),
    'DebitPosted: is over the limit of the merchant per day',
  ],
  [
    'a count that was passed',
    () =>
      changed('PolicyChanged', ({ policy }) => ({
        policy: { ...policy, limits: [{ currency: 'USD', per: 'destination', within: 'hour', count: 1 }] },
      })),
    'DebitPosted: is over the limit of the destination per hour',
  ],
  [
    'a currency that the policy does not name',
    () => changed('PolicyChanged', ({ policy }) => ({ policy: { ...policy, limits: [] } })),
    'DebitPosted: the policy lets no USD go out',
  ],
  [
    'a payout that was never judged',
    () => changed('DebitPosted', () => ({ judged: undefined })),
    "TransactionStatusChanged: COMPLETED, of a payout that its merchant's policy never judged",
  ],
  [
    'a payout that should wait, and was never judged',
    () => without('PolicyApplied'),
    'PayoutApproved: approves a payout that waits for no approval',
  ],
  [
    'a judgement by a policy that is not there, in an opening',
    () => changed('DebitPosted', ({ judged }) => ({ judged: judged && { ...judged, policy_version: 7 } })),
    'DebitPosted: judges by a policy that is not in force',
  ],
  [
    'a payout let go by its opening, that needs an approval',
    () =>
      changed('DebitPosted', ({ opens, judged, transaction }) => ({
        judged: judged ?? (opens && judgementOf(transaction)),
      }))
        .filter(({ event }) => event.type !== 'PolicyApplied')
        .map((recorded) => ({ ...recorded, movement: acceptedInstead(recorded.movement) })),
    'DebitPosted: lets a payout go that needs an approval',
  ],
  [
    'a payout that is let go by its opening, and waits all the same',
    () =>
      changed('DebitPosted', ({ opens, judged, transaction }) => ({
        judged: judged ?? (opens && judgementOf(transaction)),
      })),
    'DebitPosted: lets a payout go that has to wait',
  ],
  [
    'a swap that is judged as a payout',
    () =>
      changed('DebitPosted', ({ opens, judged }) => ({
        opens: judged && opens && { ...opens, transaction_type: 'INTERNAL TRANSFER' as const },
      })),
    'DebitPosted: a payout-accepted opens no INTERNAL TRANSFER',
  ],
  [
    'a judgement by an older policy',
    () => changed('PolicyApplied', () => ({ policy_version: 1 }), 3),
    'PolicyApplied: judges by a policy that is not in force',
  ],
  [
    'a payout sent without waiting',
    () =>
      log.events.map((recorded) =>
        recorded.movement === 'payout-waiting' ? { ...recorded, movement: 'payout-accepted' as const } : recorded,
      ),
    'PolicyApplied: lets a payout go that has to wait',
  ],
  [
    'an approval that was left out',
    () =>
      log.events.map((recorded) =>
        recorded.event.type === 'PolicyApplied' && recorded.event.approval
          ? {
              ...recorded,
              movement: 'payout-accepted' as const,
              event: { ...recorded.event, approval: undefined, created_by: undefined },
            }
          : recorded,
      ),
    'PolicyApplied: lets a payout go that needs an approval',
  ],
  [
    'fewer approvals than the policy asks for',
    () => changed('PolicyApplied', ({ approval }) => ({ approval: approval && { ...approval, approvers: 1 } }), 3),
    'PolicyApplied: asks for other approvals than its policy',
  ],
  [
    'another content',
    () => changed('PolicyApplied', ({ approval }) => ({ approval: approval && { ...approval, hash: 'f'.repeat(64) } })),
    'PolicyApplied: asks to approve other than what is sent',
  ],
  [
    'no creator',
    () => changed('PolicyApplied', ({ approval }) => (approval ? { created_by: undefined } : {})),
    'PolicyApplied: does not say who created a payout that waits',
  ],
  [
    'an approval by the creator',
    () => changed('PolicyApplied', () => ({ created_by: { ...ANOTHER, signer_id: approverOf() } })),
    'PayoutApproved: approves a payout of its own signer',
  ],
  [
    'an approval of changed bytes',
    () => changed('PayoutApproved', () => ({ approval_hash: 'f'.repeat(64) })),
    'PayoutApproved: approves other than what is sent',
  ],
  [
    'two approvals of one signer',
    () => changed('PayoutApproved', () => ({ signer: ANOTHER })),
    'PayoutApproved: approves twice by one signer',
  ],
  [
    'a payout let go without an approval',
    () => without('PayoutApproved'),
    'PayoutReleased: lets a payout go without its approvals',
  ],
  [
    'a payout settled without being let go',
    () => without('PayoutReleased'),
    'TransactionStatusChanged: COMPLETED, of a payout that waits for cooling_off',
  ],
  [
    'a wait that was ended too soon',
    () => changed('PayoutRejected', () => ({ signer: undefined })),
    'PayoutRejected: ends a wait for approvals before its time',
  ],
])('%s', (_name, events, problem) => {
  expect(firstBroken(events())).toBe(problem);
});

function judgementOf(payout: string) {
  const judged = log.events
    .map(({ event }) => event)
    .find((event) => event.type === 'PolicyApplied' && event.transaction === payout) as Of<'PolicyApplied'> | undefined;
  return judged && { policy_version: judged.policy_version, destination: judged.destination };
}

const acceptedInstead = (movement: RecordedEvent['movement']) =>
  movement === 'payout-waiting' ? 'payout-accepted' : movement;

function approverOf(): string {
  const approved = log.events.find(({ event }) => event.type === 'PayoutApproved')?.event;
  return (approved as Of<'PayoutApproved'>).signer.signer_id;
}
