import { verifyReportOf } from './verify-report';

const SOUND = { ok: true, events: 3, seconds: 0.5, findings: [], what_to_do: [], shards: [{ shard: 0 }] };
const FINDING = { ...SOUND, ok: false, findings: ['shard 0 position 3: another hash'], what_to_do: ['Stop.'] };

it('takes what the auditor prints, whole', () => {
  for (const report of [SOUND, FINDING]) expect(verifyReportOf(report)).toEqual(report);
});

it.each([
  ...[undefined, null, 'text', [], {}, { ok: true }],
  ...[
    { ...SOUND, ok: 1 },
    { ...SOUND, events: '3' },
    { ...SOUND, seconds: -1 },
    { ...SOUND, findings: [1] },
  ],
  ...[
    { ...SOUND, what_to_do: 'Stop.' },
    { ...SOUND, findings: ['one'] },
    { ...FINDING, findings: [] },
  ],
])('takes nothing else: %j', (value) => expect(verifyReportOf(value)).toBeUndefined());
