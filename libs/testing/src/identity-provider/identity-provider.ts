import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from '@stablecoin/command-line/root';
import type { Page } from 'playwright-core';

const MAIN = join(ROOT, 'dist/libs/testing/src/identity-provider/identity-provider.main.js');
const CLIENT_ID = 'stablecoin-console';
const CLIENT_SECRET = 'planted-client-secret-7c1e0d';

/** A real identity provider, of another site than the console's, in a process of its own. */
export class IdentityProviderProcess {
  private constructor(
    private readonly child: ChildProcess,
    readonly issuer: string,
  ) {}

  static async start(): Promise<IdentityProviderProcess> {
    const child = fork(MAIN, [CLIENT_ID, CLIENT_SECRET], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    const { issuer } = await new Promise<{ issuer: string }>((resolve, reject) => {
      child.once('message', resolve);
      child.once('exit', (code) => reject(new Error(`the identity provider ended with ${code}`)));
    });
    return new IdentityProviderProcess(child, issuer);
  }

  /** By which `backoffice` knows it. */
  get settings(): NodeJS.ProcessEnv {
    return {
      OIDC_ISSUER: this.issuer,
      OIDC_CLIENT_ID: CLIENT_ID,
      OIDC_CLIENT_SECRET: CLIENT_SECRET,
      OIDC_NAME: 'Marina ID',
    };
  }

  /** On its own pages: who it is, and that the console may know. */
  async signIn(page: Page, name: string): Promise<void> {
    await page.waitForURL((url) => url.origin === this.issuer);
    await page.locator('input[name=login]').fill(name);
    await page.locator('input[name=password]').fill('any');
    await page.locator('button[type=submit]').click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL((url) => url.origin !== this.issuer);
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.disconnect();
    await ended;
  }
}
