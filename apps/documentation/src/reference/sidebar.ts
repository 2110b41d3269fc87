import type { InterfaceDocument } from '../interface/interface-document';
import { operationsOf } from '../interface/operations';
import { slugOf } from './reference-pages';

interface Entry {
  text: string;
  link?: string;
  collapsed?: boolean;
  items?: Entry[];
}

/** The guides in the order in which they are read. */
export const GUIDES: readonly (readonly [path: string, title: string])[] = [
  ['/', 'Start'],
  ['/guides/amounts', 'Amounts'],
  ['/guides/errors', 'Errors'],
  ['/guides/retries', 'Idempotency and retries'],
  ['/guides/dry-runs', 'Dry runs'],
  ['/guides/limits', 'Keys and limits'],
  ['/guides/approvals', 'Limits and approvals of payouts'],
  ['/guides/customers', 'Customers and documents'],
  ['/guides/webhooks', 'Webhooks'],
  ['/guides/sandbox', 'Sandbox'],
  ['/guides/clients', 'SDKs, command line, MCP'],
  ['/guides/proofs', 'Proofs'],
  ['/guides/live', 'Going live'],
];

/** Guides first, then the reference, with each operation under its page. */
export function sidebarOf(document: InterfaceDocument): Entry[] {
  const operations = operationsOf(document);
  const pages = document.tags.map(({ name }) => {
    const link = `/reference/${slugOf(name)}`;
    const here = operations.filter(({ tag }) => tag === name);
    const items = here.map(({ operationId, method, path }) => ({
      text: `<span class="method ${method.toLowerCase()}">${method}</span> ${path}`,
      link: `${link}#${operationId}`,
    }));
    return { text: name, link, collapsed: true, items };
  });
  return [
    { text: 'Guides', items: GUIDES.map(([link, text]) => ({ text, link })) },
    { text: 'Reference', items: [...pages, { text: 'Error codes', link: '/reference/errors' }] },
  ];
}
