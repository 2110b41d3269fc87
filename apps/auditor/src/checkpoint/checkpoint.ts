/** Asks the running ledger, which holds the key, to sign its log now. The auditor itself writes nothing. */
import { makeCheckpoint } from '@stablecoin/contracts/wallet/make-checkpoint';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { readCheckpoint } from '@stablecoin/event-proofs/checkpoint';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { connectToBus } from '@stablecoin/messaging/bus-connection';
import { SealedCodec } from '@stablecoin/messaging/sealed-codec';
import { AuditFailure, Report } from '../report/report';
import { settingOf } from '../settings/setting-of';

export async function checkpointReport(env: NodeJS.ProcessEnv, shards: readonly number[]): Promise<Report> {
  const [url, key, accepted] = ['NATS_URL', 'BUS_KEY', 'BUS_ACCEPTED_KEY'].map((name) => settingOf(env, name));
  if (!url || !key) throw new AuditFailure('Checkpoints are made by the running ledger: set NATS_URL and BUS_KEY.');
  const codec = new SealedCodec(Buffer.from(key, 'base64'), accepted ? Buffer.from(accepted, 'base64') : null);
  const made = await onBus(url, codec, (bus) =>
    Promise.all(shards.map((shard) => bus.call(makeCheckpoint, {}, { shard }))),
  );
  const lines = made.map(({ shard, checkpoint }) => {
    const said = checkpoint === null ? undefined : readCheckpoint(checkpoint);
    return `shard ${shard}: ${said ? `${said.size} events signed at ${said.time}` : 'no events'}`;
  });
  return { ok: true, json: { checkpoints: made }, text: lines.join('\n') };
}

async function onBus<Result>(
  url: string,
  codec: SealedCodec,
  work: (bus: BusClient) => Promise<Result>,
): Promise<Result> {
  const connection = await connectToBus(url, 'auditor', false).catch(() => {
    throw new AuditFailure('The bus does not answer: npm start the ledger first.');
  });
  try {
    return await work(new BusClient(connection, codec));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new AuditFailure('The ledger did not make a checkpoint of every shard: see its log, then try again.');
  } finally {
    await connection.close();
  }
}
