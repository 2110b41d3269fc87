import { TOKENS } from './tokens';

/** Contracts that a wallet may show beside a payee, and that keep what is sent to them. The same on all our chains. */
const KNOWN_CONTRACTS = [
  // Multicall3, Permit2, the deterministic deployer, the entry points of ERC-4337 (0.6 and 0.7)
  '0xcA11bde05977b3631167028862bE2a173976CA11',
  '0x000000000022D473030F116dDEE9F6B43aC78BA3',
  '0x4e59b44847b379578588920cA78FbF26c0B4956C',
  '0x5FF137D4b0FDCD49DcA30c7CF57E578a026d2789',
  '0x0000000071727De22E5E9d8BAf0edAc6f37da032',
  // The wrapped coins: WETH, WBNB, WPOL
  '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
  '0xbb4CdB9CBd36B01bD1cBaEBF2De08d9173bc095c',
  '0x0d500B1d8E8eF31E21C99d1Db9A6444d3ADf1270',
  // Where people burn coins
  '0x000000000000000000000000000000000000dEaD',
] as const;

const unpayable = new Set([...TOKENS.map(({ address }) => address), ...KNOWN_CONTRACTS].map((a) => a.toLowerCase()));

/** Zero, the precompiled contracts, and the system contracts of BNB Smart Chain and Polygon: 0x0 to 0xffff. */
const RESERVED = /^0x0{36}[0-9a-f]{4}$/;

/**
 * Whether tokens sent there are lost, or were surely not meant: no one has a key of it. The listed tokens of all networks
 * count on each, because an address that is one chain's token is no one's wallet on another.
 *
 * @param address of an EVM network, in any case
 */
export function isUnpayable(address: string): boolean {
  const lower = address.toLowerCase();
  return RESERVED.test(lower) || unpayable.has(lower);
}
