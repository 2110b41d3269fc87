import { inspect } from 'node:util';
import { LoggerService, LogLevel } from '@nestjs/common';
import { currentRequest } from '@stablecoin/messaging/request-context';
import { currentTraceIds } from '@stablecoin/telemetry/traces/tracing';
import pino from 'pino';
import { Redactor, withoutValues } from './redactor';
import { readable } from './readable';

/**
 * Writes all lines of a process: one JSON object per line through pino, with the request that is under way (its id, its
 * merchant, its command, and with traces on, its trace and span), or one readable line for a person. Errors are reduced
 * to type, code, message and stack, in which values quoted by libraries are hidden; every finished line is searched for
 * this process's own secrets once more.
 *
 * Lines are written at once and in order, so that none is lost when a process is killed.
 */
export interface LoggingOptions {
  service: string;
  level: LogLevel;
  format: 'json' | 'text';
  /** This process's own: never written, whatever quotes them. */
  secrets: readonly string[];
  /** Where lines go; standard output when not given. */
  write?: (line: string) => void;
}

type PinoLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal';

const LEVELS: Record<LogLevel, PinoLevel> = {
  verbose: 'trace',
  debug: 'debug',
  log: 'info',
  warn: 'warn',
  error: 'error',
  fatal: 'fatal',
};
/** Nest's lines about its own start, which modules and routes there are: left out. */
const FRAMEWORK = new Set([
  'InstanceLoader',
  'NestApplication',
  'NestFactory',
  'NestMicroservice',
  'RouterExplorer',
  'RoutesResolver',
]);
const MESSAGE_MAX = 2_000;
const STACK_MAX = 6_000;
const CAUSES_MAX = 3;

export class ServiceLogger implements LoggerService {
  private readonly pino: pino.Logger;

  constructor({ service, level, format, secrets, write = toStandardOutput() }: LoggingOptions) {
    const hiding = new Redactor(secrets);
    const finished = format === 'json' ? write : (line: string) => write(readable(line));
    this.pino = pino(
      {
        base: { service, pid: process.pid },
        level: LEVELS[level],
        messageKey: 'message',
        timestamp: pino.stdTimeFunctions.isoTime,
        formatters: { level: (name) => ({ level: name }) },
        mixin: requestFields,
      },
      { write: (line: string) => finished(hiding.inLine(line)) },
    );
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.write('fatal', message, rest);
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.write('error', message, rest);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.write('warn', message, rest);
  }

  log(message: unknown, ...rest: unknown[]): void {
    this.write('log', message, rest);
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.write('verbose', message, rest);
  }

  /** As Nest calls it: the message, perhaps an error or its stack, the context last. */
  private write(level: LogLevel, message: unknown, rest: unknown[]): void {
    const context = typeof rest.at(-1) === 'string' ? (rest.at(-1) as string) : undefined;
    const wanted = level === 'log' && context !== undefined && FRAMEWORK.has(context) ? 'debug' : LEVELS[level];
    if (!this.pino.isLevelEnabled(wanted)) return;
    const { text, fields } = partsOf(message);
    const further = rest.slice(0, context === undefined ? undefined : -1).find((part) => part !== undefined);
    const error = errorFields(fields.err ?? further);
    delete fields.err;
    this.pino[wanted]({ ...(context && { context }), ...withoutQuotes(fields), ...(error && { error }) }, text);
  }
}

function requestFields(): object {
  const request = currentRequest();
  const trace = currentTraceIds();
  if (!request) return trace ?? {};
  const { requestId: request_id, merchantId: merchant_id, commandId: command_id } = request;
  return { request_id, merchant_id, command_id, ...trace };
}

/** A text, an error, or `{ msg, err, …fields }`. */
function partsOf(message: unknown): { text: string; fields: Record<string, unknown> } {
  if (message instanceof Error)
    return { text: withoutValues(bounded(message.message, MESSAGE_MAX)), fields: { err: message } };
  if (typeof message !== 'object' || message === null) return { text: textOf(message), fields: {} };
  const { msg, ...fields } = message as Record<string, unknown>;
  return { text: textOf(msg ?? ''), fields };
}

/** Texts may quote values; ids have no spaces and stay, because a line is found by them. */
function withoutQuotes(fields: Record<string, unknown>): Record<string, unknown> {
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string' && value.includes(' ')) fields[name] = textOf(value);
  }
  return fields;
}

const textOf = (message: unknown): string => withoutValues(bounded(String(message), MESSAGE_MAX));

const textOfAny = (value: unknown): string => (typeof value === 'string' ? value : inspect(value));

function errorFields(error: unknown, depth = 0): object | undefined {
  if (error === undefined || error === null || depth > CAUSES_MAX) return undefined;
  // A stack that was handed over as text.
  if (!(error instanceof Error)) return { message: withoutValues(bounded(textOfAny(error), STACK_MAX)) };
  const { name, message, stack, cause } = error;
  const { code } = error as { code?: unknown };
  const origin = errorFields(cause, depth + 1);
  return {
    type: name,
    ...((typeof code === 'string' || typeof code === 'number') && { code }),
    message: withoutValues(bounded(message, MESSAGE_MAX)),
    ...(stack && { stack: withoutValues(bounded(stack, STACK_MAX)) }),
    ...(origin && { cause: origin }),
  };
}

const bounded = (text: string, length: number): string => (text.length <= length ? text : `${text.slice(0, length)}…`);

function toStandardOutput(): (line: string) => void {
  const output = pino.destination({ fd: 1, sync: true });
  return (line) => void output.write(line);
}
