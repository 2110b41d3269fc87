import { encodeErrorResult, parseAbi } from 'viem/utils';
import { classify, type NodeError } from './node-error';

/** As these nodes and providers say it. */
it.each<[NodeError['kind'], number, string]>([
  ['already-known', -32000, 'already known'],
  ['already-known', -32010, 'AlreadyKnown'],
  ['already-known', -32003, 'transaction already imported'],
  ['already-known', -32000, 'ALREADY_EXISTS: already known'],
  ['nonce-too-low', -32000, 'nonce too low: next nonce 5, tx nonce 4'],
  ['nonce-too-low', -32003, 'nonce too low'],
  ['nonce-too-low', -32010, 'OldNonce, Current nonce: 5, nonce of rejected tx: 4.'],
  ['replacement-underpriced', -32000, 'replacement transaction underpriced'],
  ['replacement-underpriced', -32000, 'could not replace existing tx'],
  ['replacement-underpriced', -32010, 'ReplacementNotAllowed'],
  ['underpriced', -32000, 'transaction underpriced: gas tip cap 1, minimum needed 25000000000'],
  ['underpriced', -32000, 'max fee per gas less than block base fee: address 0x1, maxFeePerGas: 1, baseFee: 7'],
  ['underpriced', -32010, 'FeeTooLow, MaxFeePerGas too low'],
  ['insufficient-funds', -32000, 'insufficient funds for gas * price + value: balance 0, tx cost 1, overshot 1'],
  ['insufficient-funds', -32010, 'InsufficientFunds, Balance is 0 less than sending value'],
  ['unknown-block', -32000, 'unknown block'],
  ['unknown-block', -32000, 'header not found'],
  ['unknown-block', -32001, 'Resource not found.'],
  ['unknown-block', -39001, 'Unknown block'],
  ['tag-unsupported', -39001, 'finalized block not found'],
  ['tag-unsupported', -32000, 'safe block not found'],
  ['tag-unsupported', -32602, 'finalized is not supported'],
  ['tag-unsupported', -32602, 'invalid argument 0: hex string without 0x prefix'],
  ['state-gone', -32000, 'missing trie node 3c1f (path ) state 0x9a is not available'],
  ['state-gone', -32000, 'historical state 0x1 is not available'],
  ['state-gone', -32000, 'required historical state unavailable: archive node needed'],
  ['too-much', -32005, 'query returned more than 10000 results'],
  ['too-much', -32602, 'eth_getLogs block range is too large, range: 5000, max: 2000'],
  ['too-much', -32600, 'exceed maximum block range: 5000'],
  ['too-much', -32602, 'Log response size exceeded. You can make eth_getLogs requests with up to a 2K block range'],
  ['throttled', 429, 'Your app has exceeded its compute units per second capacity'],
  ['throttled', -32005, 'daily request count exceeded, request rate limited'],
  ['throttled', -32097, 'slow down'],
  ['throttled', -32000, 'Too Many Requests'],
  ['reverted', -32000, 'execution reverted'],
  ['reverted', -32000, 'execution reverted: insufficient balance, nonce too low'],
  ['reverted', -32015, 'VM execution error: revert'],
  ['rejected', -32000, 'intrinsic gas too low'],
  ['rejected', -32000, 'invalid chain id for signer: have 1 want 56'],
  ['rejected', -32003, 'transaction rejected'],
  ['method-unsupported', -32601, 'the method eth_nothing does not exist/is not available'],
  ['internal', -32603, 'Internal error'],
  ['internal', -32000, 'something else'],
])('%s: %d %s', (kind, code, message) => expect(classify({ code, message }).kind).toBe(kind));

it("keeps the node's own words and its code", () =>
  expect(classify({ code: -32603, message: 'Internal error' }).detail).toBe('Internal error (-32603)'));

describe('a contract that reverts', () => {
  const ERRORS = parseAbi(['error Error(string reason)', 'error ERC20InvalidReceiver(address receiver)']);
  const message = 'execution reverted';
  it.each<[string, `0x${string}` | undefined, string]>([
    ['a reason', encodeErrorResult({ abi: ERRORS, errorName: 'Error', args: ['not enough'] }), 'not enough'],
    [
      'an error of the standard',
      encodeErrorResult({
        abi: ERRORS,
        errorName: 'ERC20InvalidReceiver',
        args: ['0x000000000000000000000000000000000000dEaD'],
      }),
      'ERC20InvalidReceiver(0x000000000000000000000000000000000000dEaD)',
    ],
    ['an error of its own', '0x93c45db8', 'an error of its own, 0x93c45db8'],
    ['nothing', '0x', message],
    ['no data at all', undefined, message],
  ])('with %s', (_, data, detail) =>
    expect(classify({ code: 3, message, data })).toEqual({ kind: 'reverted', detail }),
  );
});
