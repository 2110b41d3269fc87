/** Asks the chain service over the bus: the commands see neither its database nor a node. */
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { Operation, Plain } from '@stablecoin/contracts/wire/operation';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { connectToBus } from '@stablecoin/messaging/bus-connection';
import { SealedCodec } from '@stablecoin/messaging/sealed-codec';
import { loadConfiguration } from '@stablecoin/service-host/setting';
import { CommandContext } from '../command-context';
import { Outage } from '../exit-codes';
import { ChainCommandsConfiguration } from '../operator.configuration';

/** What each of an operation's refusals means to a person. */
export type RefusalSentences = Readonly<Partial<Record<Refusal['code'], string>>>;

const BUS_USER = 'operator';

/**
 * @throws OperatorError for a refusal, with its sentence
 * @throws Outage where the bus or the service does not answer
 */
export async function askChain<Request extends object, Reply>(
  context: Pick<CommandContext, 'env' | 'settings'>,
  operation: Operation<Request, Reply>,
  body: Plain<Request>,
  sentences: RefusalSentences = {},
): Promise<Reply> {
  const { natsUrl, natsCaFile, busKey, busAcceptedKey } = loadConfiguration(
    ChainCommandsConfiguration,
    await environmentOf(context),
  );
  const connection = await connectToBus(natsUrl, BUS_USER, false, natsCaFile).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    throw new Outage(`The bus does not answer (${why}): is the stack running?`);
  });
  try {
    return await new BusClient(connection, new SealedCodec(busKey, busAcceptedKey)).call(operation, body);
  } catch (error) {
    throw error instanceof Refusal ? spoken(error, operation.readOnly, sentences) : error;
  } finally {
    await connection.close();
  }
}

/** A bus of the user's own needs nothing of a local stack. */
function environmentOf({ env, settings }: Pick<CommandContext, 'env' | 'settings'>): Promise<NodeJS.ProcessEnv> {
  const isGiven = (name: string) => Boolean(env[name] || env[`${name}_FILE`]);
  return isGiven('NATS_URL') && isGiven('BUS_KEY') ? Promise.resolve(env) : settings();
}

function spoken({ code, fields, notExecuted }: Refusal, readOnly: boolean, sentences: RefusalSentences): Error {
  const sentence = sentences[code];
  if (sentence !== undefined) return new OperatorError(sentence);
  if (code === 'validation_failed')
    return new OperatorError(`${(fields ?? []).map(({ field, message }) => `${field} ${message}`).join('; ')}.`);
  if (code !== 'unavailable') return new Outage(`The chain service failed (${code}): see its log.`);
  const isDone = readOnly || notExecuted ? '' : ' Whether it was done is not known: look before you ask again.';
  return new Outage(`The chain service does not answer: does it run?${isDone}`);
}
