import { callerKeysText, readCallerKeys } from './caller-keys';
import { CallerSecret } from './caller-secret';
import { AskedCommand, commandMac, isCommandMac, isRequestProof, requestProof } from './command-mac';
import { DepositEndEvidence, isEvidenceSigned, readEvidence, signEvidence } from './evidence';

const payout = new CallerSecret('payout', Buffer.alloc(32, 1));
const gateway = new CallerSecret('gateway', Buffer.alloc(32, 2));
const macKeys = readCallerKeys(
  callerKeysText([
    ['payout', payout.macKey],
    ['gateway', gateway.macKey],
  ]),
);
const evidenceKeys = readCallerKeys(callerKeysText([['payout', payout.evidenceKey]]));

describe('the MAC of a command', () => {
  const command: AskedCommand = {
    ...{ service: 'payout', subject: 'wallet.confirm-deposit.0', deadline: 1_000, body: { id: 'a', amount: '1' } },
    evidence: { text: 'text', signature: 'signature' },
  };
  const mac = commandMac(payout.macKey, command);

  it('is known again after the body went through JSON', () => {
    const arrived = JSON.parse(JSON.stringify({ ...command, body: { ...(command.body as object), none: undefined } }));
    expect(isCommandMac(macKeys, arrived as AskedCommand, mac)).toBe(true);
  });

  it.each<[string, Partial<AskedCommand>]>([
    ['service', { service: 'gateway' }],
    ['a service without a key', { service: 'chain' }],
    ['shard', { subject: 'wallet.confirm-deposit.1' }],
    ['deadline', { deadline: 1_001 }],
    ['body', { body: { id: 'a', amount: '2' } }],
    ['evidence', { evidence: undefined }],
  ])('covers: %s', (_name, changed) => {
    expect(isCommandMac(macKeys, { ...command, ...changed }, mac)).toBe(false);
  });

  it('is by any key that the service has', () => {
    const next = new CallerSecret('payout', Buffer.alloc(32, 9));
    const both = readCallerKeys(callerKeysText([...[next, payout].map(({ macKey }) => ['payout', macKey] as const)]));
    expect([next, payout].map(({ macKey }) => isCommandMac(both, command, commandMac(macKey, command)))).toEqual([
      true,
      true,
    ]);
  });
});

describe('the proof of a request', () => {
  const request = { merchant_id: 'm', mode: 'test', deadline: 5, subject: 'swap.execute-swap', body: '{"amount":"1"}' };
  const proof = requestProof(gateway.macKey, request);

  it('is the gateway’s alone', () => {
    expect(isRequestProof(macKeys, 'gateway', proof)).toBe(true);
    expect(isRequestProof(macKeys, 'gateway', requestProof(payout.macKey, request))).toBe(false);
  });

  it.each([
    ...[{ merchant_id: 'n' }, { mode: 'live' }, { deadline: 6 }, { subject: 'wallet.hold-payout.0' }],
    ...[{ body: '{"amount":"2"}' }, { body: undefined }, { subject: undefined }],
  ])('covers %j', (changed) => {
    expect(isRequestProof(macKeys, 'gateway', { ...proof, ...changed })).toBe(false);
  });
});

describe('evidence', () => {
  const end: DepositEndEvidence = {
    ...{ type: 'deposit-end', rail: 'sandbox', merchant_id: 'm', id: 'd', to: 'COMPLETED', command_id: 'c' },
  };
  const signed = signEvidence(payout, end);

  it('is read as it was stated, and signed by the service’s key', () => {
    expect(readEvidence('deposit-end', signed.text)).toEqual(end);
    expect(isEvidenceSigned(evidenceKeys, 'payout', signed)).toBe(true);
  });

  it('of another text, service or key is not', () => {
    const other = signEvidence(payout, { ...end, to: 'FAILED' });
    expect(isEvidenceSigned(evidenceKeys, 'payout', { ...signed, text: other.text })).toBe(false);
    expect(isEvidenceSigned(evidenceKeys, 'chain', signed)).toBe(false);
    expect(isEvidenceSigned(evidenceKeys, 'payout', signEvidence(gateway, end))).toBe(false);
    expect(isEvidenceSigned(evidenceKeys, 'payout', { ...signed, signature: '' })).toBe(false);
  });

  it('of another type, and what is no evidence, is not read', () => {
    expect(['{', 'null', signed.text].map((text) => readEvidence('quote', text))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

it.each(['', 'payout', 'payout:short', 'Payout:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=', 'payout:x,'])(
  'no keys of callers: %j',
  (text) => {
    expect(() => readCallerKeys(text)).toThrow('names of services with a key');
  },
);
