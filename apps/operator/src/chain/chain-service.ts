import { Operation, Plain } from '@stablecoin/contracts/wire/operation';
import { askService, RefusalSentences } from '../asked-service';
import { CommandContext } from '../command-context';

/** Asks the chain service: the commands see neither its database nor a node. */
export function askChain<Request extends object, Reply>(
  context: Pick<CommandContext, 'env' | 'settings'>,
  operation: Operation<Request, Reply>,
  body: Plain<Request>,
  sentences: RefusalSentences = {},
): Promise<Reply> {
  return askService(context, operation, body, { service: 'chain service', sentences });
}
