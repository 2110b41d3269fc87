import fc from 'fast-check';
import { METHOD } from '../../writes';
import { Currency } from '../amounts';
import { sameFields } from '../disagreement';
import { MERCHANT, Method, Model, OwnerName, Verdict } from '../model';
import { agreed, Step } from '../step';
import { World } from '../world';
import { isKeyed, ownerField, ownerName, pick, picked } from './owners';

class AddMethod extends Step {
  readonly words: string;

  constructor(
    private readonly owner: OwnerName,
    private readonly type: 'BANK' | 'WALLET',
    private readonly currency: Currency,
    private readonly isKeyed: boolean,
  ) {
    super();
    this.words = `save a ${type === 'BANK' ? `bank account in ${currency}` : 'crypto address'} of ${owner}`;
  }

  protected isPossible(model: Model): boolean {
    return model.exists(this.owner);
  }

  async perform(model: Model, world: World): Promise<void> {
    const { owner, type } = this;
    const bank = { currency: this.currency, account_number: '0123456789', bank_code: '011' };
    const said = type === 'BANK' ? bank : METHOD;
    const answer = await world.write<Method>(this, this.isKeyed, {
      path: type === 'BANK' ? '/payout/methods/banks' : '/payout/methods/wallets',
      body: { ...said, ...ownerField(model.idOf(owner)) },
      other: type === 'BANK' ? { bank_code: '99' } : { label: 'another' },
    });
    if (!agreed(world, answer, model.isClosed(owner) ? 'customer_closed' : null)) return;
    sameFields('the method', { type, ...said, customer_id: model.idOf(owner) }, answer.body.data);
    model.methods.push({ id: answer.body.data.id, owner, type, currency: said.currency });
  }
}

class DeleteMethod extends Step {
  readonly words: string;

  constructor(
    private readonly index: number,
    private readonly named: 'its owner' | OwnerName,
    private readonly isKeyed: boolean,
  ) {
    super();
    this.words = `delete payout method number ${index}, naming ${named}`;
  }

  protected isPossible(model: Model): boolean {
    const isThere = this.named === 'its owner' || (model.exists(this.named) && !model.isClosed(this.named));
    return model.methods.length > 0 && isThere;
  }

  async perform(model: Model, world: World): Promise<void> {
    const method = picked(model.methods, this.index);
    const owner = this.named === 'its owner' ? method.owner : this.named;
    world.saying(`delete a ${method.type} payout method of ${method.owner}, naming ${owner}`);
    const answer = await world.write(this, this.isKeyed, {
      method: 'DELETE',
      path: `/payout/methods/${method.id}`,
      body: ownerField(model.idOf(owner)),
    });
    const closed: Verdict = model.isClosed(owner) ? 'customer_closed' : null;
    if (!agreed(world, answer, owner === method.owner ? closed : 'not_found')) return;
    model.methods.splice(model.methods.indexOf(method), 1);
  }
}

const named = fc.constantFrom<'its owner' | OwnerName>('its owner', 'its owner', 'its owner', MERCHANT, 'Ada', 'Bea');
const type = fc.constantFrom<'BANK' | 'WALLET'>('BANK', 'WALLET');
const currency = fc.constantFrom<Currency>('NGN', 'USD');

export const methodAdditions = fc.tuple(ownerName, type, currency, isKeyed).map((drawn) => new AddMethod(...drawn));
export const methodDeletions = fc.tuple(pick, named, isKeyed).map((drawn) => new DeleteMethod(...drawn));
