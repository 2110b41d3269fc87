import fc from 'fast-check';
import { Wallet as WalletResponse } from '../../resources';
import { Currency, isStablecoin, NETWORKS_OF, printed } from '../amounts';
import { sameFields } from '../disagreement';
import { Model, OwnerName } from '../model';
import { agreed, Step } from '../step';
import { World } from '../world';
import { currency, isKeyed, ownerField, ownerName, pick, picked } from './owners';

class OpenWallet extends Step {
  readonly words: string;

  constructor(
    private readonly owner: OwnerName,
    private readonly currency: Currency,
    private readonly network: string | undefined,
    private readonly isKeyed: boolean,
  ) {
    super();
    this.words = `open a ${currency} wallet${network === undefined ? '' : ` on ${network}`} for ${owner}`;
  }

  protected isPossible(model: Model): boolean {
    return model.exists(this.owner);
  }

  async perform(model: Model, world: World): Promise<void> {
    const { owner, currency, network } = this;
    await world.quiet(model, model.wallet(owner, currency));
    const answer = await world.write<WalletResponse>(this, this.isKeyed, {
      path: '/wallets',
      body: { ...ownerField(model.idOf(owner)), currency, ...(network !== undefined && { network }) },
      other: { description: 'another' },
    });
    if (!agreed(world, answer, model.refusesWallet(owner, currency, network))) return;
    const { data } = answer.body;
    const wallet = model.openWallet(data.id, owner, currency, network);
    const networks = data.addresses.map((address) => address.network);
    const customer_id = model.idOf(owner);
    const expected = {
      id: wallet.id,
      currency,
      balance: printed(wallet.balance),
      customer_id,
      networks: wallet.networks,
    };
    sameFields('a wallet', expected, { ...data, networks });
  }
}

class LookUpWallet extends Step {
  readonly words: string;

  constructor(
    private readonly owner: OwnerName,
    private readonly currency: Currency,
  ) {
    super();
    this.words = `look ${owner}'s ${currency} wallet up`;
  }

  protected isPossible(model: Model): boolean {
    return model.wallet(this.owner, this.currency) !== undefined;
  }

  async perform(model: Model, world: World): Promise<void> {
    const wallet = model.wallet(this.owner, this.currency);
    if (!wallet) return;
    await world.quiet(model, wallet);
    const answer = await world.read<WalletResponse>(`/wallets/${wallet.id}`);
    agreed(world, answer, null);
    sameFields('the wallet', { id: wallet.id, balance: printed(wallet.balance) }, answer.body.data);
  }
}

/** Mostly as it must be: a network for a stablecoin, none for fiat. */
const openings = fc
  .tuple(ownerName, currency, pick, fc.nat({ max: 19 }), isKeyed)
  .map(([owner, of, index, odd, keyed]) => {
    const isNamed = odd === 0 ? !isStablecoin(of) : isStablecoin(of);
    const networks = isStablecoin(of) ? NETWORKS_OF[of] : NETWORKS_OF.USDC;
    return new OpenWallet(owner, of, isNamed ? picked(networks, index) : undefined, keyed);
  });
const lookUps = fc.tuple(ownerName, currency).map((drawn) => new LookUpWallet(...drawn));

export { openings as walletOpenings, lookUps as walletLookUps };
