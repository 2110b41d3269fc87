/** The MCP server as a model's program runs it: a process of its own, spoken to over its stdin and stdout. */

import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema, ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { testStack } from '@stablecoin/testing/stack';
import { ROOT } from './merchants';

const PROGRAM = join(ROOT, 'dist/apps/merchant-mcp/src/main.js');

/** What a tool answered, and whether as an error. */
export interface ToolAnswer<Data = unknown> {
  isError: boolean;
  text: string;
  body: {
    data: Data;
    executed?: boolean;
    confirmation_token?: string;
    dry_run?: Record<string, unknown>;
    would_send?: Record<string, unknown>;
    replayed?: boolean;
    pagination?: object;
    error?: { code: string; message: string; request_id?: string; errors?: { field: string }[] };
  };
}

export class McpClient {
  private constructor(
    readonly client: Client,
    private readonly errors: string[],
  ) {}

  /** @param answersPerson where the program can ask the person at it: what they answer */
  static async start(
    apiKey: string,
    { flags = [], answersPerson }: { flags?: readonly string[]; answersPerson?: () => ElicitResult } = {},
  ): Promise<McpClient> {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [PROGRAM, ...flags],
      env: { STABLECOIN_API_KEY: apiKey, STABLECOIN_BASE_URL: testStack().base_url },
      stderr: 'pipe',
    });
    const errors: string[] = [];
    transport.stderr?.on('data', (text: Buffer) => errors.push(text.toString()));
    const capabilities = answersPerson === undefined ? {} : { elicitation: { form: {} } };
    const client = new Client({ name: 'journeys', version: '1.0.0' }, { capabilities });
    if (answersPerson !== undefined) client.setRequestHandler(ElicitRequestSchema, answersPerson);
    await client.connect(transport);
    return new McpClient(client, errors);
  }

  async call<Data = unknown>(name: string, given: Record<string, unknown> = {}): Promise<ToolAnswer<Data>> {
    const { content, isError } = await this.client.callTool({ name, arguments: given });
    const [{ text = '' } = {}] = content as { text?: string }[];
    const body = text.startsWith('{')
      ? (JSON.parse(text) as ToolAnswer<Data>['body'])
      : ({} as ToolAnswer<Data>['body']);
    return { isError: isError === true, text, body };
  }

  /** Previews and confirms. */
  async write<Data = unknown>(name: string, given: Record<string, unknown> = {}): Promise<ToolAnswer<Data>> {
    const { body } = await this.call(name, given);
    return this.call<Data>(name, { ...given, confirmation_token: body.confirmation_token });
  }

  /** All that its process wrote for people. */
  get stderr(): string {
    return this.errors.join('');
  }

  async close(): Promise<void> {
    await this.client.close();
  }
}
