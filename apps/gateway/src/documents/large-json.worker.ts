import { parentPort, workerData } from 'node:worker_threads';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { readLargeJson } from './large-json';
import { LargeJson, ReadJson } from './large-json-message';

/**
 * The thread that reads large bodies, one after the other: bytes come from `LargeJsonBodies`, in memory that is handed over
 * and not copied → readLargeJson → what is left of the body goes back, with the documents' bytes, handed over as well. A
 * body that is refused is answered with its refusal; any other error ends the thread, and the gateway starts another.
 */
const hashKey = workerData as Uint8Array;

parentPort?.on('message', ({ id, bytes }: LargeJson) => {
  const { answer, handedOver } = read(id, Buffer.from(bytes));
  parentPort?.postMessage(answer, handedOver);
});

function read(id: number, bytes: Buffer): { answer: ReadJson; handedOver: ArrayBuffer[] } {
  try {
    const content = readLargeJson(bytes, hashKey);
    return { answer: { id, ...content }, handedOver: content.documents.map((document) => document.bytes) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { answer: { id, refusal: { code: error.code, fields: error.fields } }, handedOver: [] };
  }
}
