import { UsedProofs } from './used-proofs';

const NOW = 1_000_000;

it('a request is used for one command, as often as that is asked for', () => {
  const proofs = new UsedProofs();
  const uses = [
    ['a', '1'],
    ['a', '1'],
    ['a', '2'],
    ['b', '2'],
  ] as const;
  expect(uses.map(([mac, command_id]) => proofs.isFor({ mac }, { command_id }, NOW))).toEqual([
    true,
    true,
    false,
    true,
  ]);
});

it('what no proof counts for any more is forgotten', () => {
  const proofs = new UsedProofs();
  for (const mac of ['a', 'b', 'c']) proofs.isFor({ mac }, { command_id: mac }, NOW);
  proofs.isFor({ mac: 'd' }, { command_id: 'd' }, NOW + 124_000);
  expect(proofs.size).toBe(4);
  proofs.isFor({ mac: 'e' }, { command_id: 'e' }, NOW + 125_000);
  expect(proofs.size).toBe(2);
});
