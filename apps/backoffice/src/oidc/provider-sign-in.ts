import { Injectable } from '@nestjs/common';
import { Identities, ProviderAccount, ProviderWay } from '@stablecoin/people-store/identities';
import type { Place, Session } from '@stablecoin/people-store/sessions';
import { IdentityProvider, ProviderAway } from './identity-provider';

/** Why a person comes back without what they went for: in the page's address, so one of a few words and nothing else. */
type Reason = 'away' | 'failed' | 'not_connected' | 'of_another' | 'session_over';

/** Where a browser goes next: to pages of the console alone. */
export interface Arrival {
  to: '/' | '/account' | `/${'sign-in' | 'account'}?provider=${Reason}`;
  /** The cookie of a session that has begun. */
  session?: string;
}

/** The ways of a browser to the identity provider and back: to sign in, or to connect an account there to a person. */
@Injectable()
export class ProviderSignIn {
  constructor(
    private readonly identities: Identities,
    private readonly provider: IdentityProvider,
  ) {}

  /**
   * @param session the one in which an account is to be connected; null to sign in
   * @throws ProviderAway
   */
  async leave(session: Session | null): Promise<{ url: string; cookie: string }> {
    const { way, cookie } = await this.identities.beginWay(session);
    return { url: await this.provider.urlFor(way), cookie };
  }

  /** @param query of the address that the provider has sent the browser to */
  async comeBack(cookie: string | undefined, query: string, place: Place): Promise<Arrival> {
    const way = cookie === undefined ? undefined : await this.identities.endWay(cookie);
    if (way === undefined) return { to: '/sign-in?provider=failed' };
    const page = way.session_id === null ? 'sign-in' : 'account';
    try {
      const account = await this.provider.accountOf(way, query);
      if (account === undefined) return { to: `/${page}?provider=failed` };
      return await this.arrive(way, account, place);
    } catch (error) {
      if (error instanceof ProviderAway) return { to: `/${page}?provider=away` };
      throw error;
    }
  }

  private async arrive({ session_id }: ProviderWay, account: ProviderAccount, place: Place): Promise<Arrival> {
    if (session_id === null) {
      const session = await this.identities.signIn(account, place);
      return session === undefined ? { to: '/sign-in?provider=not_connected' } : { to: '/', session };
    }
    const outcome = await this.identities.connect(account, session_id);
    if (outcome === 'session_over') return { to: '/sign-in?provider=session_over' };
    return { to: outcome === 'done' ? '/account' : '/account?provider=of_another' };
  }
}
