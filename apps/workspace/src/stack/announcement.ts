import type { StackDescription } from '@stablecoin/local-stack/description';

/** Prints the addresses of a started stack on stdout: for people, or as one line of JSON. */
export function announce(description: StackDescription, { json }: { json: boolean }): void {
  process.stdout.write(json ? `${JSON.stringify(description)}\n` : announcementOf(description));
}

export function announcementOf(description: StackDescription): string {
  const places = description.base_url === undefined ? infrastructureOf(description) : servicesOf(description);
  const end = `Logs in ${description.data_dir}/logs. Ctrl-C stops everything.`;
  return `\n${[...places, ...chainsOf(description)].join('\n')}\n\n${end}\n`;
}

function servicesOf({ base_url, docs_url, api_key, operations_urls }: StackDescription): string[] {
  const operations = Object.entries(operations_urls ?? {}).filter(([, url]) => url !== undefined);
  const titles = operations.length === 0 ? [] : ['Operations (/live, /ready, /metrics)'];
  return [
    `Base URL   ${base_url}`,
    `Docs       ${docs_url}`,
    `API key    ${api_key}   (header x-api-key)`,
    ...titles,
    ...operations.map(([service, url]) => `  ${service.padEnd(14)} ${url}`),
  ];
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
