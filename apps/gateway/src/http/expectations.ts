import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { errorEnvelope } from '@stablecoin/http-answers/error-envelope';
import { requestId } from './adapter';
import { observeRefusal } from '@stablecoin/http-answers/observed-requests';

const EXPECTATION_FAILED = 417;
const FIELD = { field: 'Expect', code: 'invalid_value', message: 'must be 100-continue' };

/**
 * Answers `Expect: 100-continue` as RFC 9110 describes: the client sends its body after `100 Continue`, which goes out
 * when the body is about to be read. A request that is refused by its head gets its final status instead, and its body
 * never travels. Any other expectation is refused with 417.
 */
export function answerExpectations(server: Server): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    request.once('resume', () => {
      // Node also resumes a request that was answered, to discard its body.
      if (!response.headersSent) response.writeContinue();
    });
    server.emit('request', request, response);
  });
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const id = requestId(request);
    const body = JSON.stringify(errorEnvelope('validation_failed', id, [FIELD]));
    response.writeHead(EXPECTATION_FAILED, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      'x-request-id': id,
      'x-content-type-options': 'nosniff',
      connection: 'close',
    });
    response.end(body);
    observeRefusal('validation_failed', EXPECTATION_FAILED);
  });
}
