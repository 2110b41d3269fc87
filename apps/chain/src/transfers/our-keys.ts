import { Injectable } from '@nestjs/common';
import { Hex } from '@stablecoin/chain-node/chain-node';
import { EvmNetwork } from '@stablecoin/chains/chains';
import { describeSigner, SignerDescription } from '@stablecoin/contracts/signer/describe';
import { BusClient } from '@stablecoin/messaging/bus-client';

/** A signer with other keys is another process, which takes longer to start. */
const KNOWN_FOR_MS = 30_000;

/** The addresses whose keys the signer has, as it says itself. */
@Injectable()
export class OurKeys {
  private known: { description: SignerDescription; until: number } | undefined;

  constructor(private readonly bus: BusClient) {}

  /** @throws Refusal `unavailable` */
  async describe(): Promise<SignerDescription> {
    if (this.known && this.known.until > Date.now()) return this.known.description;
    const description = await this.bus.call(describeSigner, {});
    this.known = { description, until: Date.now() + KNOWN_FOR_MS };
    return description;
  }

  /** In lower case. @throws Refusal `unavailable` */
  async hot(network: EvmNetwork): Promise<Hex> {
    const { hot } = await this.describe();
    return hot[network].toLowerCase() as Hex;
  }

  /** Null where the signer has none. In lower case. @throws Refusal `unavailable` */
  async cold(): Promise<Hex | null> {
    const { cold } = await this.describe();
    return cold === null ? null : (cold.toLowerCase() as Hex);
  }
}
