import type { TestStack } from '@stablecoin/testing/stack';
import { SoftwareDevice } from '@stablecoin/testing/software-device';
import { operatorOf } from './merchants';

interface Challenge {
  challenge: string;
}

export interface Shown {
  status: number;
  text: string;
  headers: Headers;
}

/** A person in a browser who is signed in to the console. */
export class ConsoleSession {
  private constructor(
    private readonly url: string,
    private readonly cookie: string,
  ) {}

  /** @param merchantId undefined for one of the operator's people */
  static async of(role: string, merchantId: string | undefined, stack: TestStack): Promise<ConsoleSession> {
    const of = merchantId === undefined ? [] : ['--merchant', merchantId];
    const person = ['--name', 'Bola Ade', '--email', 'bola@example.com'];
    const invited = await operatorOf(stack).run(['people', 'invite', ...of, '--role', role, ...person]);
    const { link } = JSON.parse(invited) as { link: string };
    const { origin, hash } = new URL(link);
    const response = await fetch(`${origin}/api/session/link`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin },
      body: JSON.stringify({ token: hash.slice(1) }),
    });
    const [cookie = ''] = response.headers.getSetCookie();
    if (response.status !== 200) throw new Error(`the link was answered ${response.status}: ${await response.text()}`);
    return new ConsoleSession(origin, cookie.split(';', 1)[0] ?? '');
  }

  /** @returns the answer's body */
  async post<Body>(path: string, body: object): Promise<{ status: number; body: Body }> {
    const headers = { cookie: this.cookie, 'content-type': 'application/json', origin: this.url };
    const response = await fetch(`${this.url}/api${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return { status: response.status, body: (await response.json()) as Body };
  }

  /** A passkey of the person's, in a device that is honest. */
  async addPasskey(): Promise<SoftwareDevice> {
    const device = SoftwareDevice.at(this.url);
    const { body } = await this.post<{ options: Challenge }>('/passkeys/options', {});
    const response = device.registers(body.options);
    const { status } = await this.post('/passkeys', { name: 'Laptop', response });
    if (status !== 201) throw new Error(`the passkey was answered ${status}`);
    return device;
  }

  /** As if money were to follow. */
  async stepUp(device: SoftwareDevice): Promise<void> {
    const { body } = await this.post<{ options: Challenge }>('/session/step-up/options', {});
    const { status } = await this.post('/session/step-up', { response: device.shows(body.options) });
    if (status !== 200) throw new Error(`the passkey was answered ${status}`);
  }

  async get(path: string): Promise<Shown> {
    const { status, bytes, headers } = await this.getBytes(path);
    return { status, text: bytes.toString(), headers };
  }

  async getBytes(path: string): Promise<Omit<Shown, 'text'> & { bytes: Buffer }> {
    const response = await fetch(`${this.url}/api${path}`, { headers: { cookie: this.cookie } });
    const { status, headers } = response;
    return { status, bytes: Buffer.from(await response.arrayBuffer()), headers };
  }
}
