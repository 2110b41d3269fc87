import { BLIND_INDEX_KEY, CUSTOMER_DATABASE_URL, ERASURES_FILE } from '@stablecoin/customer-store/settings';
import { BACKOFFICE_DATABASE_URL, consoleOrigin, PEOPLE_KEY } from '@stablecoin/people-store/settings';
import { KeyWrappingSettings } from '@stablecoin/key-wrapping/key-wrapping-settings';
import {
  COMMAND_KEY,
  databaseUrl,
  furtherLedgerDatabases,
  LEDGER_SHARDS,
  NamedDatabase,
} from '@stablecoin/service-host/repeated-settings';
import { BusConfiguration } from '@stablecoin/service-host/service-configuration';
import { Setting, SettingGroup, urlOf } from '@stablecoin/service-host/setting';

/**
 * The settings of commands on the customer store: database, keys and shards, with the definitions of the customer
 * service. The commands need no bus, and officers have a database role of their own.
 */
export class OperatorConfiguration {
  @Setting(CUSTOMER_DATABASE_URL) databaseUrl: string;
  @SettingGroup(KeyWrappingSettings) dataKeys: KeyWrappingSettings;
  @Setting(BLIND_INDEX_KEY) blindIndexKey: Buffer;
  @Setting(LEDGER_SHARDS) ledgerShards: number;
  @Setting(ERASURES_FILE) erasuresFile: string | null;
}

/** What the log of operators' acts needs: no key, since nothing in it is sealed. */
export class LogConfiguration {
  @Setting(CUSTOMER_DATABASE_URL) databaseUrl: string;
}

/** Of what the console shows and nothing seals. */
export class PeopleDatabaseConfiguration {
  @Setting(BACKOFFICE_DATABASE_URL) databaseUrl: string;
}

/** Of commands about people who sign in to the console; they need the settings above as well, for merchants and the log of acts. */
export class PeopleConfiguration {
  @Setting(BACKOFFICE_DATABASE_URL) databaseUrl: string;
  @Setting(PEOPLE_KEY) peopleKey: Buffer;

  @Setting({
    env: 'CONSOLE_ORIGIN',
    describe: 'Where people reach the console: links begin with it.',
    example: 'https://console.example.com',
    read: consoleOrigin,
  })
  consoleOrigin: string;
}

export class ComplianceConfiguration {
  @Setting({
    env: 'CUSTOMER_COMPLIANCE_DATABASE_URL',
    describe: 'The same database, as a login with the role customer_compliance.',
    example: 'postgresql://customer_compliance:secret@127.0.0.1:5432/customer',
    read: urlOf('postgresql:', 'postgres:'),
    secret: true,
  })
  complianceDatabaseUrl: string;

  @SettingGroup(KeyWrappingSettings) dataKeys: KeyWrappingSettings;
}

/** The ledger's databases, by the owner of their tables: a move writes what no service may change. */
export class LedgerDatabasesConfiguration {
  @Setting(databaseUrl('ledger_migration', 'The ledger database that is home, as its owner.', 'ledger_owner'))
  databaseUrl: string;

  @Setting(
    furtherLedgerDatabases(
      'LEDGER_MIGRATION_DATABASES',
      'Further databases of the ledger, by name, as their owner.',
      'ledger_owner',
    ),
  )
  furtherDatabases: NamedDatabase[];
}

/** What commands need that ask the ledger to change something: it knows the operators' command line by its key. */
export class LedgerCommandsConfiguration extends BusConfiguration {
  @Setting(COMMAND_KEY) commandKey: Buffer;
}

/** What commands need that ask a service: the bus, as a user who may ask what the commands ask, and nothing else. */
export class BusCommandsConfiguration extends BusConfiguration {}
