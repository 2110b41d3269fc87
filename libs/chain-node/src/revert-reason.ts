import type { Hex } from 'viem';
import { decodeErrorResult, parseAbi } from 'viem/utils';

/** Of the compiler, and of ERC-6093, which the tokens of OpenZeppelin use. */
const ERRORS = parseAbi([
  'error Error(string reason)',
  'error Panic(uint256 code)',
  'error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)',
  'error ERC20InvalidSender(address sender)',
  'error ERC20InvalidReceiver(address receiver)',
  'error ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed)',
]);

/** What a contract said as it reverted, for people. @param otherwise where it said nothing */
export function revertReason(data: Hex, otherwise: string): string {
  if (data === '0x') return otherwise;
  try {
    const { errorName, args } = decodeErrorResult({ abi: ERRORS, data });
    return errorName === 'Error' ? args[0] : `${errorName}(${args.join(', ')})`;
  } catch {
    return `an error of its own, ${data.slice(0, 10)}`;
  }
}
