import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { openApiText } from './openapi-text';

/** The files of the page's package that it needs, about 2 MB, kept in memory. */
const ASSETS: readonly (readonly [name: string, type: string])[] = [
  ['swagger-ui.css', 'text/css; charset=utf-8'],
  ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
  ['favicon-32x32.png', 'image/png'],
];
const POLICY = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'";

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Stablecoin Account Service</title>
<link rel="icon" href="/docs/assets/favicon-32x32.png">
<link rel="stylesheet" href="/docs/assets/swagger-ui.css">
</head>
<body>
<div id="reference"></div>
<script src="/docs/assets/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

/** The page may call the host that it came from and no other, by whatever name it was reached. */
const START = `fetch('/openapi.json').then((response) => response.json()).then((document) => SwaggerUIBundle({
  spec: { ...document, servers: [{ url: location.origin + '/api', description: 'This host' }] },
  dom_id: '#reference',
  deepLinking: true,
  persistAuthorization: false,
  validatorUrl: null,
}));
`;

/**
 * The interface document, and a page to read it and try it, public and without any other host.
 *
 * @param apiUrl where merchants reach the interface; asked for once the server listens
 */
export async function serveReferencePage(fastify: FastifyInstance, apiUrl: () => string): Promise<void> {
  // As bytes, which connections share until they are sent; a text would be copied for each.
  let document: Buffer | undefined;
  fastify.get('/openapi.json', (_request, reply) => {
    document ??= Buffer.from(openApiText(apiUrl()));
    return reply.type('application/json; charset=utf-8').send(document);
  });
  fastify.get('/', (_request, reply) => reply.redirect('/docs'));
  for (const path of ['/docs', '/docs/']) {
    fastify.get(path, (_request, reply) => {
      return reply.type('text/html; charset=utf-8').header('content-security-policy', POLICY).send(PAGE);
    });
  }
  fastify.get('/docs/start.js', (_request, reply) => reply.type('text/javascript; charset=utf-8').send(START));
  for (const [name, type] of ASSETS) {
    const bytes = await readFile(require.resolve(`swagger-ui-dist/${name}`));
    fastify.get(`/docs/assets/${name}`, (_request, reply) =>
      reply.type(type).header('cache-control', 'max-age=3600').send(bytes),
    );
  }
}
