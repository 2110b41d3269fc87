import { Logger } from '@nestjs/common';
import { misspeltVariables } from '../misspelt-variables';
import { LogFormat, LogLevel } from '../repeated-settings';
import { ConfigurationError, secretTexts } from '../setting';
import { Redactor } from './redactor';
import { ServiceLogger } from './service-logger';

/**
 * From now on every logger of the process writes to this one, and so does an uncaught error before it ends the process.
 */
export function startLogging(
  service: string,
  type: new () => object,
  { logFormat, logLevel }: { logFormat: LogFormat; logLevel: LogLevel },
): ServiceLogger {
  const format = logFormat === 'auto' ? (process.stdout.isTTY ? 'text' : 'json') : logFormat;
  const logger = new ServiceLogger({ service, level: logLevel, format, secrets: secretTexts(type, process.env) });
  Logger.overrideLogger(logger);
  // Node would write the error unredacted, with the values that it quotes.
  process.on('uncaughtException', (error) => {
    logger.fatal({ msg: 'ends: uncaught error', err: error }, 'Process');
    process.exit(1);
  });
  for (const { name, meant } of misspeltVariables(type, process.env)) {
    logger.warn(`${name} is no setting of this service: was ${meant} meant?`, 'Process');
  }
  return logger;
}

/** Why a process could not start, for output before there is a logger: what a setting should be, or an error. */
export function withoutSecrets(error: unknown, type: new () => object): string {
  const hiding = new Redactor(secretTexts(type, process.env));
  if (error instanceof ConfigurationError) return hiding.inOwnWords(error.message);
  return hiding.inLine(error instanceof Error && error.stack ? error.stack : String(error));
}
