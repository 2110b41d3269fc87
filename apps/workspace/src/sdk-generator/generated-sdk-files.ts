import { sdkModel } from './read-document';
import { SdkModel } from './sdk-model';

/** What one language's emitter writes: files of the checkout, each made of the model. */
export type SdkEmitter = Readonly<Record<string, (model: SdkModel) => string>>;

/** A further language is one emitter here. */
const EMITTERS: readonly SdkEmitter[] = [];

/** The generated parts of all SDKs, as `npm run docs` writes them: made of docs/openapi.json, so after it. */
export const GENERATED_SDK_FILES = EMITTERS.flatMap((emitter) =>
  Object.entries(emitter).map(([file, text]) => ({ file, text: () => text(sdkModel()) })),
);
