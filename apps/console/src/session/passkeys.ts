/** Passkeys: the browser's part. Its library is loaded when one is used, so that the first load does without. */
import { answered, backOffice, type Session } from '../api/client';
import { Refusal } from '../api/refusal';
import { challengeIs } from './challenge';

type Options = Record<string, unknown>;
type Response = Record<string, unknown>;

/** The person answers a challenge with a passkey. */
export async function responseTo(options: Options): Promise<Response> {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  type OptionsJson = Parameters<typeof startAuthentication>[0]['optionsJSON'];
  const response = await startAuthentication({ optionsJSON: options as unknown as OptionsJson }).catch(notGiven);
  return response as unknown as Response;
}

export async function signInByPasskey(): Promise<Session> {
  const { options } = await answered(backOffice.POST('/api/session/passkey/options'));
  const response = await responseTo(options);
  return answered(backOffice.POST('/api/session/passkey', { body: { response } }));
}

export async function addPasskey(name: string): Promise<void> {
  const [{ startRegistration }, { options }] = await Promise.all([
    import('@simplewebauthn/browser'),
    answered(backOffice.POST('/api/passkeys/options')),
  ]);
  type OptionsJson = Parameters<typeof startRegistration>[0]['optionsJSON'];
  const made = await startRegistration({ optionsJSON: options as unknown as OptionsJson }).catch(notGiven);
  await backOffice.POST('/api/passkeys', { body: { name, response: made as unknown as Response } });
}

/** Does it; where the back office first wants to see the passkey again, shows it and does it once more. */
export async function withStepUp<Done>(act: () => Promise<Done>): Promise<Done> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'step_up_required') throw error;
    const { options } = await answered(backOffice.POST('/api/session/step-up/options', { body: {} }));
    await answered(backOffice.POST('/api/session/step-up', { body: { response: await responseTo(options) } }));
    return act();
  }
}

/** What the passkey signs is the hash that the person was shown: a challenge for anything else is never given to it. */
export async function approvalResponse(transactionId: string, approvalHash: string): Promise<Response> {
  const params = { path: { transaction_id: transactionId } };
  const { options } = await answered(
    backOffice.POST('/api/payouts/{transaction_id}/approve/options', { params, body: {} }),
  );
  if (!challengeIs(options['challenge'], approvalHash)) {
    const message = 'The payout is not the one that you were shown. Load the page again, and look before you approve.';
    throw new Refusal(-1, 'another_challenge', message, null);
  }
  return responseTo(options);
}

/** A person's refusal and a timeout look alike to a browser. */
function notGiven(error: unknown): never {
  if (error instanceof Error && ['NotAllowedError', 'AbortError'].includes(error.name)) {
    throw new Refusal(-1, 'passkey_not_given', 'No passkey was given. You can try again.', null);
  }
  throw error;
}
