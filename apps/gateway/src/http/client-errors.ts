import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { ErrorCode } from '@stablecoin/contracts/wire/error-codes';
import { errorEnvelope } from '@stablecoin/http-answers/error-envelope';
import { ERROR_TABLE } from '@stablecoin/http-answers/error-table';
import { endLingering } from './lingering-close';

/** Also bounds URLs that the parser accepts. */
export const URL_CHARACTERS_MAX = 8_192;
const FIRST_LINE = /^[A-Z]+ \//;

/** Node's error for bytes that it could not parse as a request. */
interface ClientError {
  code?: string;
  rawPacket?: unknown;
}

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  414: 'URI Too Long',
  431: 'Request Header Fields Too Large',
};

/** Answers a request that the HTTP parser refused, in the usual envelope, and ends the connection. */
export function answerClientError(error: ClientError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || error.code === 'ERR_HTTP_REQUEST_TIMEOUT' || !socket.writable) {
    socket.destroy();
    return;
  }
  const code = codeOf(error);
  const { status } = ERROR_TABLE[code];
  const requestId = randomUUID();
  const body = JSON.stringify(errorEnvelope(code, requestId));
  const head = [
    `HTTP/1.1 ${status} ${REASONS[status] ?? 'Error'}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    'connection: close',
  ];
  endLingering(socket, `${head.join('\r\n')}\r\n\r\n${body}`);
}

/** The parser counts the URL among the headers: when the first line alone is too long, the URL was the cause. */
function codeOf({ code, rawPacket }: ClientError): ErrorCode {
  if (code !== 'HPE_HEADER_OVERFLOW') return 'validation_failed';
  if (!Buffer.isBuffer(rawPacket) || !FIRST_LINE.test(rawPacket.toString('latin1', 0, 32))) return 'headers_too_large';
  const end = rawPacket.indexOf('\r\n');
  return end < 0 || end > URL_CHARACTERS_MAX ? 'uri_too_long' : 'headers_too_large';
}
