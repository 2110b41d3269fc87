import { CONTROLLERS } from '../gateway.module';
import { openApiDocument } from './openapi-document';

/** A list of plain values, spread over lines: no string has a line break of its own in JSON. */
const PLAIN_LIST = /\[\n\s+([^[\]{}]*?)\n\s+\]/g;

/** The interface document as it is served, and committed as docs/openapi.json: lists of plain values on one line. */
export function openApiText(apiUrl?: string): string {
  const spread = JSON.stringify(openApiDocument(CONTROLLERS, apiUrl), undefined, 2);
  return `${spread.replace(PLAIN_LIST, (_list, items: string) => `[${items.replace(/\n\s+/g, ' ')}]`)}\n`;
}
