import { Refusal } from '@stablecoin/contracts/wire/refusal';

/** What the store says to operators, in the console's words: where it throws an error of `kind`, the refusal that is given for it. */
export async function refusedAs<Result>(
  kind: new (message: string) => Error,
  refusal: () => Refusal,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof kind ? refusal() : error;
  }
}
