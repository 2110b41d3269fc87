import { useLocation } from '@tanstack/react-router';

const REFUSALS: Readonly<Record<string, string>> = {
  away: 'Your identity provider does not answer. Try again in a moment, or use a passkey.',
  failed: 'Signing in with your identity provider did not work. Try again.',
  not_connected:
    'Your account at the identity provider is connected to no member here. ' +
    'Open your invitation first, then connect it under “Your account”.',
  of_another: 'That account at the identity provider is connected to another member.',
  session_over: 'You were signed out before the account was connected. Sign in, then connect it again.',
};

/** Why the back office sent the browser to this page, from its address: of those words alone. */
export function useProviderRefusal(): string | undefined {
  const { provider } = useLocation({ select: ({ search }) => search as { provider?: unknown } });
  return typeof provider === 'string' && Object.hasOwn(REFUSALS, provider) ? REFUSALS[provider] : undefined;
}
