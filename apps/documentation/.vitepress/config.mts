import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { readInterfaceDocument } from '../src/interface/interface-document';
import { sidebarOf } from '../src/reference/sidebar';

// The pages are those that src/build/build.main.ts has put together: guides as they are, the reference from the document.
const built = (path: string) => fileURLToPath(new URL(`../../../dist/${path}`, import.meta.url));
const document = readInterfaceDocument(fileURLToPath(new URL('../../../docs/openapi.json', import.meta.url)));

export default defineConfig({
  lang: 'en',
  title: 'Stablecoin Account Service',
  description: 'Accounts in stablecoins and currencies for a merchant: guides, reference, and a console to try it.',
  base: '/docs/',
  srcDir: built('documentation-pages'),
  outDir: built('documentation'),
  cacheDir: built('documentation-cache'),
  cleanUrls: true,
  // It would put a style into the page, which the content security policy forbids.
  appearance: { disableTransition: false },
  // What pages know of each other is a file with its hash in its name, not a script in each page.
  metaChunk: true,
  // No picture of ours is at the top level: browsers would ask for /favicon.ico.
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  markdown: {
    // Both themes reach a contrast of 4.5 to 1 on their ground.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  },
  themeConfig: {
    siteTitle: 'Stablecoin accounts',
    search: { provider: 'local', options: { detailedView: false } },
    outline: { level: 2, label: 'On this page' },
    nav: [
      { text: 'Guides', link: '/', activeMatch: '^/(guides/|$)' },
      { text: 'Reference', link: '/reference/customers', activeMatch: '^/reference/' },
    ],
    sidebar: sidebarOf(document),
    docFooter: { prev: 'Before', next: 'Next' },
  },
  vite: {
    // One line for each file that was written helps no reader of a start.
    logLevel: 'warn',
    build: { chunkSizeWarningLimit: 1_000 },
  },
});
