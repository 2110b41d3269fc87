/** What the package exports. */

export { Stablecoin, type StablecoinOptions } from './stablecoin';
export { unwrapWebhook, type UnwrapOptions, type WebhookHeaders } from './webhook-signature';
export * as amounts from './amounts';
export type { Answer, Call } from './call';
export type { Page, PageCall } from './pages';
export type { RequestOptions, WriteOptions } from './operation';
export type { FileContent } from './request-body';
export type { AttemptLog } from './transport';
export {
  StablecoinAbortError,
  StablecoinApiError,
  StablecoinCallError,
  StablecoinConnectionError,
  StablecoinError,
  StablecoinTimeoutError,
  UnexpectedAnswerError,
  WebhookSignatureError,
} from './errors';
export * from './errors.generated';
export type * from './types.generated';
export type * from './resources.generated';
