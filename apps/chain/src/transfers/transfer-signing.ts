import { Injectable, Logger } from '@nestjs/common';
import { Hex } from '@stablecoin/chain-node/chain-node';
import { signTransfer } from '@stablecoin/contracts/signer/sign-transfer';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { freshRequestContext, withRequestContext } from '@stablecoin/messaging/request-context';
import { instruments } from '@stablecoin/telemetry/metrics/instruments';
import { keccak256 } from 'viem/utils';
import { AttemptTerms, requestOf } from './attempt';
import { OurKeys } from './our-keys';
import { isOurFault, isSigningRefusal, SigningObstacle } from './refusals';
import { OutgoingTransfer } from './transfer';

type Signing = { signed: { raw: Hex; hash: Hex } } | { refused: SigningObstacle };

/** Asks the signer for one transaction. */
@Injectable()
export class TransferSigning {
  private readonly log = new Logger(TransferSigning.name);

  constructor(
    private readonly bus: BusClient,
    private readonly keys: OurKeys,
  ) {}

  /** @throws Refusal `unavailable`: whether it was signed is not known, and the same has to be asked for again */
  async sign(transfer: OutgoingTransfer, terms: AttemptTerms): Promise<Signing> {
    return withRequestContext(freshRequestContext(), async () => {
      if (!(await this.isOfTheseKeys(transfer))) return this.refused(transfer, 'other_key');
      try {
        const { raw, hash, from } = await this.bus.call(signTransfer, requestOf(transfer, terms));
        if (from.toLowerCase() !== transfer.fromAddress) return this.refused(transfer, 'other_key');
        if (keccak256(raw) !== hash)
          throw new Error(`the signer's hash of ${transfer.reference} is not that of its bytes`);
        return { signed: { raw, hash } };
      } catch (error) {
        if (!(error instanceof Refusal) || error.code !== 'validation_failed') throw error;
        const code = error.fields?.[0]?.code ?? '';
        return this.refused(transfer, isSigningRefusal(code) ? code : 'malformed');
      }
    });
  }

  /** A signer that has other keys by now would sign for another address, and take its nonce, or send to another one. */
  private async isOfTheseKeys({ network, kind, from, fromAddress, toAddress }: OutgoingTransfer): Promise<boolean> {
    if (from.kind === 'hot' && (await this.keys.hot(network)) !== fromAddress) return false;
    if (kind === 'sweep') return (await this.keys.hot(network)) === toAddress;
    return kind !== 'to-cold' || (await this.keys.cold()) === toAddress;
  }

  private refused({ network, reference }: OutgoingTransfer, refused: SigningObstacle): Signing {
    instruments.chain_signer_refusals_total.inc({ network, reason: refused });
    const line = { msg: `${network}: the signer refuses the transfer ${reference}`, reason: refused };
    this.log[isOurFault(refused) ? 'error' : 'warn'](line);
    return { refused };
  }
}
