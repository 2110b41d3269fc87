import { LaneNonces, nextNonce, NextNonce } from './next-nonce';

const NODES = { hold: 'nodes' } as const;
const TAKEN = { hold: 'nonce_taken' } as const;

it.each<[string, NextNonce, Omit<LaneNonces, 'mayBeginLater'>]>([
  // Nothing was ever sent from here.
  ['that of the chain', { nonce: 0 }, { lastNonce: null, firstNonce: null, mined: [0, 0], minedFinally: 0 }],
  ['after what others sent', { nonce: 5 }, { lastNonce: null, firstNonce: null, mined: [5, 5], minedFinally: 5 }],
  ['not before that is final', NODES, { lastNonce: null, firstNonce: null, mined: [5, 5], minedFinally: 4 }],
  ['not while nodes differ', NODES, { lastNonce: null, firstNonce: null, mined: [5, 6], minedFinally: 5 }],
  ['not while one is silent', NODES, { lastNonce: null, firstNonce: null, mined: [5, undefined], minedFinally: 5 }],
  ['not while nothing is final', NODES, { lastNonce: null, firstNonce: null, mined: [5], minedFinally: undefined }],
  // Ours from 5 on.
  [
    'the first again, given back',
    { nonce: 5 },
    { lastNonce: null, firstNonce: 5, mined: [5], minedFinally: undefined },
  ],
  ['after the last', { nonce: 8 }, { lastNonce: 7, firstNonce: 5, mined: [5, 5], minedFinally: undefined }],
  ['after the last, which is mined', { nonce: 8 }, { lastNonce: 7, firstNonce: 5, mined: [8, 7], minedFinally: 5 }],
  [
    'by one node that answers',
    { nonce: 8 },
    { lastNonce: 7, firstNonce: 5, mined: [undefined, 8], minedFinally: undefined },
  ],
  ['not by none', NODES, { lastNonce: 7, firstNonce: 5, mined: [undefined, undefined], minedFinally: undefined }],
  ['not past what we never gave', NODES, { lastNonce: 7, firstNonce: 5, mined: [9, 8], minedFinally: undefined }],
  ['not past what we never gave, not final', NODES, { lastNonce: 7, firstNonce: 5, mined: [9, 9], minedFinally: 8 }],
  ['never past what we never gave, final', TAKEN, { lastNonce: 7, firstNonce: 5, mined: [9, 9], minedFinally: 9 }],
  // An operator has resumed it.
  ['where the chain is', { nonce: 9 }, { lastNonce: 7, firstNonce: null, mined: [9, 9], minedFinally: 9 }],
  [
    'after ours that are not mined yet',
    { nonce: 8 },
    { lastNonce: 7, firstNonce: null, mined: [5, 6], minedFinally: 5 },
  ],
])('%s', (_, expected, known) => expect(nextNonce({ ...known, mayBeginLater: true })).toEqual(expected));

describe('of a hot wallet without records', () => {
  const unknown = { lastNonce: null, firstNonce: null, mayBeginLater: false };

  it('is the first', () => expect(nextNonce({ ...unknown, mined: [0, 0], minedFinally: 0 })).toEqual({ nonce: 0 }));

  it('is none where it has sent before: the records may be lost', () => {
    expect(nextNonce({ ...unknown, mined: [5, 5], minedFinally: 5 })).toEqual(TAKEN);
    expect(nextNonce({ ...unknown, mined: [5, 5], minedFinally: undefined })).toEqual(NODES);
  });
});
