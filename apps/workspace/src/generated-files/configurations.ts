import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type SettingDefinition, settingsOf } from '@stablecoin/service-host/setting';
import { checkoutModule, CODE } from './checkout-module';

export const SERVICES = ['gateway', 'customer', 'wallet-ledger', 'swap-pricing', 'payout'] as const;
export type Service = (typeof SERVICES)[number];

/** A class with settings that an app declares. */
export interface Configuration {
  app: Service;
  name: string;
  type: new () => object;
  settings: SettingDefinition<unknown>[];
}

/** Every configuration class, in the order of the services, each service's own first and those of its command lines after it. */
export function configurations(): Configuration[] {
  return SERVICES.flatMap((app) =>
    classesIn(checkoutModule(configurationFile(app)))
      .map(([name, type]) => ({ app, name, type, settings: settingsOf(type).map(({ definition }) => definition) }))
      .filter(({ settings }) => settings.length > 0)
      .sort((one, other) => other.settings.length - one.settings.length),
  );
}

/** Of each service the class that the process itself is configured by. */
export function serviceConfigurations(): Configuration[] {
  const all = configurations();
  return all.filter(({ app }, index) => all.findIndex((other) => other.app === app) === index);
}

function configurationFile(app: Service): string {
  const folder = `apps/${app}/src`;
  const file = readdirSync(join(CODE, folder)).find((entry) => /\.configuration\.[jt]s$/.test(entry));
  if (file === undefined) throw new Error(`${folder} has no *.configuration.ts`);
  return `${folder}/${file.replace(/\.[jt]s$/, '')}`;
}

const classesIn = (module: Record<string, unknown>): [string, new () => object][] =>
  Object.entries(module).filter((entry): entry is [string, new () => object] => typeof entry[1] === 'function');
