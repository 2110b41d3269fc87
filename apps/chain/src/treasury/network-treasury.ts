/**
 * One pass over what we hold on a network: reads it from the chain, then orders what has to be moved. Every decision is made
 * from what this pass has read at one block, and each order has a name that the same decision derives again, so that a
 * pass may end anywhere.
 *
 * | phase  | reads                                               | writes                                   |
 * |--------|-----------------------------------------------------|------------------------------------------|
 * | ours   | hot wallet and cold address, tokens and coins; fees | holdings, the fee of a transfer          |
 * | look   | addresses of deposits that have become final since, | holdings, how far it has looked          |
 * |        | and some more of all addresses, in turn             |                                          |
 * | sweep  | again: addresses with more than the threshold       | orders of coins and of sweeps            |
 * | cold   | the hot wallet as it was read                       | orders to the cold address               |
 */
import { Injectable, Logger } from '@nestjs/common';
import { Block, Hex } from '@stablecoin/chain-node/chain-node';
import { EvmNetwork } from '@stablecoin/chains/chains';
import { TOKEN_CURRENCIES, TokenCurrency } from '@stablecoin/chains/tokens';
import { SignerDescription } from '@stablecoin/contracts/signer/describe';
import { instruments } from '@stablecoin/telemetry/metrics/instruments';
import { ChainConfiguration } from '../chain.configuration';
import { Fees } from '../transfers/fees';
import { OurKeys } from '../transfers/our-keys';
import { OtherTerms, TransferOrder } from '../transfers/transfer';
import { TransferStore } from '../transfers/transfer-store';
import { Balances } from './balances';
import { decideSweep, decideToCold, SweepCase } from './decide-treasury';
import { DerivedAddresses } from './derived-addresses';
import { limitUnits } from './limits';
import { AddressOrders, Asset, Candidate, COINS, Place, ReadHolding, TreasuryStore } from './treasury-store';

/** Of one pass. */
const DEPOSITS_MAX = 200;
const ROUND_MAX = 20;
const SWEEPS_MAX = 50;
/** Of a token, with room: for the question how many of them the hot wallet's coins pay for. */
const TRANSFER_GAS = 85_000n;
/** Until the coins for a sweep are final, fees may have risen by so much. */
const FEE_ROOM_PERCENT = 25n;

const ASSETS: readonly Asset[] = [...TOKEN_CURRENCIES, COINS];
const lower = (address: string): Hex => address.toLowerCase() as Hex;

/** Of a network, as the signer describes it. */
interface OurAddresses {
  hot: Hex;
  cold: Hex | undefined;
  parent: string;
}

/**
 * `unread`: the network is not walked yet, or its nodes do not all answer; nothing was done. `behind`: there are more
 * deposits to look at than one pass takes.
 */
type PassOutcome = 'unread' | 'behind' | 'done';

/** What a pass stands on. */
interface Pass {
  network: EvmNetwork;
  block: Block;
  ours: OurAddresses;
  market: Fees | undefined;
}

@Injectable()
export class NetworkTreasury {
  private readonly log = new Logger(NetworkTreasury.name);

  constructor(
    private readonly keys: OurKeys,
    private readonly store: TreasuryStore,
    private readonly balances: Balances,
    private readonly derived: DerivedAddresses,
    private readonly transfers: TransferStore,
    private readonly configuration: ChainConfiguration,
  ) {}

  async pass(network: EvmNetwork): Promise<PassOutcome> {
    const ours = addressesOf(network, await this.keys.describe());
    const walked = await this.store.walked(network);
    const block = walked && (await this.balances.commonBlock(network, walked.tip));
    if (!walked || !block) return 'unread';
    const pass: Pass = { network, block, ours, market: await this.balances.fees(network) };
    const held = await this.readOurs(pass);
    const isBehind = await this.look(pass, walked.final);
    await this.sweep(pass);
    await this.limitHot(pass, held);
    return isBehind ? 'behind' : 'done';
  }

  private async readOurs({ network, block, ours, market }: Pass): Promise<ReadHolding[]> {
    const named = ours.cold === undefined ? [ours.hot] : [ours.hot, ours.cold];
    const placeOf = (address: Hex): Place => (address === ours.hot ? 'hot' : address === ours.cold ? 'cold' : 'former');
    const asked = [...named, ...(await this.store.formerAddresses(network, named))].flatMap((address) =>
      ASSETS.map((asset) => ({ address, asset, place: placeOf(address) })),
    );
    const read = await this.balances.read(network, block, asked);
    await this.store.store(network, block.number, read);
    if (market) await this.store.storeTransferFee(network, TRANSFER_GAS * market.maxFeePerGas);
    return read;
  }

  private async look({ network, block, ours }: Pass, final: number): Promise<boolean> {
    const readable = Math.min(final, block.number);
    const { held, upTo } = await this.store.sinceLastLook(network, readable, DEPOSITS_MAX);
    const round = await this.store.nextOfRound(network, ROUND_MAX);
    const ofRound = round.flatMap((address) => ASSETS.map((asset) => ({ address, asset })));
    const due = [...held.map(({ address, currency }) => ({ address, asset: currency })), ...ofRound]
      .filter(({ address }) => address !== ours.hot && address !== ours.cold)
      .map((holding) => ({ ...holding, place: 'deposit' as const }));
    const read = await this.balances.read(network, block, unique(due));
    await this.store.store(network, block.number, read);
    // What the nodes did not agree on is read again by the next pass.
    const isRead = held.every(({ address, currency }) =>
      read.some((holding) => holding.address === address && holding.asset === currency),
    );
    if (isRead) await this.store.lookedUpTo(network, upTo);
    await this.store.roundAfter(network, round.at(-1));
    return isRead && upTo < readable;
  }

  private async sweep(pass: Pass): Promise<void> {
    const { network, ours, market } = pass;
    if (!market) return;
    const found: Candidate[] = await this.store.heldForGas(network, SWEEPS_MAX);
    for (const currency of TOKEN_CURRENCIES) {
      const threshold = limitUnits(this.configuration.sweepAbove, network, currency);
      if (threshold !== undefined)
        found.push(...(await this.store.candidates(network, currency, threshold, SWEEPS_MAX)));
    }
    await this.derived.find(
      ours.parent,
      found.filter(({ index }) => index === null).map(({ address }) => address),
    );
    const known = found.filter((candidate): candidate is Known => candidate.index !== null);
    // Of two tokens at an address the second is swept once the first is: they share its coins.
    for (const sweep of oneByAddress(await this.cases(pass, market, known))) {
      const order = decideSweep(sweep, ours.hot);
      if (order) await this.order(order);
    }
  }

  /** Everything that decides on these, read at the pass's block. */
  private async cases(
    { network, block, ours }: Pass,
    market: Fees,
    candidates: readonly Known[],
  ): Promise<SweepCase[]> {
    const asked = candidates.flatMap(({ address, currency }) =>
      [currency, COINS as Asset].map((asset) => ({ address, asset, place: 'deposit' as const })),
    );
    const read = await this.balances.read(network, block, unique(asked));
    await this.store.store(network, block.number, read);
    const addresses = candidates.map(({ address }) => address);
    const replaceable = await this.store.replaceable(network, addresses, block.number);
    const orders = await this.store.ordersOf(
      network,
      candidates.map(({ index }) => index),
    );
    const unitsOf = (address: Hex, asset: Asset) =>
      read.find((holding) => holding.address === address && holding.asset === asset)?.units;
    const cases: SweepCase[] = [];
    for (const { address, index, currency } of candidates) {
      const [balance, coins] = [unitsOf(address, currency), unitsOf(address, COINS)];
      const before = orders.filter((order) => order.index === index);
      // What has moved meanwhile is not in what this block says.
      const isOlder = before.some(({ block_number }) => block_number !== null && block_number > BigInt(block.number));
      if (balance === undefined || coins === undefined || isOlder) continue;
      const units = balance - (replaceable.get(`${address}:${currency}`) ?? 0n);
      const gas = await this.balances.transferGas(network, { currency, from: address, to: ours.hot, units: balance });
      if (gas === undefined) continue;
      cases.push({
        ...{ network, address, index, currency, units, coins },
        threshold: limitUnits(this.configuration.sweepAbove, network, currency) ?? balance,
        fee: (gas * market.maxFeePerGas * (100n + FEE_ROOM_PERCENT)) / 100n,
        ...historyOf(before, currency),
      });
    }
    return cases;
  }

  private async limitHot({ network, block, ours }: Pass, held: readonly ReadHolding[]): Promise<void> {
    const [leaving, before] = [
      await this.store.leavingHot(network, block.number),
      await this.store.toColdOrders(network),
    ];
    for (const { place, asset, units } of held) {
      if (place !== 'hot' || asset === COINS) continue;
      const orders = before.find(({ currency }) => currency === asset);
      // What went there meanwhile is not in what this block says.
      if ((orders?.block_number ?? -1n) > BigInt(block.number)) continue;
      const order = decideToCold(
        {
          ...{
            network,
            currency: asset,
            units,
            leaving: leaving.get(asset) ?? 0n,
            limits: this.hotLimits(network, asset),
          },
          ...{ isToColdOpen: orders?.is_open ?? false, toColdEnded: orders?.ended ?? 0 },
          failedMsAgo: orders?.failed_ms_ago ?? undefined,
        },
        ours.hot,
        ours.cold,
      );
      if (order) await this.order(order);
    }
  }

  private hotLimits(network: EvmNetwork, currency: TokenCurrency): { maximum: bigint; target: bigint } | undefined {
    const maximum = limitUnits(this.configuration.hotMax, network, currency);
    const target = limitUnits(this.configuration.hotTarget, network, currency);
    return maximum === undefined || target === undefined ? undefined : { maximum, target };
  }

  private async order(order: TransferOrder): Promise<void> {
    const { reference, network, kind, units, currency, toAddress } = order;
    try {
      await this.transfers.order(order);
    } catch (error) {
      if (!(error instanceof OtherTerms)) throw error;
      // Another instance has decided the same from another block: its order stands.
      this.log.warn(`${reference} was ordered meanwhile, with other terms`);
      return;
    }
    instruments.chain_treasury_orders_total.inc({ network, kind });
    this.log.log(`${reference}: ${units} ${currency ?? 'wei'} to ${toAddress}`);
  }
}

type Known = Candidate & { index: number };

function addressesOf(network: EvmNetwork, { hot, cold, evm_parent }: SignerDescription): OurAddresses {
  return { hot: lower(hot[network]), cold: cold === null ? undefined : lower(cold), parent: evm_parent };
}

function historyOf(orders: readonly AddressOrders[], currency: TokenCurrency) {
  const gas = orders.find(({ kind }) => kind === 'gas');
  const sweeps = orders.filter(({ kind }) => kind === 'sweep');
  const ofToken = sweeps.find((order) => order.currency === currency);
  const open = sweeps.find(({ is_open }) => is_open);
  const failures = [gas, ofToken].flatMap((order) => order?.failed_ms_ago ?? []);
  return {
    openSweep: open && { heldBy: open.held_by },
    isGasOpen: gas?.is_open ?? false,
    sweepsEnded: ofToken?.ended ?? 0,
    gasEnded: gas?.ended ?? 0,
    failedMsAgo: failures.length === 0 ? undefined : Math.min(...failures),
  };
}

function oneByAddress(cases: readonly SweepCase[]): SweepCase[] {
  return [...new Map(cases.map((sweep) => [sweep.address, sweep])).values()];
}

function unique<Asked extends { address: Hex; asset: Asset }>(asked: readonly Asked[]): Asked[] {
  return [...new Map(asked.map((holding) => [`${holding.address}:${holding.asset}`, holding])).values()];
}
