/**
 * One pass over one lane: everything that leaves one address on one network, in the order of its nonces.
 *
 * | phase  | asks                                     | decides                  | stores, each in a commit of its own          |
 * |--------|------------------------------------------|--------------------------|----------------------------------------------|
 * | finish | the signer, for exactly what it may have | (refusals.ts)            | the bytes; or the nonce back                 |
 * |        | signed already                           |                          |                                              |
 * | look   | each node: what is mined of the address, | (decide-sent.ts)         | terms, then bytes, of what replaces or       |
 * |        | receipts, what is in its pool            |                          | cancels one; where all others stand; ends    |
 * |        |                                          |                          | and fees                                     |
 * | take   | each node: balances, whether it would    | (decide-waiting.ts,      | the nonce with the terms; then the bytes;    |
 * |        | go through; the signer                   | next-nonce.ts)           | then a node has them                         |
 *
 * Between any two of these the process may end: what is stored says how to go on. A nonce is stored before the signer is
 * asked, and bytes before a node has them, so that nothing can be in the chain that is not stored here.
 */
import { Injectable, Logger } from '@nestjs/common';
import { TransferHold } from '@stablecoin/contracts/chain/views';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { instruments } from '@stablecoin/telemetry/metrics/instruments';
import { ChainConfiguration } from '../chain.configuration';
import { AttemptTerms, isSigned, isUndecided, SignedAttempt } from './attempt';
import { Broadcasting } from './broadcasting';
import { ChainNow } from './chain-now';
import { decideSent, SentDecision } from './decide-sent';
import { decideWaiting, UnderWay, UNDER_WAY_MAX } from './decide-waiting';
import { feeLimit } from './fees';
import { LaneSights, MinedByNode, PLAIN_TRANSFER_GAS } from './lane-sights';
import { HeldLane, LaneStore, OpenTransfer, TransferEnd, TransferPlace } from './lane-store';
import { nextNonce } from './next-nonce';
import { afterRefusal } from './refusals';
import { Lane, OutgoingTransfer } from './transfer';
import { TransferSigning } from './transfer-signing';

/** Of those that wait, looked at in a pass. One that is held is looked at again later, so that others have their turn. */
const WAITING_MAX = 100;
const HELD_MS = 3_000;
/** Well below the lease. What a pass has not come to is the first of the next one. */
const TAKING_MS_MAX = 10_000;
/** How long a nonce has to be used up before a cancelled transfer ends for it, in times of CHAIN_REPLACE_AFTER_MS. */
const GIVE_UP_AFTER = 10;

/** Whether the lane can give more nonces now. */
type Course = 'on' | 'stop';

/** What a pass has seen in blocks, of all that it has looked at. */
interface SeenInBlocks {
  places: TransferPlace[];
  ends: TransferEnd[];
}

/** What a pass knows of its lane when it comes to what waits. */
interface LaneNow {
  held: HeldLane;
  mined: MinedByNode;
  /** Read again only where the pass has changed something. */
  openNow: () => OpenTransfer[] | Promise<OpenTransfer[]>;
}

@Injectable()
export class LanePass {
  private readonly log = new Logger(LanePass.name);

  constructor(
    private readonly store: LaneStore,
    private readonly sights: LaneSights,
    private readonly signing: TransferSigning,
    private readonly broadcasting: Broadcasting,
    private readonly configuration: ChainConfiguration,
  ) {}

  /** @throws LaneLost, or what the database throws */
  async pass(lane: Lane, chain: ChainNow): Promise<void> {
    const held = await this.store.hold(lane);
    if (!held) return;
    const { isDecided, open } = await this.finishUndecided(lane, chain);
    const mined = await this.sights.mined(lane, chain);
    let course: Course = isDecided ? 'on' : 'stop';
    let isChanged = false;
    const seen: SeenInBlocks = { places: [], ends: [] };
    for (const each of open) {
      if (each.transfer.state !== 'sent' || awaitsFinality(each.transfer, mined, chain)) continue;
      const looked = await this.look(lane, chain, { ...each, mined, seen });
      isChanged ||= looked.isChanged;
      if (looked.course === 'stop') course = 'stop';
    }
    await this.storeSeen(lane, seen);
    const openNow = () => (isChanged ? this.store.open(lane) : open);
    if (course === 'on') await this.takeWaiting(lane, chain, { mined, held, openNow });
  }

  /** @returns not decided where the signer does not say: what comes after has to wait for it */
  private async finishUndecided(lane: Lane, chain: ChainNow): Promise<{ isDecided: boolean; open: OpenTransfer[] }> {
    const open = await this.store.open(lane);
    const undecided = open.flatMap(({ transfer, attempts }) => {
      const attempt = attempts.find(isUndecided);
      return attempt ? [{ transfer, attempt }] : [];
    });
    if (undecided.length === 0) return { isDecided: true, open };
    let isDecided = true;
    for (const { transfer, attempt } of undecided) {
      isDecided = (await this.signAndSend(lane, chain, transfer, attempt)) === 'on';
      if (!isDecided) break;
    }
    return { isDecided, open: await this.store.open(lane) };
  }

  private async look(
    lane: Lane,
    chain: ChainNow,
    { mined, seen, ...open }: OpenTransfer & { mined: MinedByNode; seen: SeenInBlocks },
  ): Promise<{ course: Course; isChanged: boolean }> {
    const { transfer, attempts } = open;
    const sight = await this.sights.ofSent(lane, chain, open, mined);
    const settings = { now: Date.now(), replaceAfterMs: this.configuration.replaceAfterMs };
    const decision = decideSent(transfer, attempts, sight, settings);
    if (transfer.heldBy === 'nonce_taken' && decision.do !== 'give-up') await this.store.holdBack(transfer, null);
    return { course: await this.follow(lane, chain, { ...open, seen }, decision), isChanged: decision.do !== 'wait' };
  }

  private async follow(
    lane: Lane,
    chain: ChainNow,
    { seen, ...open }: OpenTransfer & { seen: SeenInBlocks },
    decision: SentDecision,
  ): Promise<Course> {
    const { transfer } = open;
    const { network } = lane;
    switch (decision.do) {
      case 'finish':
        seen.ends.push({ transfer, ...decision, heldBy: null });
        return 'on';
      case 'hold':
        seen.ends.push({ transfer, ...decision, failure: null, heldBy: decision.by });
        return 'on';
      case 'stand':
        seen.places.push({ transfer, found: decision });
        return 'on';
      case 'doubt':
        instruments.chain_node_disagreements_total.inc({ network });
        this.log.error(`${network}: the nodes disagree, ${transfer.reference} does not end: ${decision.reason}`);
        return 'on';
      case 'give-up':
        return this.giveUp(lane, transfer, decision.cancelled);
      case 'sign':
        await this.store.stand(lane, [{ transfer, found: null }]);
        return this.signAgain(lane, chain, open, decision);
      case 'broadcast':
        await this.broadcast(chain, transfer, decision.attempt);
        // After it: until then the row says that the transaction has to go out again.
        await this.store.stand(lane, [{ transfer, found: null }]);
        return 'on';
      case 'wait':
        return 'on';
    }
  }

  /** A block has a dozen payouts: all of them in one commit each. What is lost with the process is seen again. */
  private async storeSeen(lane: Lane, { places, ends }: SeenInBlocks): Promise<void> {
    const { network } = lane;
    await this.store.stand(lane, places);
    await this.store.finish(lane, ends);
    for (const { transfer, attempt, failure, heldBy } of ends) {
      const { reference } = transfer;
      instruments.chain_transfers_ended_total.inc({ network, outcome: heldBy ?? failure ?? 'completed' });
      if (heldBy !== null)
        this.log.error({
          msg: `${network}: ${reference} is final and successful, and without the transfer that was ordered`,
          hash: attempt.hash,
        });
      else
        this.log.log({
          msg: failure === null ? 'completed' : `failed: ${failure}`,
          ...{ network, reference, hash: attempt.hash },
        });
    }
  }

  /** The chain's nonce at a final block is past it, and no transaction of ours is there. */
  private async giveUp(lane: Lane, transfer: OutgoingTransfer, isCancelled: boolean): Promise<Course> {
    const heldMs = transfer.heldBy === 'nonce_taken' ? Date.now() - transfer.updatedAt.getTime() : 0;
    // A node whose receipts lag behind its nonces answers like this about a transaction that is mined, but not for so long.
    if (isCancelled && heldMs > GIVE_UP_AFTER * this.configuration.replaceAfterMs) {
      await this.store.giveUp(lane, transfer);
      return 'on';
    }
    await this.store.holdBack(transfer, 'nonce_taken');
    this.reportNonceTaken(lane, `nonce ${transfer.nonce} of ${transfer.reference}`);
    return 'stop';
  }

  private reportNonceTaken({ network, fromAddress }: Lane, what: string): void {
    this.log.error(
      `${network}: ${fromAddress} sends nothing more: the chain has a final transaction that is not ours at ${what}`,
    );
  }

  private async signAgain(
    lane: Lane,
    chain: ChainNow,
    { transfer, attempts }: OpenTransfer,
    { cancels, fees, after }: Extract<SentDecision, { do: 'sign' }>,
  ): Promise<Course> {
    const number = attempts.filter(isSigned).length + 1;
    const terms: AttemptTerms = { number, cancels, gas: cancels ? PLAIN_TRANSFER_GAS : after.gas, ...fees };
    await this.store.addAttempt(lane, transfer, terms);
    const course = await this.signAndSend(lane, chain, transfer, terms);
    if (course === 'on')
      instruments.chain_transfer_replacements_total.inc({ network: lane.network, cancels: String(cancels) });
    return course;
  }

  private async takeWaiting(lane: Lane, chain: ChainNow, { mined, held, openNow }: LaneNow): Promise<void> {
    const { firstNonce, isResumed } = held;
    const waiting = await this.store.waiting(lane, WAITING_MAX);
    const [oldest] = waiting;
    if (!oldest) return;
    // A sweep only brings tokens to the hot wallet: ordered again, it finds none.
    const mayBeginLater = isResumed || oldest.from.kind === 'deposit';
    const lastNonce = await this.store.lastNonce(lane);
    const needsFinal =
      firstNonce === null || mined.some((count) => count !== undefined && count > (lastNonce ?? -1) + 1);
    const minedFinally = needsFinal ? await this.sights.minedFinally(lane, chain) : undefined;
    const next = nextNonce({ lastNonce, firstNonce, mayBeginLater, mined, minedFinally });
    if ('hold' in next) {
      if (next.hold === 'nonce_taken') this.reportNonceTaken(lane, 'a nonce that we never gave');
      for (const transfer of waiting) await this.store.holdBack(transfer, next.hold, HELD_MS);
      return;
    }
    await this.takeFrom(lane, chain, { waiting, open: await openNow(), first: next.nonce });
  }

  private async takeFrom(
    lane: Lane,
    chain: ChainNow,
    { waiting, open, first }: { waiting: readonly OutgoingTransfer[]; open: readonly OpenTransfer[]; first: number },
  ): Promise<void> {
    const underWay = underWayOf(open, chain);
    let nonce = first;
    const until = Date.now() + TAKING_MS_MAX;
    for (const transfer of waiting) {
      if (Date.now() > until) return;
      const market = await chain.market();
      const sights = underWay.count < UNDER_WAY_MAX ? await this.sights.ofWaiting(chain, transfer) : [];
      const decision = decideWaiting(transfer, sights, underWay, market);
      // A turn comes by itself.
      if (decision.do === 'hold' && decision.by === 'turn') return;
      if (decision.do === 'hold') await this.store.holdBack(transfer, decision.by, HELD_MS);
      if (decision.do === 'fail') await this.store.failUnsigned(transfer, decision.failure);
      if (decision.do !== 'send') continue;
      const terms: AttemptTerms = { number: 1, cancels: false, gas: decision.gas, ...decision.fees };
      if (!(await this.store.take(lane, transfer, nonce, terms))) continue;
      const taken = { ...transfer, nonce };
      const outcome = await this.signed(lane, taken, terms);
      if (outcome === 'stop') return;
      if (outcome === 'refused') continue;
      await this.broadcast(chain, taken, outcome);
      addTo(underWay, transfer, terms);
      nonce += 1;
    }
  }

  private async signAndSend(
    lane: Lane,
    chain: ChainNow,
    transfer: OutgoingTransfer,
    terms: AttemptTerms,
  ): Promise<Course> {
    const outcome = await this.signed(lane, transfer, terms);
    if (outcome === 'stop') return 'stop';
    // One that is to be cancelled is stored, as it may be signed, and no node gets it before its cancellation.
    const isWanted = terms.cancels || transfer.cancelledBy === null;
    if (outcome !== 'refused' && isWanted) await this.broadcast(chain, transfer, outcome);
    return 'on';
  }

  /** @returns `stop` where the signer does not say, or would refuse the lane's next one as well */
  private async signed(
    lane: Lane,
    transfer: OutgoingTransfer,
    terms: AttemptTerms,
  ): Promise<SignedAttempt | 'refused' | 'stop'> {
    const answer = await this.signing.sign(transfer, terms).catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
      this.log.warn({ msg: `${lane.network}: the signer does not answer`, reference: transfer.reference, err: error });
      return undefined;
    });
    if (!answer) return 'stop';
    if ('signed' in answer) {
      await this.store.storeSigned(lane, transfer, terms, answer.signed);
      return { ...terms, ...answer.signed, refused: null, createdAt: new Date(), broadcastAt: null };
    }
    const after = afterRefusal(answer.refused);
    const retryMs = this.configuration.replaceAfterMs;
    if (transfer.state === 'waiting')
      await this.store.giveBack(lane, transfer, terms, answer.refused, 'hold' in after ? { ...after, retryMs } : after);
    else {
      const hold: TransferHold = 'hold' in after ? after.hold : 'signer';
      await this.store.refuseAttempt(lane, transfer, terms, answer.refused, { hold, retryMs });
    }
    return 'hold' in after && after.of === 'lane' ? 'stop' : 'refused';
  }

  private async broadcast(chain: ChainNow, transfer: OutgoingTransfer, attempt: SignedAttempt): Promise<void> {
    const outcome = await this.broadcasting.send(chain, transfer, attempt);
    const isNews = outcome === 'taken' || (outcome === 'had' && attempt.broadcastAt === null);
    if (isNews) await this.store.markBroadcast(transfer, attempt);
  }
}

/**
 * It stands in a block that is not final, and no node has lost it: there is nothing to learn until it is. For a hundred
 * payouts and the quarter of an hour that Ethereum takes, these are most questions.
 */
function awaitsFinality(
  { nonce, blockNumber }: OutgoingTransfer,
  mined: MinedByNode,
  { finalHeight }: ChainNow,
): boolean {
  if (nonce === null || blockNumber === null) return false;
  const isFinal = finalHeight !== undefined && blockNumber <= finalHeight;
  return !isFinal && mined.every((count) => count === undefined || count > nonce);
}

/** What is in no block that every answering node has: the balances that they tell still contain it. */
function underWayOf(open: readonly OpenTransfer[], { heads }: ChainNow): UnderWay {
  const lowest = Math.min(...[...heads.values()].map(({ number }) => number));
  const underWay: UnderWay = { count: 0, tokens: {}, coins: 0n };
  for (const { transfer, attempts } of open) {
    const newest = attempts.at(-1);
    const isMined = transfer.blockNumber !== null && transfer.blockNumber <= lowest;
    if (newest && !isMined) addTo(underWay, transfer, newest);
  }
  return underWay;
}

function addTo(underWay: UnderWay, { currency, units }: OutgoingTransfer, terms: AttemptTerms): void {
  underWay.count += 1;
  underWay.coins += feeLimit(terms) + (currency === null ? units : 0n);
  if (currency !== null) underWay.tokens[currency] = (underWay.tokens[currency] ?? 0n) + units;
}
