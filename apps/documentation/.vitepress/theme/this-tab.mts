import { onMounted, ref } from 'vue';
import { TabKey } from '../../src/console/api-keys';
import { KnownIds } from '../../src/console/known-ids';
import { data } from './operations.data.mts';

// What the components of a page have in common: the reader's key and the ids of this tab, and the service's address.

/** The page's own address says where the service is; its public one comes from the service. */
export const apiUrl = ref(data.apiUrl);
export const apiKey = ref('');
export const language = ref('curl');

/** What every npm start begins with; no other service takes it. */
export const LOCAL_KEY = 'sk_test_local_development_key_do_not_use_in_production';
export const isLoopback = (hostname: string): boolean => /^(127\.0\.0\.1|localhost|\[::1\])$/.test(hostname);

let asked = false;

/** Once the page runs in a browser. */
export function useThisTab(): void {
  onMounted(() => {
    if (asked) return;
    asked = true;
    apiKey.value = new TabKey(sessionStorage).value;
    void readAddress();
  });
}

async function readAddress(): Promise<void> {
  const response = await fetch('/docs/service.json');
  if (response.ok) apiUrl.value = ((await response.json()) as { api_url: string }).api_url;
}

export const knownIds = (): KnownIds => new KnownIds(sessionStorage);

/** Another key has other ids. */
export function keepKey(key: string): void {
  if (key !== apiKey.value) knownIds().forget();
  apiKey.value = key;
  new TabKey(sessionStorage).value = key;
}
