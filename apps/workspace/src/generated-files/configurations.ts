import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { STACK_SERVICES, type StackServiceName } from '@stablecoin/local-stack/environment';
import { type SettingDefinition, settingsOf } from '@stablecoin/service-host/setting';
import { checkoutModule, CODE } from './checkout-module';

/** In the order in which a request passes them, then the operators' command line and the witness, which are configured as services are. */
export const CONFIGURED_APPS = [
  'gateway',
  'customer',
  'wallet-ledger',
  'swap-pricing',
  'payout',
  'signer',
  'chain',
  'backoffice',
  'audit-runner',
  'operator',
  'witness',
] as const;
type ConfiguredService = StackServiceName;
type ConfiguredApp = (typeof CONFIGURED_APPS)[number];

/** A class with settings that an app declares. */
export interface Configuration<App = ConfiguredApp> {
  app: App;
  name: string;
  type: new () => object;
  settings: SettingDefinition<unknown>[];
}

export const isService = (app: ConfiguredApp): app is ConfiguredService =>
  (STACK_SERVICES as readonly string[]).includes(app);

/** Every configuration class, in the order of the apps, each app's largest first. */
export function configurations(): Configuration[] {
  return CONFIGURED_APPS.flatMap((app) =>
    classesIn(checkoutModule(configurationFile(app)))
      .map(([name, type]) => ({ app, name, type, settings: settingsOf(type).map(({ definition }) => definition) }))
      .filter(({ settings }) => settings.length > 0)
      .sort((one, other) => other.settings.length - one.settings.length),
  );
}

/** Those that the services are configured by. */
export function serviceConfigurations(): Configuration<ConfiguredService>[] {
  return configurations().filter((entry): entry is Configuration<ConfiguredService> => isService(entry.app));
}

function configurationFile(app: ConfiguredApp): string {
  const folder = `apps/${app}/src`;
  const file = readdirSync(join(CODE, folder)).find((entry) => /\.configuration\.[jt]s$/.test(entry));
  if (file === undefined) throw new Error(`${folder} has no *.configuration.ts`);
  return `${folder}/${file.replace(/\.[jt]s$/, '')}`;
}

const classesIn = (module: Record<string, unknown>): [string, new () => object][] =>
  Object.entries(module).filter((entry): entry is [string, new () => object] => typeof entry[1] === 'function');
