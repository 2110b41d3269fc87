import { pythonSdk } from './python-sdk';
import { sdkModel } from './read-document';
import { SdkEmitter } from './sdk-model';
import { typescriptOperations } from './typescript-operations';
import { typescriptSdk } from './typescript-sdk';

/** A further language is one emitter here. */
const EMITTERS: readonly SdkEmitter[] = [typescriptSdk, typescriptOperations, pythonSdk];

/** The generated parts of all SDKs, as `npm run docs` writes them: made of docs/openapi.json, so after it. */
export const GENERATED_SDK_FILES = EMITTERS.flatMap((emitter) =>
  Object.entries(emitter).map(([file, text]) => ({ file, text: () => text(sdkModel()) })),
);
