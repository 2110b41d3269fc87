/** Does what the steps of one schedule say. */
import { tokenOf } from '@stablecoin/chains/tokens';
import { Drawing } from '@stablecoin/testing/drawing';
import type { FaultRule } from '@stablecoin/testing/node-fault-proxy';
import type { Hex } from 'viem';
import type { Ground } from '../ground/ground';
import type { TrialService } from '../ground/services';
import type { ChainRecord } from '../oracle/chain-record';
import type { TrialWallet } from '../oracle/deposits';
import type { Killed, NodeFaultName, Step } from '../schedule/schedule';
import { look } from './look';
import { ruleOf } from './node-faults';
import type { PayoutRequests } from './payout-requests';
import type { PaidCall } from '../ground/payers';
import { offer, replaceBlocks } from './replaced-blocks';

const LAG_BLOCKS = 5;
const MADE_UP_UNITS = 77_000_000n;
const MILLIONTHS = 6;
/** What keeps transfers from being seen where they are. */
const HIDING: readonly NodeFaultName[] = ['leaves out transfers', 'has other blocks'];

export class Actor {
  /** A node has told of other blocks, or left out what is in them. */
  wereHidden = false;
  private readonly rules: [FaultRule[], FaultRule[]] = [[], []];
  private readonly gone: Hex[] = [];
  private readonly kills = new Set<Promise<unknown>>();

  constructor(
    private readonly ground: Ground,
    private readonly record: ChainRecord,
    private readonly wallets: readonly TrialWallet[],
    private readonly payouts: PayoutRequests,
  ) {}

  async perform(step: Step): Promise<void> {
    const { chain, databases, payers } = this.ground;
    switch (step.kind) {
      case 'deposit':
        await payers.pay(this.callOf(step));
        return;
      case 'payout':
        this.payouts.request(step.currency, step.units);
        return;
      case 'mine':
        return this.mine(step.blocks);
      case 'reorganise':
        return this.reorganise(step.depth, new Drawing(step.draw));
      case 'send again':
        for (const raw of this.gone.splice(0)) await offer(chain, raw);
        return;
      case 'kill':
        return this.kill(step.what);
      case 'kill as it sends':
        this.killAtSending(step.moment, step.node);
        return;
      case 'end backends':
        return databases.endBackends(step.database, new Drawing(step.draw));
      case 'node fault':
        return this.spoil(step.node, step.fault, step.ofTen);
      case 'nodes heal':
        this.heal();
        return;
    }
  }

  async mine(blocks: number): Promise<void> {
    await this.ground.chain.mine(blocks);
    await look(this.ground.chain, this.record);
  }

  heal(): void {
    for (const node of this.ground.nodes) node.heal();
    for (const rules of this.rules) rules.splice(0);
  }

  /** Until what was killed has ended. */
  async killed(): Promise<void> {
    await Promise.all(this.kills);
  }

  private callOf({ shape, wallets, units }: Extract<Step, { kind: 'deposit' }>): PaidCall {
    const { network, payers } = this.ground;
    const transfers = wallets.map((index, place) => {
      const wallet = this.wallets[index];
      if (!wallet) throw new Error(`there is no wallet ${index}`);
      const decimals = tokenOf(network, wallet.currency)?.decimals ?? MILLIONTHS;
      const to = wallet.address as Hex;
      // Where the token is finer than the ledger, with a rest.
      const rest = decimals > MILLIONTHS ? 7n : 0n;
      return {
        currency: wallet.currency,
        to,
        units: BigInt(units[place] ?? 0) * 10n ** BigInt(decimals - MILLIONTHS) + rest,
      };
    });
    const [{ currency, to, units: first } = { currency: 'USDT' as const, to: '0x' as const, units: 0n }] = transfers;
    switch (shape) {
      case 'one transfer':
        return payers.transfer(currency, to, first);
      case 'several in one transaction':
        return payers.batch(transfers);
      case 'of nothing':
        return payers.transfer(currency, to, 0n);
      case 'of another currency':
        return payers.transfer(currency === 'USDT' ? 'USDC' : 'USDT', to, first);
      case 'of an unlisted token':
        return payers.transferOfUnlisted(to, first);
      case 'reverted':
        return payers.transfer(currency, to, 2n ** 200n);
    }
  }

  private async reorganise(depth: number, draw: Drawing): Promise<void> {
    const { chain, hot } = this.ground;
    await look(chain, this.record);
    this.gone.push(...(await replaceBlocks(chain, { depth, draw, hot, final: this.record.final })));
    await look(chain, this.record);
  }

  private async kill(what: Killed): Promise<void> {
    if (what === 'broker') await this.ground.broker.killAndRevive();
    else await this.killService(what);
  }

  private async killService(service: TrialService): Promise<void> {
    const { services, databases } = this.ground;
    if (!(await services.kill(service))) return;
    if (service === 'chain') await databases.endLeasesOfChain();
    if (service === 'payout') await databases.endLeasesOfPayout();
  }

  /** Once: what comes after the restart is let through. */
  private killAtSending(moment: 'before' | 'after', node: 0 | 1): void {
    let isOver = false;
    const kill = () => {
      isOver = true;
      const killed = this.killService('chain');
      this.kills.add(killed);
      return killed;
    };
    const isFirst = () => !isOver;
    const methods = ['eth_sendRawTransaction'];
    const after = async (answer: unknown) => {
      if (!isOver) await kill();
      return answer;
    };
    const before = () => {
      if (isOver) return false;
      void kill();
      return true;
    };
    this.rules[node].unshift(
      moment === 'after'
        ? { methods, where: isFirst, fault: { kind: 'lies', about: after } }
        : { methods, where: before, fault: { kind: 'cut-before' } },
    );
    this.ground.nodes[node].inject(...this.rules[node]);
  }

  private async spoil(index: 0 | 1, fault: NodeFaultName, ofTen: number): Promise<void> {
    const { chain, nodes, network } = this.ground;
    const node = nodes[index];
    if (HIDING.includes(fault)) this.wereHidden = true;
    if (fault === 'lags') {
      node.lagBy(LAG_BLOCKS);
      return;
    }
    if (fault === 'loses the latest transactions') {
      for (const hash of await this.latestTransactions()) node.hide(hash);
      return;
    }
    const [wallet] = this.wallets;
    const token = wallet && tokenOf(network, wallet.currency);
    if (!token) throw new Error('there is no wallet to lie of');
    const heightOf = async (hash: Hex) =>
      (await chain.call<{ number: Hex } | null>('eth_getBlockByHash', hash, false))?.number ?? '0x0';
    const madeUp = { token: token.address, to: wallet.address as Hex, units: MADE_UP_UNITS, heightOf };
    const rule = ruleOf(fault, ofTen, madeUp);
    if (rule) this.rules[index].push(rule);
    node.inject(...this.rules[index]);
  }

  private async latestTransactions(): Promise<Hex[]> {
    const { transactions } = await this.ground.chain.call<{ transactions: Hex[] }>(
      'eth_getBlockByNumber',
      'latest',
      false,
    );
    const { pending } = await this.ground.chain.call<{ pending: Record<string, Record<string, { hash: Hex }>> }>(
      'txpool_content',
    );
    return [...transactions, ...Object.values(pending).flatMap((each) => Object.values(each).map(({ hash }) => hash))];
  }
}
