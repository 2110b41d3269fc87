import { CONTROLLERS } from '../gateway.module';
import { openApiDocument } from './openapi-document';

/** The interface document as it is served, and committed as docs/openapi.json. */
export function openApiText(): string {
  return `${JSON.stringify(openApiDocument(CONTROLLERS), undefined, 2)}\n`;
}
