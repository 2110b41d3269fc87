import { MasterKeys } from '@stablecoin/personal-data/master-keys';
import { loadConfiguration } from '@stablecoin/service-host/setting';
import { Clock } from '../clock';
import { ComplianceConfiguration, OperatorConfiguration } from '../customer.configuration';
import { CustomerDesk } from '../customers/customer-desk';
import { DocumentArchive } from '../documents/document-archive';
import { MerchantRegistry } from '../merchants/merchant-registry';
import { CustomerDatabase } from '../persistence/customer-database';
import { PersonalData } from '../persistence/personal-data';

/** With the service's own role in its database. */
export async function asOperator<Result>(
  env: NodeJS.ProcessEnv,
  work: (merchants: MerchantRegistry, customers: CustomerDesk) => Promise<Result>,
): Promise<Result> {
  const configuration = loadConfiguration(OperatorConfiguration, env);
  return withDatabase(configuration.databaseUrl, (database) => {
    const personalData = new PersonalData(masterKeysOf(configuration), configuration.blindIndexKey);
    const clock = new Clock();
    const merchants = new MerchantRegistry(database, personalData, clock, configuration.ledgerShards);
    return work(merchants, new CustomerDesk(database, clock));
  });
}

/** With the service's own role, and the keys that are being changed. */
export async function withKeys<Result>(
  env: NodeJS.ProcessEnv,
  work: (database: CustomerDatabase, keys: { masterKeys: MasterKeys; personalData: PersonalData }) => Promise<Result>,
): Promise<Result> {
  const configuration = loadConfiguration(OperatorConfiguration, env);
  const masterKeys = masterKeysOf(configuration);
  const personalData = new PersonalData(masterKeys, configuration.blindIndexKey);
  return withDatabase(configuration.databaseUrl, (database) => work(database, { masterKeys, personalData }));
}

/** With the role that reads documents, which no service has. */
export async function asComplianceOfficer<Result>(
  env: NodeJS.ProcessEnv,
  work: (documents: DocumentArchive) => Promise<Result>,
): Promise<Result> {
  const configuration = loadConfiguration(ComplianceConfiguration, env);
  return withDatabase(configuration.complianceDatabaseUrl, (database) =>
    work(new DocumentArchive(database, masterKeysOf(configuration))),
  );
}

const masterKeysOf = (configuration: OperatorConfiguration | ComplianceConfiguration) =>
  new MasterKeys(configuration.personalDataKey, configuration.personalDataPreviousKey);

async function withDatabase<Result>(url: string, work: (database: CustomerDatabase) => Promise<Result>) {
  const database = new CustomerDatabase({ url, poolSize: 1 });
  try {
    return await work(database);
  } finally {
    await database.$disconnect();
  }
}
