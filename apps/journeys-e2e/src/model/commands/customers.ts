import { individual, uniqueEmail, uniquePhone } from '@stablecoin/testing/person';
import fc from 'fast-check';
import { business } from '../../people';
import { sameFields } from '../disagreement';
import { CustomerName, CUSTOMERS, Model } from '../model';
import { agreed, Step } from '../step';
import { World } from '../world';
import { customerName, isKeyed } from './owners';

interface Person {
  id: string;
  email: string;
  phone: string;
  status: string;
  personal_info?: { first_name: string | null };
  business_info?: { business_name: string | null };
}

/** Whose e-mail and phone a request gives: new ones, or those that another customer has. */
type Contact = 'own' | CustomerName;

const contactOf = (model: Model, contact: Contact) => (contact === 'own' ? undefined : model.customer(contact));

class RegisterCustomer extends Step {
  readonly words: string;

  constructor(
    private readonly name: CustomerName,
    private readonly email: Contact,
    private readonly phone: Contact,
    private readonly isKeyed: boolean,
  ) {
    super();
    const taken = [email !== 'own' && `${email}'s e-mail`, phone !== 'own' && `${phone}'s phone`].filter(Boolean);
    this.words = `register ${name}${taken.length > 0 ? ` with ${taken.join(' and ')}` : ''}`;
  }

  protected isPossible(model: Model): boolean {
    const areThere = [this.email, this.phone].every((contact) => contact === 'own' || model.exists(contact));
    return !model.exists(this.name) && areThere;
  }

  async perform(model: Model, world: World): Promise<void> {
    const email = contactOf(model, this.email)?.email.toUpperCase() ?? uniqueEmail();
    const phone = contactOf(model, this.phone)?.phone ?? uniquePhone();
    const type = CUSTOMERS[this.name];
    const body =
      type === 'individual'
        ? individual({ first_name: this.name, email, phone })
        : business({ business_name: this.name, email, phone });
    const answer = await world.write<Person>(this, this.isKeyed, {
      path: `/${type}-customers`,
      body,
      other: { phone_country_code: '+44' },
    });
    if (!agreed(world, answer, model.refusesContact(email, phone), 201)) return;
    const { id } = answer.body.data;
    sameFields(
      this.name,
      { customer_type: type, email: email.toLowerCase(), phone, status: 'active' },
      answer.body.data,
    );
    model.customers.push({
      name: this.name,
      id,
      email: email.toLowerCase(),
      phone,
      status: 'active',
      called: this.name,
    });
  }
}

type Change = 'name' | 'new contact' | 'the other type' | CustomerName;

class UpdateCustomer extends Step {
  readonly words: string;

  constructor(
    private readonly name: CustomerName,
    private readonly change: Change,
    private readonly isKeyed: boolean,
  ) {
    super();
    const what = {
      name: 'another name',
      'new contact': 'a new e-mail and phone',
      'the other type': 'fields of the other type',
    };
    this.words = `update ${name}: ${change in what ? what[change as keyof typeof what] : `${change}'s e-mail`}`;
  }

  protected isPossible(model: Model): boolean {
    const isOpen = model.exists(this.name) && !model.isClosed(this.name);
    if (this.change === 'the other type') return isOpen;
    return model.exists(this.name) && (!(this.change in CUSTOMERS) || model.exists(this.change as CustomerName));
  }

  async perform(model: Model, world: World): Promise<void> {
    const customer = model.customer(this.name);
    if (!customer) return;
    const isPerson = CUSTOMERS[this.name] === 'individual';
    const asPerson = this.change === 'the other type' ? !isPerson : isPerson;
    const called = `${this.name} the Second`;
    const named = asPerson ? { first_name: called } : { business_name: called };
    const other = model.customer(this.change as CustomerName);
    const contact =
      this.change === 'new contact' ? { email: uniqueEmail(), phone: uniquePhone() } : { email: other?.email };
    const isOfNames = this.change === 'name' || this.change === 'the other type';
    const change: { email?: string; phone?: string } = isOfNames ? {} : contact;
    const answer = await world.write<Person>(this, this.isKeyed, {
      method: 'PUT',
      path: `/${asPerson ? 'individual' : 'business'}-customers/${customer.id}`,
      body: { ...named, ...change },
      other: { phone_country_code: '+44' },
    });
    const verdict = asPerson === isPerson ? model.refusesUpdate(this.name, change) : 'customer_type_mismatch';
    if (!agreed(world, answer, verdict)) return;
    Object.assign(customer, { called, ...(change.email && change) });
    sameFields(this.name, { id: customer.id, email: customer.email, phone: customer.phone }, answer.body.data);
  }
}

class CloseCustomer extends Step {
  readonly words: string;

  constructor(
    private readonly name: CustomerName,
    private readonly isKeyed: boolean,
  ) {
    super();
    this.words = `close ${name}`;
  }

  protected isPossible(model: Model): boolean {
    return model.exists(this.name);
  }

  async perform(model: Model, world: World): Promise<void> {
    await world.settled(
      model,
      model.transactions.filter(({ wallet }) => wallet.owner === this.name),
    );
    const customer = model.customer(this.name);
    if (!customer) return;
    const answer = await world.write<Person>(this, this.isKeyed, { path: `/customers/${customer.id}/close` });
    if (!agreed(world, answer, model.refusesClosing(this.name))) return;
    customer.status = 'closed';
    sameFields(this.name, { id: customer.id, status: 'closed' }, answer.body.data);
  }
}

class LookUpCustomer extends Step {
  readonly words: string;

  constructor(private readonly name: CustomerName) {
    super();
    this.words = `look ${name} up`;
  }

  protected isPossible(model: Model): boolean {
    return model.exists(this.name);
  }

  async perform(model: Model, world: World): Promise<void> {
    const { id, email, phone, status, called } = model.customer(this.name) ?? {};
    const answer = await world.read<Person>(`/customers/${id}`);
    agreed(world, answer, null);
    const { data } = answer.body;
    sameFields(this.name, { id, email, phone, status }, data);
    const printed =
      CUSTOMERS[this.name] === 'individual' ? data.personal_info?.first_name : data.business_info?.business_name;
    sameFields(this.name, { name: called }, { name: printed });
  }
}

const contact = fc.oneof({ weight: 5, arbitrary: fc.constant<Contact>('own') }, { weight: 1, arbitrary: customerName });
const change = fc.oneof(
  fc.constantFrom<Change>('name', 'new contact', 'the other type', 'the other type'),
  customerName,
);

export const registrations = fc
  .tuple(customerName, contact, contact, isKeyed)
  .map((drawn) => new RegisterCustomer(...drawn));
export const customerUpdates = fc.tuple(customerName, change, isKeyed).map((drawn) => new UpdateCustomer(...drawn));
export const closures = fc.tuple(customerName, isKeyed).map((drawn) => new CloseCustomer(...drawn));
export const customerLookUps = customerName.map((name) => new LookUpCustomer(name));
