import { readFileSync } from 'node:fs';
import { MasterKeys } from '@stablecoin/personal-data/master-keys';
import { ConfigurationError } from '@stablecoin/service-host/setting';
import { KeyWrapping } from './key-wrapping';
import { KeyWrappingSettings } from './key-wrapping-settings';
import { MovingWrapping } from './moving-wrapping';
import { SettingsWrapping } from './settings-wrapping';
import { TransitClient } from './transit-client';
import { TransitWrapping } from './transit-wrapping';

/** @throws ConfigurationError where a setting is missing that PERSONAL_DATA_KEYS asks for, or one is set that it forbids */
export function configuredWrapping(settings: KeyWrappingSettings): KeyWrapping {
  return settings.keys === 'settings' ? withKeyInSettings(settings) : withKeyOutside(settings);
}

function withKeyInSettings(settings: KeyWrappingSettings): KeyWrapping {
  const { personalDataKey, personalDataPreviousKey, transitUrl } = settings;
  if (personalDataKey === null) throw missing('PERSONAL_DATA_KEY', 'settings');
  const current = new SettingsWrapping(new MasterKeys(personalDataKey, personalDataPreviousKey));
  return transitUrl === null ? current : new MovingWrapping(current, transitOf(settings, transitUrl));
}

function withKeyOutside(settings: KeyWrappingSettings): KeyWrapping {
  const { personalDataKey, personalDataPreviousKey, transitUrl } = settings;
  if (personalDataKey !== null)
    throw new ConfigurationError(
      'PERSONAL_DATA_KEY is set, and the master key is with a key management service: take it away from here. What it has ' +
        'wrapped opens with it as PERSONAL_DATA_PREVIOUS_KEY, until rewrap-keys has ended.',
    );
  if (transitUrl === null) throw missing('PERSONAL_DATA_TRANSIT_URL', 'transit');
  const current = transitOf(settings, transitUrl);
  if (personalDataPreviousKey === null) return current;
  return new MovingWrapping(current, new SettingsWrapping(new MasterKeys(personalDataPreviousKey)));
}

function transitOf(settings: KeyWrappingSettings, url: string): TransitWrapping {
  const { transitKey: key, transitToken: token, transitTimeoutMs: timeoutMs, transitCacheSeconds } = settings;
  const { transitCaFile, transitClientCertificateFile, transitClientKeyFile } = settings;
  if ((transitClientCertificateFile === null) !== (transitClientKeyFile === null))
    throw new ConfigurationError(
      'PERSONAL_DATA_TRANSIT_CLIENT_CERTIFICATE_FILE and PERSONAL_DATA_TRANSIT_CLIENT_KEY_FILE: set both or neither.',
    );
  const tls = {
    ca: contentOf('PERSONAL_DATA_TRANSIT_CA_FILE', transitCaFile),
    cert: contentOf('PERSONAL_DATA_TRANSIT_CLIENT_CERTIFICATE_FILE', transitClientCertificateFile),
    key: contentOf('PERSONAL_DATA_TRANSIT_CLIENT_KEY_FILE', transitClientKeyFile),
  };
  return new TransitWrapping(new TransitClient({ url, key, token, timeoutMs, tls }), transitCacheSeconds * 1_000);
}

function contentOf(variable: string, file: string | null): Buffer | undefined {
  if (file === null) return undefined;
  try {
    return readFileSync(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigurationError(`${variable}: expected it to name a file that can be read (${code}).`);
  }
}

const missing = (variable: string, keys: string) =>
  new ConfigurationError(`${variable}: expected it to be set, because PERSONAL_DATA_KEYS is ${keys}.`);
