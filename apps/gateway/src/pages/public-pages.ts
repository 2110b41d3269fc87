import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { openApiText } from '../reference-page/openapi-text';
import type { ClientAddresses } from '../http/client-addresses';
import { BuiltPages, readBuiltPages } from './built-pages';
import { PageLimits } from '@stablecoin/http-answers/page-limits';
import { StaticFile } from '@stablecoin/http-answers/static-file';

/** Nearly the smallest, in a tenth of the time of the highest. */
const BROTLI_QUALITY = 9;
const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * What is served without a key: the interface document, and the pages to read about it and try it. All of it is in memory
 * once, compressed; an answer is one of those buffers. The pages load nothing from another host and may call none.
 */
export class PublicPages {
  private document: Promise<StaticFile> | undefined;
  private readonly limits = new PageLimits();

  /** @param apiUrl where merchants reach the interface; asked for once the server listens */
  static async serve(fastify: FastifyInstance, addresses: ClientAddresses, apiUrl: () => string): Promise<void> {
    const pages = new PublicPages(await readBuiltPages(), addresses, apiUrl);
    fastify.get('/openapi.json', async (request, reply) => pages.send(await pages.interfaceDocument(), request, reply));
    for (const path of ['/', '/docs']) fastify.get(path, (_request, reply) => reply.redirect('/docs/'));
    // Asked by each page for where merchants reach the service: its samples name that address.
    fastify.get('/docs/service.json', (_request, reply) =>
      reply.type(JSON_TYPE).header('cache-control', 'no-cache').send({ api_url: apiUrl() }),
    );
    fastify.get('/docs/*', (request, reply) => pages.answer(request, reply));
  }

  private constructor(
    private readonly built: BuiltPages,
    private readonly addresses: ClientAddresses,
    private readonly apiUrl: () => string,
  ) {}

  private answer(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const path = (request.params as { '*': string })['*'];
    const file = this.built.files.get(path);
    reply.header('content-security-policy', this.built.policy).header('referrer-policy', 'no-referrer');
    if (file !== undefined) return this.send(file, request, reply);
    // A person gets a page, a program the envelope of every other refusal.
    if (!request.headers.accept?.includes('text/html')) throw new Refusal('not_found');
    return this.send(this.built.notFound, request, reply.status(404));
  }

  private send(file: StaticFile, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    return file.answer(request, reply, (bytes) => this.take(request, reply, bytes));
  }

  private take({ raw }: FastifyRequest, reply: FastifyReply, bytes: number): void {
    try {
      this.limits.take(this.addresses.ofRequest(raw), bytes);
    } catch (refusal) {
      // Whatever was pipelined behind it is not answered: each refusal costs more than its request.
      reply.header('connection', 'close');
      throw refusal;
    }
  }

  /** Made when it is first asked for: its server's address is not known before the gateway listens. */
  private interfaceDocument(): Promise<StaticFile> {
    this.document ??= compressedFile(Buffer.from(openApiText(this.apiUrl())));
    return this.document;
  }
}

async function compressedFile(bytes: Buffer): Promise<StaticFile> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
  const [br, gzipped] = await Promise.all([
    promisify(brotliCompress)(bytes, { params }),
    promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }),
  ]);
  return new StaticFile(JSON_TYPE, bytes, { br, gzip: gzipped });
}
