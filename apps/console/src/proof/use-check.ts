import { useMutation } from '@tanstack/react-query';

/**
 * A check in the browser, and what came of it for as long as its input is what was checked: with another key, pair or transaction
 * there is no verdict yet.
 */
export function useCheck<Input extends Readonly<Record<string, unknown>>, Found>(
  input: Input,
  check: (input: Input) => Promise<Found>,
) {
  const { mutate, variables, isPending, error, data } = useMutation({ mutationFn: check, gcTime: 0 });
  const isOfInput = variables !== undefined && Object.keys(input).every((name) => variables[name] === input[name]);
  return {
    start: () => mutate(input),
    isChecking: isOfInput && isPending,
    error: isOfInput ? error : null,
    found: isOfInput ? data : undefined,
  };
}
