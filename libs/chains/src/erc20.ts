import { encodeEventTopics, parseAbi } from 'viem/utils';

type Hex = `0x${string}`;

/** Of ERC-20, what we use. That a transfer returns nothing is how Tether's contract on Ethereum has it. */
export const ERC20 = parseAbi([
  'function balanceOf(address account) view returns (uint256)',
  'function decimals() view returns (uint8)',
  'function transfer(address to, uint256 units)',
  'event Transfer(address indexed from, address indexed to, uint256 units)',
]);

export const [TRANSFER_TOPIC] = encodeEventTopics({ abi: ERC20, eventName: 'Transfer' });

export interface Transfer {
  /** In lower case, as is `to`. */
  from: Hex;
  to: Hex;
  units: bigint;
}

/** An address as the topic of an indexed parameter. */
export const topicOf = (address: Hex): Hex => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;

const ADDRESS_TOPIC = /^0x0{24}([0-9a-f]{40})$/;

/**
 * What a log says was transferred; whether it was, is another question. Undefined where it is no transfer of ERC-20: the
 * transfers of ERC-721 have the same first topic, and four of them.
 */
export function transferOf({ topics, data }: { topics: readonly Hex[]; data: Hex }): Transfer | undefined {
  const [event, from, to, ...more] = topics;
  if (event !== TRANSFER_TOPIC || more.length > 0 || data.length !== 66) return undefined;
  const [sender, recipient] = [from, to].map((topic) => ADDRESS_TOPIC.exec(topic?.toLowerCase() ?? '')?.[1]);
  if (sender === undefined || recipient === undefined) return undefined;
  return { from: `0x${sender}`, to: `0x${recipient}`, units: BigInt(data) };
}
