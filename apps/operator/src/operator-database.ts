import { Clock } from '@stablecoin/customer-store/clock';
import { CustomerDatabase } from '@stablecoin/customer-store/customer-database';
import { CustomerAdministration } from '@stablecoin/customer-store/customers/customer-administration';
import { ErasureRecord } from '@stablecoin/customer-store/customers/erasure-record';
import { DocumentArchive } from '@stablecoin/customer-store/documents/document-archive';
import { MerchantQuotas } from '@stablecoin/customer-store/merchants/merchant-quotas';
import { MerchantRegistry } from '@stablecoin/customer-store/merchants/merchant-registry';
import { ScreeningDesk } from '@stablecoin/customer-store/screening/screening-desk';
import { ScreeningLists } from '@stablecoin/customer-store/screening/screening-lists';
import { PersonalData } from '@stablecoin/customer-store/personal-data';
import { configuredWrapping } from '@stablecoin/key-wrapping/configured-wrapping';
import { KeyWrapping } from '@stablecoin/key-wrapping/key-wrapping';
import { loadConfiguration } from '@stablecoin/service-host/setting';
import { CommandContext } from './command-context';
import { ComplianceConfiguration, LogConfiguration, OperatorConfiguration } from './operator.configuration';

type Settings = CommandContext['settings'];

/** The customer store, and the keys that seal its data. */
export interface OpenStore {
  registry: MerchantRegistry;
  quotas: MerchantQuotas;
  administration: CustomerAdministration;
  screeningLists: ScreeningLists;
  screeningDesk: Pick<ScreeningDesk, 'cases' | 'showCase' | 'decide'>;
  database: CustomerDatabase;
  wrapping: KeyWrapping;
  personalData: PersonalData;
}

/** Runs `work` with the service's own role in its database. */
export async function asOperator<Result>(
  settings: Settings,
  work: (store: OpenStore) => Promise<Result>,
): Promise<Result> {
  const configuration = loadConfiguration(OperatorConfiguration, await settings());
  const wrapping = configuredWrapping(configuration.dataKeys);
  const personalData = new PersonalData(wrapping, configuration.blindIndexKey);
  const clock = new Clock();
  const { erasuresFile } = configuration;
  const erasures = erasuresFile === null ? undefined : new ErasureRecord(erasuresFile);
  return withDatabase(configuration.databaseUrl, (database) =>
    work({
      registry: new MerchantRegistry(database, personalData, clock, configuration.ledgerShards),
      quotas: new MerchantQuotas(database),
      administration: new CustomerAdministration(database, clock, erasures),
      screeningLists: new ScreeningLists(database, clock),
      screeningDesk: new ScreeningDesk(database, personalData, clock, true),
      database,
      wrapping,
      personalData,
    }),
  );
}

/** Runs `work` with the role that reads documents, which no service has. */
export async function asComplianceOfficer<Result>(
  settings: Settings,
  work: (documents: DocumentArchive) => Promise<Result>,
): Promise<Result> {
  const configuration = loadConfiguration(ComplianceConfiguration, await settings());
  return withDatabase(configuration.complianceDatabaseUrl, (database) =>
    work(new DocumentArchive(database, configuredWrapping(configuration.dataKeys))),
  );
}

/** Runs `work` on the database that has the log of operators' acts. */
export async function onLog<Result>(
  settings: Settings,
  work: (database: CustomerDatabase) => Promise<Result>,
): Promise<Result> {
  return withDatabase(loadConfiguration(LogConfiguration, await settings()).databaseUrl, work);
}

export async function withDatabase<Result>(url: string, work: (database: CustomerDatabase) => Promise<Result>) {
  const database = new CustomerDatabase({ url, poolSize: 1 });
  try {
    return await work(database);
  } finally {
    await database.$disconnect();
  }
}
