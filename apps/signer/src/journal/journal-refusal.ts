import { ConfigurationError } from '@stablecoin/service-host/setting';

/** The journal can't be used: the service doesn't start, and says in one line why, and what to do. */
export class JournalRefusal extends ConfigurationError {}
