import { AssertionError } from 'node:assert';
import { errorMessage } from '@stablecoin/command-line/error-code';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { RefusedRequest, UnansweredRequest } from '@stablecoin/testing/merchant-client';

/** The upgrade did not go as the handbook says; any other OperatorError means that it could not be tried. */
export class Finding extends OperatorError {}

const EXPLAINED = [OperatorError, AssertionError, RefusedRequest, UnansweredRequest];

/** Turns an error of `work` into a finding, with its stack where its message alone explains nothing. */
export async function asFinding<Result>(work: Promise<Result>, before = ''): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    const isExplained = EXPLAINED.some((kind) => error instanceof kind);
    const stack = !isExplained && error instanceof Error ? error.stack : undefined;
    throw new Finding(`${before}${stack ?? errorMessage(error)}`);
  }
}
