// What a node's own error means. JSON-RPC fixes few codes and nodes share few texts: these are of Geth, Erigon, Nethermind,
// Besu, Reth, anvil, and of the providers in front of them.

import { isHex } from 'viem/utils';
import type { FailureKind } from './node-failure';
import { revertReason } from './revert-reason';

export interface RpcError {
  code: number;
  message: string;
  data?: unknown;
}

export interface NodeError {
  kind: FailureKind | 'already-known';
  detail: string;
}

/** By text before code: -32000 is the code of most of them, and -32603 of some. */
const BY_TEXT: readonly (readonly [NodeError['kind'], RegExp])[] = [
  // First, because the rest of it is the contract's own words.
  ['reverted', /revert/i],
  [
    'already-known',
    /already known|already imported|already_exists|existing tx with same hash|known transaction|^alreadyknown/i,
  ],
  ['nonce-too-low', /nonce (is )?too low|oldnonce|noncetoolow|nonce has already been used/i],
  [
    'replacement-underpriced',
    /replacement transaction|could not replace existing|replacementnotallowed|gas price cannot replace|replacement.*underpriced/i,
  ],
  ['insufficient-funds', /insufficient funds|insufficientfunds|insufficient balance|upfront cost exceeds/i],
  [
    'underpriced',
    /underpriced|less than block base fee|fee too low|feetoolow|below .*minimum|tip cap .*minimum|gas price too low/i,
  ],
  [
    'state-gone',
    /missing trie node|state .*(not available|unavailable|pruned)|pruned|archive|blockoutofrange|no state available/i,
  ],
  [
    'tag-unsupported',
    /(finalized|safe) block not found|(finalized|safe).*(not supported|unsupported|unknown|invalid)|invalid block (number|tag)/i,
  ],
  // Geth from before it knew the tag, which takes it for a number.
  ['tag-unsupported', /hex string without 0x prefix/i],
  [
    'unknown-block',
    /unknown block|header not found|block not found|resource not found|block .*does not exist|could not find block/i,
  ],
  [
    'too-much',
    /more than \d+ (results|logs)|range .*(limit|exceed|large|wide|more than)|(limit|exceed|maximum|max).* range|response size/i,
  ],
  ['throttled', /rate.?limit|too many requests|request count exceeded|capacity|throttl|exceeded.*(limit|quota)/i],
  [
    'rejected',
    /intrinsic gas|gas limit|oversized|invalid sender|chain.?id|nonce too high|failed to decode|rlp|type not supported/i,
  ],
];
const BY_CODE: Readonly<Partial<Record<number, NodeError['kind']>>> = {
  3: 'reverted',
  429: 'throttled',
  [-32001]: 'unknown-block',
  [-32003]: 'rejected',
  [-32004]: 'method-unsupported',
  [-32005]: 'throttled',
  [-32097]: 'throttled',
  [-32601]: 'method-unsupported',
  [-39001]: 'unknown-block',
};

export function classify({ code, message, data }: RpcError): NodeError {
  if (code === 3 || (isHex(data) && /revert/i.test(message)))
    return { kind: 'reverted', detail: revertReason(isHex(data) ? data : '0x', message) };
  const byText = BY_TEXT.find(([, pattern]) => pattern.test(message))?.[0];
  return { kind: kindOf(code, byText), detail: `${message} (${code})` };
}

/** Both codes are said of a limit, whatever else the text may look like: on requests, unless it says of what. */
function kindOf(code: number, byText: NodeError['kind'] | undefined): NodeError['kind'] {
  if (code === 429 || code === -32005) return byText === 'too-much' ? byText : 'throttled';
  return byText ?? BY_CODE[code] ?? 'internal';
}
