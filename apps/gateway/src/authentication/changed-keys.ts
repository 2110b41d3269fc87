import { Injectable, OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { API_KEY_CHANGED, isApiKeyChanged } from '@stablecoin/contracts/customer/api-key-changed';
import { Announcements } from '@stablecoin/messaging/announcements';
import { ApiKeys } from './api-keys';

/** Hears of keys that were revoked or changed, in every gateway, so that the next request has them looked up anew. */
@Injectable()
export class ChangedKeys implements OnApplicationBootstrap, OnApplicationShutdown {
  private stopHearing = (): void => undefined;

  constructor(
    private readonly announcements: Announcements,
    private readonly apiKeys: ApiKeys,
  ) {}

  onApplicationBootstrap(): void {
    this.stopHearing = this.announcements.hear(API_KEY_CHANGED, isApiKeyChanged, ({ key_hash }) =>
      this.apiKeys.forget(key_hash),
    );
  }

  onApplicationShutdown(): void {
    this.stopHearing();
  }
}
