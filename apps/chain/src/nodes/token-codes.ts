import { Injectable } from '@nestjs/common';
import { Address, Hash } from '@stablecoin/chain-node/chain-node';
import { KnownCode } from '@stablecoin/chain-node/required-chain';
import { EvmNetwork } from '@stablecoin/chains/chains';
import { ChainDatabase } from '../persistence/chain-database';

/**
 * The code that the listed tokens had when they were first seen, at nodes that agreed. From then on a node at which a token has
 * another is not used: what it says of balances and transfers is said by another contract. Tokens that can be changed are
 * proxies, whose own code stays.
 */
@Injectable()
export class TokenCodes {
  constructor(private readonly database: ChainDatabase) {}

  async of(network: EvmNetwork): Promise<KnownCode> {
    const rows = await this.database.$queryRaw<{ token: Address; code_hash: Hash }[]>`
      SELECT token, code_hash FROM token_codes WHERE network = ${network}`;
    return Object.fromEntries(rows.map(({ token, code_hash }) => [token, code_hash]));
  }

  /** What is known stays as it is. */
  async remember(network: EvmNetwork, found: KnownCode): Promise<void> {
    const codes = Object.entries(found).filter(([, codeHash]) => codeHash);
    await this.database.$executeRaw`
      INSERT INTO token_codes (network, token, code_hash)
      SELECT ${network}, token, code_hash
      FROM unnest(${codes.map(([token]) => token)}::text[], ${codes.map(([, hash]) => hash)}::text[]) AS found (token, code_hash)
      ON CONFLICT DO NOTHING`;
  }
}
