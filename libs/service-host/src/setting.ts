import { readFileSync } from 'node:fs';
import 'reflect-metadata';

/**
 * One value of a service's configuration: which environment variable holds it, how its text is read, and what an
 * operator needs to know of it. `read` throws an Error that says what was expected.
 */
export interface SettingDefinition<Value> {
  env: string;
  describe: string;
  example: string;
  read: (text: string) => Value;
  /** Without a default the variable must be set. */
  default?: Value;
  /** Never printed, and read from the file that `<env>_FILE` names where that is set instead. */
  secret?: boolean;
}

interface KeyedSetting {
  key: string;
  definition: SettingDefinition<unknown>;
  /** Of a setting in a group: the group's property, and its class. */
  group?: { key: string; type: new () => object };
}

const SETTINGS = Symbol('settings');

export function Setting<Value>(definition: SettingDefinition<Value>): PropertyDecorator {
  return (target, key) => {
    const settings = settingsOf(target.constructor as new () => object);
    Reflect.defineMetadata(SETTINGS, [...settings, { key: String(key), definition }], target.constructor);
  };
}

/** The settings of another class, which several configurations have, as one property. */
export function SettingGroup(type: new () => object): PropertyDecorator {
  return (target, key) => {
    const group = { key: String(key), type };
    const settings = settingsOf(target.constructor as new () => object);
    const grouped = settingsOf(type).map((setting) => ({ ...setting, group }));
    Reflect.defineMetadata(SETTINGS, [...settings, ...grouped], target.constructor);
  };
}

/** The settings of a configuration class, its parents' first. */
export function settingsOf(configuration: new () => object): KeyedSetting[] {
  return (Reflect.getMetadata(SETTINGS, configuration) as KeyedSetting[] | undefined) ?? [];
}

/** Every wrong or missing variable, one line each: its name, what was expected, and an example. */
export class ConfigurationError extends Error {}

export function loadConfiguration<Config extends object>(
  configuration: new () => Config,
  environment: NodeJS.ProcessEnv,
): Config {
  const values: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const { key, definition, group } of settingsOf(configuration)) {
    try {
      const text = textOf(definition, environment);
      const holder = group ? ((values[group.key] ??= new group.type()) as Record<string, unknown>) : values;
      holder[key] = text === undefined || text === '' ? fallback(definition) : definition.read(text);
    } catch (error) {
      const wrong = `${definition.env}: expected ${(error as Error).message}, for example ${definition.example}`;
      problems.push(`${wrong}. ${definition.describe}`);
    }
  }
  if (problems.length > 0) throw new ConfigurationError(problems.join('\n'));
  return Object.assign(new configuration(), values);
}

/** The variable that names a file with the secret, as orchestrators mount them. */
export const fileVariable = (env: string): string => `${env}_FILE`;

function textOf({ env, secret }: SettingDefinition<unknown>, environment: NodeJS.ProcessEnv): string | undefined {
  const file = secret ? environment[fileVariable(env)] : undefined;
  if (!file) return environment[env];
  if (environment[env]) throw new Error(`either it or ${fileVariable(env)} to be set, not both`);
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`${fileVariable(env)} to name a file that can be read (${code})`);
  }
}

/** The texts of a class's secrets, as far as they can be read: no line of a log may contain them. */
export function secretTexts(configuration: new () => object, environment: NodeJS.ProcessEnv): string[] {
  return settingsOf(configuration).flatMap(({ definition }) => {
    try {
      return definition.secret ? (textOf(definition, environment) ?? []) : [];
    } catch {
      return []; // Refused by loadConfiguration, which says why.
    }
  });
}

function fallback(definition: SettingDefinition<unknown>): unknown {
  if (definition.default === undefined) throw new Error('it to be set');
  return definition.default;
}

/** Read where it is used: what is there may change while the process runs. */
export function filePath(value: string): string {
  if (/^\/[^\0]{1,1000}$/.test(value)) return value;
  throw new Error('the path of a file, from the root');
}

export function hostName(value: string): string {
  if (/^[A-Za-z0-9.:_-]{1,253}$/.test(value)) return value;
  throw new Error('an address of this machine, or a host name');
}

export function wholeNumber(minimum: number, maximum: number): (value: string) => number {
  return (value) => {
    const number = Number(value);
    if (/^\d+$/.test(value) && number >= minimum && number <= maximum) return number;
    throw new Error(`a whole number from ${minimum} to ${maximum}`);
  };
}

export function share(value: string): number {
  const number = Number(value);
  if (/^\d*\.?\d+$/.test(value) && number <= 1) return number;
  throw new Error('a number from 0 to 1');
}

/** At most `max` values, separated by commas. */
export function listOf<Value>(read: (value: string) => Value, max: number): (text: string) => Value[] {
  return (text) => {
    const values = text.split(',').map((value) => value.trim());
    if (values.length > max) throw new Error(`at most ${max} values, separated by commas`);
    return values.map(read);
  };
}

export function oneOf<Choice extends string>(...choices: Choice[]): (value: string) => Choice {
  return (value) => {
    const choice = choices.find((candidate) => candidate === value);
    if (choice) return choice;
    throw new Error(`one of ${choices.join(', ')}`);
  };
}

export function urlOf(...protocols: string[]): (value: string) => string {
  return (value) => {
    if (URL.canParse(value) && protocols.includes(new URL(value).protocol)) return value;
    throw new Error(`a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`);
  };
}

/** One or several, separated by commas, each of them whole. */
export function urlsOf(...protocols: string[]): (value: string) => string {
  const read = urlOf(...protocols);
  return (value) => {
    for (const url of value.split(',')) read(url);
    return value;
  };
}

export function bytes(length: number, encoding: 'base64' | 'hex'): (value: string) => Buffer {
  return (value) => {
    const buffer = Buffer.from(value, encoding);
    if (buffer.length === length && buffer.toString(encoding) === value) return buffer;
    throw new Error(`${length} bytes in ${encoding}`);
  };
}
