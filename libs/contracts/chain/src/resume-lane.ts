import { EVM_NETWORKS, type EvmNetwork } from '@stablecoin/chains/chains';
import { IsAddressOfNetwork } from '@stablecoin/contracts/wire/fields/address';
import { IsOneOf } from '@stablecoin/contracts/wire/fields/choice';
import { IsText } from '@stablecoin/contracts/wire/fields/text';
import { operation, replies } from '@stablecoin/contracts/wire/operation';

export class ResumeLane {
  @IsOneOf(EVM_NETWORKS, 'unsupported_network') network: EvmNetwork;
  /** The address of ours that sends no more. */
  @IsAddressOfNetwork() address: string;
  /** The operator. */
  @IsText({ max: 100 }) actor: string;
  @IsText({ max: 500 }) reason: string;
}

/**
 * After something else has sent from an address (`nonce_taken`), and somebody knows what: its next transfer gets the nonce
 * that the chain is at by then. `not_found` where we never sent from there.
 */
export const resumeLane = operation({
  subject: 'chain.resume-lane',
  request: ResumeLane,
  reply: replies<{ network: EvmNetwork; address: string }>(),
  errors: ['not_found'],
});
