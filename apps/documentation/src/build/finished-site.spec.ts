import { createHash } from 'node:crypto';
import { policyOf } from './finished-site';

it('the policy allows the scripts in the pages by their hashes, each once, and no other inline script', () => {
  const script = 'document.documentElement.classList.add("dark")';
  const page = `<script id="one">${script}</script><script type="module" src="/docs/assets/app.js"></script>`;
  const hash = createHash('sha256').update(script).digest('base64');
  const policy = policyOf([page, page]);
  expect(policy).toContain(`script-src 'self' 'sha256-${hash}'; style-src 'self'`);
  expect(policy).not.toMatch(/script-src[^;]*unsafe/);
  expect(policy).toMatch(/^default-src 'none';.*frame-ancestors 'none'$/);
});
