import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { CallerSecret } from '@stablecoin/command-proofs/caller-secret';
import { SignedText } from '@stablecoin/command-proofs/command-mac';
import { signEvidence } from '@stablecoin/command-proofs/evidence';
import { Order } from '@stablecoin/command-proofs/order';
import { orderHash } from '@stablecoin/command-proofs/order-signature';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { Act } from '@stablecoin/people-store/acts';
import { Orders } from '@stablecoin/people-store/orders';
import { PeopleSeal } from '@stablecoin/people-store/people-seal';
import { MerchantMember, signerOf } from '../commands/merchant-member';
import { ConsoleRefusal } from '../http/console-refusal';
import { DeviceAnswer } from '../passkeys/device-answer';
import { PasskeySignatures } from '../passkeys/passkey-signatures';

/** Long enough to read what is going to happen, and too short for prices to be another's. */
const ORDER_MS = 180_000;

/** What the person is shown, and what is going to be asked for with the signature. */
interface Issued<Ordered extends Order, Command> {
  order: Ordered;
  command: Command;
}

type Kind = Order['type'];
type OrderOf<Type extends Kind> = Extract<Order, { type: Type }>;

/**
 * Orders between the page that shows them and the passkey that signs them. They are kept nowhere: the page holds the order, sealed, and
 * gives it back with the device's answer. What makes it count once is its command id, which is drawn here and is part of what is signed.
 */
@Injectable()
export class OrderSigning {
  constructor(
    private readonly seal: PeopleSeal,
    private readonly signatures: PasskeySignatures,
    private readonly orders: Orders,
    private readonly secret: CallerSecret,
  ) {}

  /** The terms that each order has, whatever is ordered. */
  terms({ session, merchant }: MerchantMember) {
    const { merchant_id, mode } = merchant;
    const valid_until = new Date(Date.now() + ORDER_MS).toISOString();
    return { merchant_id, mode, ...signerOf(session), command_id: randomUUID(), valid_until };
  }

  /** What the page shows and the passkey signs. */
  async issue<Ordered extends Order, Command>(issued: Issued<Ordered, Command>, { session }: MerchantMember) {
    const hash = orderHash(issued.order);
    const options = await this.signatures.optionsFor(hash.toString('base64url'), session);
    const order = this.seal.seal(session.person_id, 'order', JSON.stringify(issued));
    return { order, terms: issued.order, hash: hash.toString('hex'), options };
  }

  /**
   * What was issued to this member, is in time, and is signed by a passkey of the person's.
   *
   * @throws ConsoleRefusal
   */
  async taken<Type extends Kind, Command>(
    type: Type,
    sealed: string,
    answer: DeviceAnswer,
    act: (order: OrderOf<Type>) => Act,
    { session }: MerchantMember,
  ): Promise<Issued<OrderOf<Type>, Command> & { evidence: SignedText; input_hash: string }> {
    const { order, command } = this.opened<OrderOf<Type>, Command>(type, sealed, session.person_id);
    const { key_id, signer_id } = signerOf(session);
    const isOwn = order.key_id === key_id && order.signer_id === signer_id;
    if (!isOwn || Date.parse(order.valid_until) <= Date.now()) throw new ConsoleRefusal('order_over');
    const hash = orderHash(order);
    const { use, signed } = await this.signatures.over(hash.toString('base64url'), answer, session);
    if (!(await this.orders.record(use, act(order), session))) throw new ConsoleRefusal('passkey_refused');
    const evidence = signEvidence(this.secret, { ...order, ...signed });
    return { order, command, evidence, input_hash: hash.toString('hex') };
  }

  private opened<Ordered extends Order, Command>(type: Kind, sealed: string, personId: string) {
    const { order, command } = JSON.parse(this.textOf(sealed, personId)) as Issued<Ordered, Command>;
    if (order.type !== type) throw notIssued();
    return { order, command };
  }

  private textOf(sealed: string, personId: string): string {
    try {
      return this.seal.open(personId, 'order', sealed);
    } catch {
      throw notIssued();
    }
  }
}

const notIssued = () => Refusal.ofField('order', 'invalid_value', 'must be an order that was shown to you');
