import { setTimeout as delay } from 'node:timers/promises';
import { Hash } from '@stablecoin/chain-node/chain-node';
import { SimulateChainDeposit, simulateChainDeposit } from '@stablecoin/contracts/chain/simulate-deposit';
import { TransactionView } from '@stablecoin/contracts/wallet/views';
import { CommandReply } from '@stablecoin/contracts/wire/merchant-request';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { Handles } from '@stablecoin/messaging/handles';
import { currentRequest, freshRequestContext } from '@stablecoin/messaging/request-context';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { DepositRow } from '../deposits/deposit-rows';
import { DepositSteps } from '../deposits/deposit-steps';
import { Faucet } from './faucet';
import { DepositPlace, FaucetStore } from './faucet-store';

const LOOK_EVERY_MS = 50;
/** The rest of a request's time, for the answer's way back. */
const ANSWER_MS = 300;

/**
 * The deposit is the watcher's: it is seen, recorded and credited like any other. Here it is only sent and waited for. What
 * is answered is what the ledger has stored as the result of recording it, however far the deposit is by then.
 */
@Handles(simulateChainDeposit)
export class SimulateDepositHandler {
  constructor(
    private readonly faucet: Faucet,
    private readonly store: FaucetStore,
    private readonly steps: DepositSteps,
  ) {}

  async execute(command: SimulateChainDeposit): Promise<CommandReply<TransactionView>> {
    return asRefusal(async () => {
      const replayed = (await this.store.find(command)) !== undefined;
      if (!replayed && command.objection) throw new Refusal(command.objection);
      const hash = await this.faucet.send(command, await this.placeOf(command));
      return { result: await this.steps.recorded(await this.depositOf(command, hash)), replayed };
    });
  }

  private placeOf(command: SimulateChainDeposit): Promise<DepositPlace> {
    return inTime(() => this.store.placeOf(command));
  }

  private async depositOf(command: SimulateChainDeposit, hash: Hash): Promise<DepositRow> {
    const deposit = await inTime(() => this.store.depositOf(command, hash));
    const { unrecognised_reason: reason } = deposit;
    if (reason === null) return deposit;
    throw new Refusal(reason === 'customer_closed' ? 'customer_closed' : 'not_found');
  }
}

/** @throws Refusal `unavailable`, by which the same command may be sent again */
async function inTime<Value>(look: () => Promise<Value | undefined>): Promise<Value> {
  const { deadline } = currentRequest() ?? freshRequestContext();
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (Date.now() + LOOK_EVERY_MS > deadline - ANSWER_MS) throw new Refusal('unavailable');
    await delay(LOOK_EVERY_MS);
  }
}
