import { curlOf } from './curl';
import { pythonOf } from './python';
import { typescriptOf } from './typescript';

/** In the order in which a reader is offered them. */
export const LANGUAGES = [
  { name: 'curl', of: curlOf },
  { name: 'TypeScript', of: typescriptOf },
  { name: 'Python', of: pythonOf },
] as const;
