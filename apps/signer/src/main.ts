import 'reflect-metadata';
import { bootService } from '@stablecoin/service-host/boot';
import { SignerConfiguration } from './signer.configuration';
import { SignerModule } from './signer.module';
import { SigningJournal } from './signing/signing-journal';

void bootService({
  name: 'signer',
  configuration: SignerConfiguration,
  module: SignerModule,
  checks: (app) => {
    const journal = app.get(SigningJournal);
    const look = () => Promise.resolve(journal.takesEntries ? undefined : 'took no entry: see the log, then restart');
    return [{ name: 'journal', look }];
  },
});
