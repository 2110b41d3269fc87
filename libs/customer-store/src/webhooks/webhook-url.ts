import { OwnerSeal } from '@stablecoin/personal-data/owner-seal';
import { Sql } from '@stablecoin/persistence/sql';
import { PersonalData } from '../personal-data';

/** Where an endpoint is, as its row has it: sealed with the merchant's data key, or of the version before in clear. */
export interface StoredUrl {
  url: string | null;
  sealed_url: string | null;
}

/** A stored answer that has a URL in it; of the version before in clear. */
export interface SealedAnswer {
  sealed_answer: string;
}

const urlField = (endpointId: string): string => `webhook-url:${endpointId}`;
const answerField = (commandId: string): string => `answer:${commandId}`;

export const sealUrl = (seal: OwnerSeal, endpointId: string, url: string): StoredUrl => ({
  url: null,
  sealed_url: seal.seal(urlField(endpointId), url),
});

export function openUrl(seal: OwnerSeal, endpointId: string, { url, sealed_url }: StoredUrl): string {
  return sealed_url === null ? (url as string) : seal.open<string>(urlField(endpointId), sealed_url);
}

export const sealAnswer = (seal: OwnerSeal, commandId: string, answer: unknown): SealedAnswer => ({
  sealed_answer: seal.seal(answerField(commandId), answer),
});

export function openAnswer<Answer extends object>(seal: OwnerSeal, commandId: string, stored: Answer | SealedAnswer) {
  return 'sealed_answer' in stored ? seal.open<Answer>(answerField(commandId), stored.sealed_answer) : stored;
}

/** False while services of the version before may run, which read no sealed URL: see the migration `sealed_webhook_urls`. */
export async function sealsUrls(sql: Sql): Promise<boolean> {
  const [row] = await sql.$queryRaw<{ begun: boolean }[]>`SELECT EXISTS (SELECT FROM webhook_url_sealing) AS begun`;
  return row?.begun ?? false;
}

/** As a row is to have it. */
export async function storedUrl(
  sql: Sql,
  seal: OwnerSeal,
  { id, url }: { id: string; url: string },
): Promise<StoredUrl> {
  return (await sealsUrls(sql)) ? sealUrl(seal, id, url) : { url, sealed_url: null };
}

/** An answer with a URL in it, as it is to be stored. */
export async function storedAnswer<Answer extends object>(
  sql: Sql,
  seal: OwnerSeal,
  commandId: string,
  answer: Answer,
): Promise<Answer | SealedAnswer> {
  return (await sealsUrls(sql)) ? sealAnswer(seal, commandId, answer) : answer;
}

/** What a merchant's URLs and secrets are sealed with: its own data key; undefined for a merchant that there is none of. */
export async function sealOfMerchant(
  sql: Sql,
  personalData: PersonalData,
  merchantId: string,
): Promise<OwnerSeal | undefined> {
  const [row] = await sql.$queryRaw<{ wrapped_key: string }[]>`
    SELECT wrapped_key FROM data_keys WHERE owner_id = ${merchantId}::uuid`;
  return row && personalData.sealOf(merchantId, row.wrapped_key);
}
