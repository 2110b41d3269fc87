import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '@stablecoin/command-line/root';
import { TOOL_CACHE } from '@stablecoin/local-stack/paths';

const NEVER_COPIED = ['node_modules', '.git', '.data', '.nx', 'coverage'];

/** A copy of the checkout with its build, in which a spec may change any file. Dependencies and fetched tools are shared. */
export class CheckoutCopy {
  readonly root: string;
  private readonly folder = mkdtempSync(join(tmpdir(), 'checkout-'));

  constructor() {
    chmodSync(this.folder, 0o711); // Started by root, Postgres runs as another user and has to pass through.
    this.root = join(this.folder, 'checkout');
    const filter = (path: string) => !NEVER_COPIED.some((name) => path === join(ROOT, name));
    cpSync(ROOT, this.root, { recursive: true, filter });
    symlinkSync(join(ROOT, 'node_modules'), join(this.root, 'node_modules'));
    if (existsSync(TOOL_CACHE)) {
      mkdirSync(join(this.root, '.data'));
      symlinkSync(TOOL_CACHE, join(this.root, '.data', 'bin'));
    }
  }

  /** The data folder for a stack of the copy. */
  get dataDir(): string {
    return join(this.folder, 'data');
  }

  read(file: string): string {
    return readFileSync(join(this.root, file), 'utf8');
  }

  write(file: string, text: string): void {
    writeFileSync(join(this.root, file), text);
  }

  append(file: string, text: string): void {
    appendFileSync(join(this.root, file), text);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
