/**
 * Events outlive the versions of this program. A stored event is never rewritten: its text stays as it was hashed, and a
 * reader gets it in today's shape, upcast step by step from its own version.
 *
 * To change the shape of an event: raise its `version` in events.ts, add the step from the version before to UPCASTERS,
 * run `npm run schemas`, and commit the new schema beside the old one and a log fixture of the new version.
 */
import { LedgerEvent } from './events';

/** An event as some version of the program stored it. */
export interface StoredEvent {
  readonly type: string;
  readonly version: number;
  readonly [field: string]: unknown;
}

/** Gives the event in the shape of the next version: a pure function of the event. */
export type Upcaster = (event: StoredEvent) => StoredEvent;

/** By event type, then by the version that the step starts from. */
export type Upcasters = Readonly<Record<string, Readonly<Record<number, Upcaster>>>>;

export type CurrentVersions = {
  readonly [Type in LedgerEvent['type']]: Extract<LedgerEvent, { type: Type }>['version'];
};

/** The versions that this program writes, and the only ones that its folds know. */
export const CURRENT_VERSIONS: CurrentVersions = {
  WalletOpened: 1,
  DepositAddressAdded: 1,
  CustomerClosed: 1,
  DebitPosted: 1,
  CreditPosted: 1,
  TransactionStatusChanged: 1,
  PolicyChanged: 1,
  PolicyApplied: 1,
  PayoutApproved: 1,
  PayoutReleased: 1,
  PayoutRejected: 1,
};

/** Every event is still in its first version. */
export const UPCASTERS: Upcasters = {};

/**
 * The event in today's shape.
 *
 * @throws Error for a type or version that this program does not know: a newer version wrote it, or another program
 */
export function upcast(stored: StoredEvent, upcasters: Upcasters = UPCASTERS): LedgerEvent {
  const current = Object.hasOwn(CURRENT_VERSIONS, stored.type)
    ? CURRENT_VERSIONS[stored.type as LedgerEvent['type']]
    : undefined;
  if (current === undefined)
    throw new Error(`${stored.type} is an event that this version of the program does not know`);
  let event = stored;
  while (event.version !== current) {
    const step = event.version < current ? upcasters[event.type]?.[event.version] : undefined;
    if (!step) {
      const known = `this version of the program knows ${current}`;
      throw new Error(`${event.type} version ${event.version} cannot be read: ${known}`);
    }
    event = { ...step(event), type: event.type, version: event.version + 1 };
  }
  return event as unknown as LedgerEvent;
}
