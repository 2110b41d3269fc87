import type { StackDescription } from '@stablecoin/local-stack/description';
import type { SignInLink } from './console';

/** With links that are shown once and stored nowhere. */
type Announced = StackDescription & { sign_in_links?: readonly SignInLink[] };

/** Prints the addresses of a started stack on stdout: for people, or as one line of JSON. */
export function announce(description: Announced, { json }: { json: boolean }): void {
  process.stdout.write(json ? `${JSON.stringify(description)}\n` : announcementOf(description));
}

export function announcementOf(description: Announced): string {
  const places = description.base_url === undefined ? infrastructureOf(description) : servicesOf(description);
  const end = `Logs in ${description.data_dir}/logs. Ctrl-C stops everything.`;
  return `\n${[...places, ...chainsOf(description)].join('\n')}\n\n${end}\n`;
}

function servicesOf({ base_url, docs_url, api_key, operations_urls, ...console }: Announced): string[] {
  const operations = Object.entries(operations_urls ?? {}).filter(([, url]) => url !== undefined);
  const titles = operations.length === 0 ? [] : ['Operations (/live, /ready, /metrics)'];
  return [
    `Base URL   ${base_url}`,
    `Docs       ${docs_url}`,
    `API key    ${api_key}   (header x-api-key)`,
    ...consoleOf(console),
    ...titles,
    ...operations.map(([service, url]) => `  ${service.padEnd(14)} ${url}`),
  ];
}

/** Each link signs in once; the console itself says where one that was used comes from. */
function consoleOf({ console_url, sign_in_links = [] }: Pick<Announced, 'console_url' | 'sign_in_links'>): string[] {
  if (console_url === undefined) return [];
  const links = sign_in_links.map(({ role, link }) => `  as ${role.padEnd(11)} ${link}`);
  return [`Console    ${console_url}${links.length > 0 ? '   (links sign in once, on this machine)' : ''}`, ...links];
}

function chainsOf({ chains = [] }: StackDescription): string[] {
  if (chains.length === 0) return [];
  const lines = chains.map(({ network, chain_id, rpc_url, tokens }) => {
    const contracts = Object.entries(tokens).map(
      ([code, { address, decimals }]) => `${code} ${address} (${decimals} decimals)`,
    );
    return `  ${network.padEnd(9)} chain ${String(chain_id).padEnd(3)}  ${rpc_url}  ${contracts.join('  ')}`;
  });
  const faucets = new Set(chains.map(({ faucet_private_key: key }) => `  faucet's private key  ${key}`));
  const hotWallets = new Set(chains.map(({ hot_wallet: address }) => `  hot wallet            ${address}`));
  return ['Chains', ...lines, ...faucets, ...hotWallets];
}

const infrastructureOf = ({ nats_url, databases }: StackDescription): string[] => [
  `NATS       ${nats_url}`,
  ...Object.entries(databases).map(([name, url]) => `${name.padEnd(10)} ${url}`),
];
