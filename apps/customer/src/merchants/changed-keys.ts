import { BeforeApplicationShutdown, Injectable, Logger, OnApplicationBootstrap } from '@nestjs/common';
import { API_KEY_CHANGED, isApiKeyChanged } from '@stablecoin/contracts/customer/api-key-changed';
import { Announcements } from '@stablecoin/messaging/announcements';
import { Notifications } from '@stablecoin/persistence/notifications';
import { CustomerConfiguration } from '../customer.configuration';

/**
 * Tells every gateway of a key that was revoked or changed, at the commit: the database notifies this service of it (see
 * the migration `api_keys_bound_and_told`), also of a change made by hand, so the operator's commands need no way onto the bus. Each
 * instance tells; a gateway that hears it twice forgets the key twice.
 */
@Injectable()
export class ChangedKeys implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(ChangedKeys.name);
  private readonly notifications: Notifications;

  constructor({ databaseUrl }: CustomerConfiguration, announcements: Announcements) {
    this.notifications = new Notifications(
      { url: databaseUrl, applicationName: 'customer-changed-keys', name: 'api_key_changed' },
      (key_hash) => {
        const changed = { key_hash };
        if (isApiKeyChanged(changed)) announcements.announce(API_KEY_CHANGED, changed);
      },
      (error) => this.log.warn({ msg: 'changes of keys are not heard for now', err: error }),
    );
  }

  onApplicationBootstrap(): void {
    this.notifications.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.notifications.stop();
  }
}
