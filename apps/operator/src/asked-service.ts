/** Asks a service over the bus: the commands see no database of it. */
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { CallerSecret } from '@stablecoin/command-proofs/caller-secret';
import { Evidence, signEvidence } from '@stablecoin/command-proofs/evidence';
import { Operation, Plain } from '@stablecoin/contracts/wire/operation';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { connectToBus } from '@stablecoin/messaging/bus-connection';
import { SealedCodec } from '@stablecoin/messaging/sealed-codec';
import { loadConfiguration } from '@stablecoin/service-host/setting';
import { CommandContext } from './command-context';
import { Outage } from './exit-codes';
import { BusCommandsConfiguration, LedgerCommandsConfiguration } from './operator.configuration';

/** What each of an operation's refusals means to a person. */
export type RefusalSentences = Readonly<Partial<Record<Refusal['code'], string>>>;

const BUS_USER = 'operator';

export interface AskedService {
  /** As it is called in a sentence. */
  service: 'chain service' | 'ledger';
  sentences?: RefusalSentences;
  /** Of an operation that a shard's owner answers. */
  shard?: number;
  /** What an operator states, of an operation that names its callers. */
  evidence?: Evidence;
}

/**
 * @throws OperatorError for a refusal, with its sentence
 * @throws Outage where the bus or the service does not answer
 */
export async function askService<Request extends object, Reply>(
  context: Pick<CommandContext, 'env' | 'settings'>,
  operation: Operation<Request, Reply>,
  body: Plain<Request>,
  { service, sentences = {}, shard, evidence }: AskedService,
): Promise<Reply> {
  const isCommand = operation.callers !== undefined;
  const environment = await environmentOf(context, isCommand);
  const { natsUrl, natsCaFile, busKey, busAcceptedKey } = loadConfiguration(BusCommandsConfiguration, environment);
  const secret = isCommand
    ? new CallerSecret(BUS_USER, loadConfiguration(LedgerCommandsConfiguration, environment).commandKey)
    : undefined;
  const connection = await connectToBus(natsUrl, BUS_USER, false, natsCaFile).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    throw new Outage(`The bus does not answer (${why}): is the stack running?`);
  });
  try {
    return await new BusClient(connection, new SealedCodec(busKey, busAcceptedKey), secret).call(operation, body, {
      ...(shard !== undefined && { shard }),
      ...(secret && evidence && { evidence: signEvidence(secret, evidence) }),
    });
  } catch (error) {
    throw error instanceof Refusal ? spoken(error, operation.readOnly, service, sentences) : error;
  } finally {
    await connection.close();
  }
}

/** A bus of the user's own needs nothing of a local stack. */
function environmentOf(
  { env, settings }: Pick<CommandContext, 'env' | 'settings'>,
  isCommand: boolean,
): Promise<NodeJS.ProcessEnv> {
  const names = ['NATS_URL', 'BUS_KEY', ...(isCommand ? ['COMMAND_KEY'] : [])];
  const isGiven = (name: string) => Boolean(env[name] || env[`${name}_FILE`]);
  return names.every(isGiven) ? Promise.resolve(env) : settings();
}

function spoken(
  { code, fields, notExecuted }: Refusal,
  readOnly: boolean,
  service: string,
  sentences: RefusalSentences,
): Error {
  const sentence = sentences[code];
  if (sentence !== undefined) return new OperatorError(sentence);
  if (code === 'validation_failed')
    return new OperatorError(`${(fields ?? []).map(({ field, message }) => `${field} ${message}`).join('; ')}.`);
  if (code !== 'unavailable') return new Outage(`The ${service} failed (${code}): see its log.`);
  const isDone = readOnly || notExecuted ? '' : ' Whether it was done is not known: look before you ask again.';
  return new Outage(`The ${service} does not answer: does it run?${isDone}`);
}
