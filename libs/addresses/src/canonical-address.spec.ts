import { canonicalAddress } from './canonical-address';

describe('the one text of an address', () => {
  const evm = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
  const tron = 'TNPeeaaFB7K9cmo4uQpcU32zGK8G1NYqeL';
  const solana = '4fYNw3dojWmQ4dXtSGE9epjRGy9pFSx62YypT7avPYvA';

  it.each([
    ['with its checksum', evm, evm],
    ['in lower case', evm.toLowerCase(), evm],
    ['in upper case', `0x${evm.slice(2).toUpperCase()}`, evm],
    ['of Tron, where case matters', tron, tron],
    ['of Solana, where case matters', solana, solana],
  ])('%s', (_name, address, expected) => expect(canonicalAddress(address)).toBe(expected));
});
