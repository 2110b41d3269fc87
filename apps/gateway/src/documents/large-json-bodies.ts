import { Worker } from 'node:worker_threads';
import { Injectable, Logger, OnApplicationShutdown } from '@nestjs/common';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import type { FastifyRequest } from 'fastify';
import { GatewayConfiguration } from '../gateway.configuration';
import { BODY_LIMIT_BYTES } from '../http/adapter';
import { BodyShares, heldBytesMaxOf } from './body-shares';
import { DecodedDocuments } from './decoded-documents';
import { ownMemory } from './large-json';
import { LargeJson, ReadJson } from './large-json-message';
import '../http/request-state';

/** Worked on at once, from when the body has arrived until its answer is made. */
const WORKED_ON_MAX = 2;
/** A body of 15 MiB in all its forms; the gateway's own memory is not touched by what the thread takes. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 160, maxYoungGenerationSizeMb: 16 };

interface Waiting {
  resolve(read: ReadJson): void;
  reject(error: Error): void;
}

/**
 * Large JSON bodies, of customers with their documents in base64: read in a thread of their own (large-json.worker.ts), so that
 * none of them holds up the event loop, and never more than two worked on at once; the next is refused at once. The
 * thread is started with the first such body.
 */
@Injectable()
export class LargeJsonBodies implements OnApplicationShutdown {
  /** The worker's program; specs, which run the sources, name the built one. */
  program = require.resolve('./large-json.worker');

  private readonly log = new Logger(LargeJsonBodies.name);
  private readonly hashKey: Buffer;
  private readonly waiting = new Map<number, Waiting>();
  private worker: Worker | undefined;
  private workedOn = 0;
  private lastId = 0;

  constructor(
    configuration: GatewayConfiguration,
    private readonly shares: BodyShares,
    private readonly documents: DecodedDocuments,
  ) {
    this.hashKey = configuration.inputHashKey;
  }

  /** Before any of the body is read. @throws Refusal when it is large, and could not be worked on now */
  requireRoom(request: FastifyRequest): void {
    const { caller, headers, routeOptions } = request;
    const { takesDocuments, takesFile } = routeOptions.config;
    if (!caller || !(takesDocuments || takesFile)) return;
    const bytes = Number(headers['content-length'] ?? 0);
    const isBusy = takesDocuments && bytes > BODY_LIMIT_BYTES && this.workedOn >= WORKED_ON_MAX;
    if (isBusy || !this.shares.hasRoom(caller.merchant_id, heldBytesMaxOf(request))) throw Refusal.notExecuted();
  }

  /** The value of a large body, with stand-ins for its documents until the request is answered. */
  async read(request: FastifyRequest, bytes: Buffer): Promise<unknown> {
    if (this.workedOn >= WORKED_ON_MAX) throw Refusal.notExecuted();
    this.workedOn += 1;
    request.bodyShare?.onClose(() => (this.workedOn -= 1));
    const read = await this.send(bytes);
    if ('refusal' in read) throw new Refusal(read.refusal.code, read.refusal.fields);
    for (const { standIn, sha256, bytes } of read.documents) {
      this.documents.add(standIn, { sha256, bytes: Buffer.from(bytes) });
      request.bodyShare?.onClose(() => this.documents.forget(standIn));
    }
    request.inputHash = read.inputHash;
    return read.body;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.worker?.terminate();
  }

  private send(bytes: Buffer): Promise<ReadJson> {
    const id = (this.lastId += 1);
    const worker = (this.worker ??= this.start());
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      const memory = ownMemory(bytes);
      worker.postMessage({ id, bytes: memory } satisfies LargeJson, [memory]);
    });
  }

  private start(): Worker {
    const worker = new Worker(this.program, { workerData: this.hashKey, resourceLimits: RESOURCE_LIMITS, env: {} });
    worker.unref();
    worker.on('message', (read: ReadJson) => {
      this.waiting.get(read.id)?.resolve(read);
      this.waiting.delete(read.id);
    });
    worker.on('error', (error) => this.log.error({ msg: 'the thread that reads large bodies failed', err: error }));
    worker.on('exit', () => {
      if (this.worker === worker) this.worker = undefined;
      // Nothing was done with any of them.
      for (const waiting of this.waiting.values()) waiting.reject(Refusal.notExecuted());
      this.waiting.clear();
    });
    return worker;
  }
}
