import { ShardRow } from '@stablecoin/ledger-store/placement/shard-rows';
import { listedShards } from './shard-commands';

const row = (shard: number, of: Partial<ShardRow> = {}): ShardRow => ({
  ...{ shard, epoch: 1n, moved_to: null, head_position: 0, held: false, mover: null },
  ...of,
});

it('lists each shard once, where it is', () => {
  const databases = [
    {
      name: 'home',
      rows: [row(0, { head_position: 12, held: true }), row(1, { moved_to: 'b' }), row(2, { moved_to: 'c' })],
    },
    { name: 'b', rows: [row(1, { epoch: 3n, held: true })] },
  ];
  expect(listedShards(databases)).toEqual([
    { shard: 0, database: 'home', also: [], events: 12, held: true },
    { shard: 1, database: 'b', also: [], events: 0, held: true },
    { shard: 2, database: null, also: [], events: 0, held: false },
  ]);
});

it('says of a shard that two databases have which one has it by the later word, and which one also', () => {
  const databases = [
    { name: 'home', rows: [row(1, { epoch: 2n })] },
    { name: 'b', rows: [row(1, { epoch: 9n, head_position: 5 })] },
  ];
  expect(listedShards(databases)).toEqual([{ shard: 1, database: 'b', also: ['home'], events: 5, held: false }]);
});
