import { CheckpointView, ListCheckpoints, listCheckpoints } from '@stablecoin/contracts/wallet/list-checkpoints';
import { Page } from '@stablecoin/contracts/wire/fields/paging';
import { readCheckpoint } from '@stablecoin/event-proofs/checkpoint';
import { parseTrustedKey } from '@stablecoin/event-proofs/signed-note';
import { CheckpointRow, pageOfCheckpoints } from '@stablecoin/ledger-store/checkpoints/checkpoint-rows';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { LedgerDatabases } from '../databases/ledger-databases';

@Handles(listCheckpoints)
export class ListCheckpointsHandler {
  constructor(private readonly databases: LedgerDatabases) {}

  execute(request: ListCheckpoints): Promise<Page<CheckpointView>> {
    return signedOfShard(this.databases, request);
  }
}

export function signedOfShard(
  databases: LedgerDatabases,
  { shard, page, limit }: Pick<ListCheckpoints, 'shard' | 'page' | 'limit'>,
): Promise<Page<CheckpointView>> {
  return asRefusal(async () => {
    const { rows, total } = await pageOfCheckpoints((await databases.forReads(shard)).reads, shard, { page, limit });
    return { items: rows.map(checkpointView), total, page, limit };
  });
}

export function checkpointView({ note, size, key_id, verifier_key, created_at }: CheckpointRow): CheckpointView {
  const said = readCheckpoint(note);
  const key = parseTrustedKey(verifier_key);
  if (!said || !key) throw new Error(`the checkpoint of size ${size} can't be read`);
  return {
    origin: said.origin,
    size,
    root: said.root.toString('base64'),
    created_at,
    key_id,
    public_key: key.publicKey.toString('base64'),
    verifier_key,
    checkpoint: note,
  };
}
