/** The browser's verifier and that of libs/event-proofs, on the same documents: both have to come to the same end. */
import type { ProofDocument } from '@stablecoin/event-proofs/proof-documents';
import { ProofRefused } from '@stablecoin/event-proofs/proven-events';
import { parseTrustedKey, type TrustedKey } from '@stablecoin/event-proofs/signed-note';
import { verifyProof } from '@stablecoin/event-proofs/verify-proof';
import fc from 'fast-check';
import { depositProof, OTHER_SIGNER, proofOf, SIGNER } from '../testing/signed-proof';
import { TRANSACTIONS } from '../testing/stub-content';
import { checkProof } from './check-proof';
import { readPublicKey } from './signed-checkpoint';

const KEY = SIGNER.publicKey.toString('base64');
const TRANSACTION = TRANSACTIONS[1]!;
let proof: ProofDocument;

beforeAll(async () => {
  proof = await depositProof(TRANSACTION);
});

/** What both say: the steps of the status, or that it proves nothing. Any other error is a fault of the verifier. */
async function verdicts(document: unknown, key = KEY) {
  const refused = (error: unknown) => {
    if (error instanceof ProofRefused) return 'refused';
    throw error;
  };
  const trusted = parseTrustedKey(key) as TrustedKey;
  const here = await checkProof(document, await readPublicKey(key)).then(({ statuses }) => statuses, refused);
  const there = await Promise.resolve()
    .then(() => verifyProof(document, [trusted]).statuses)
    .catch(refused);
  return { here, there };
}

describe('a proof checked in the browser', () => {
  it.each([
    ['alone', KEY],
    ['with its name', SIGNER.verifierKey],
  ])('holds by its key %s', async (_how, key) => {
    const { here, there } = await verdicts(proof, key);
    expect(here).toEqual(there);
    expect(here).toMatchObject([{ status: 'PENDING' }, { status: 'COMPLETED' }]);
    expect(await checkProof(proof, await readPublicKey(key))).toMatchObject({
      isSignatureChecked: true,
      opening: { transaction_id: TRANSACTION.transaction_id, amount: TRANSACTION.amount },
      events: [{}, {}, { balance: TRANSACTION.balance }, {}],
    });
  });

  it('holds as a whole answer of the interface, and without a key says that no signature was checked', async () => {
    expect(await verdicts({ status: 'success', data: proof })).not.toEqual({ here: 'refused', there: 'refused' });
    expect((await checkProof(proof, undefined)).isSignatureChecked).toBe(false);
  });

  it('is refused by another key of the same log', async () => {
    const { here, there } = await verdicts(proof, OTHER_SIGNER.publicKey.toString('base64'));
    expect([here, there]).toEqual(['refused', 'refused']);
  });

  it('is refused when any character of the checkpoint is another', async () => {
    const { checkpoint } = proof;
    for (let place = 0; place < checkpoint.length; place += 1) {
      const other = checkpoint[place] === 'A' ? 'B' : 'A';
      const changed = { ...proof, checkpoint: checkpoint.slice(0, place) + other + checkpoint.slice(place + 1) };
      expect(await verdicts(changed)).toEqual({ here: 'refused', there: 'refused' });
    }
  });

  it.each<[string, (copy: ProofDocument) => void]>([
    ['another transaction', (copy) => (copy.transaction_id = 'W4ITINGP4Y')],
    ['another format', (copy) => ((copy as { format: string }).format = 'stablecoin-ledger-proof/2')],
    ['no events', (copy) => (copy.events = [])],
    ['an event left out', (copy) => copy.events.splice(2, 1)],
    ['events in another order', (copy) => copy.events.reverse()],
    ['another amount', (copy) => (copy.events[1]!.statement = copy.events[1]!.statement.replace('250.', '251.'))],
    ['another balance', (copy) => (copy.events[2]!.balance!.after = '9.00000000')],
    ['another position', (copy) => (copy.events[0]!.position = 6)],
    ['a path cut off', (copy) => copy.events[0]!.path.pop()],
    ['a path too long', (copy) => copy.events[0]!.path.push('0'.repeat(64))],
    ['a path of capitals', (copy) => (copy.events[0]!.path = copy.events[0]!.path.map((hash) => hash.toUpperCase()))],
    ['no commitment', (copy) => (copy.events[0]!.commitment = null)],
  ])('is refused with %s', async (_name, change) => {
    const copy = structuredClone(proof);
    change(copy);
    expect(await verdicts(copy)).toEqual({ here: 'refused', there: 'refused' });
  });

  it('is refused when the log itself has postings that do not add up', async () => {
    const { id, transaction_id } = TRANSACTION;
    const opens = (JSON.parse(proof.events[0]!.statement) as { event: { opens: object } }).event.opens;
    const posting = { transaction: id, account_id: 'w', currency: 'USDC' };
    const unequal = await proofOf(transaction_id, [
      { group: 5, event: { type: 'DebitPosted', ...posting, amount: '2.00000000', opens } },
      { group: 5, event: { type: 'CreditPosted', ...posting, amount: '1.00000000' } },
    ]);
    expect(await verdicts(unequal)).toEqual({ here: 'refused', there: 'refused' });
  });

  it('has the same verdict wherever a byte of the document is another', async () => {
    const text = JSON.stringify(proof);
    await fc.assert(
      fc.asyncProperty(fc.nat(text.length - 1), fc.constantFrom('0', 'a', '"', 'Z', '='), async (place, letter) => {
        const changed = text.slice(0, place) + letter + text.slice(place + 1);
        const document = parsed(changed);
        if (document === undefined) return;
        const { here, there } = await verdicts(document);
        expect(here).toEqual(there);
      }),
      { numRuns: 300 },
    );
  });

  it.each(['', 'nonsense', 'AAAA', `x${SIGNER.verifierKey}`, SIGNER.verifierKey.slice(0, -1), 'a+b+c'])(
    '%p is no key',
    async (text) => expect(await readPublicKey(text)).toBeUndefined(),
  );
});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
