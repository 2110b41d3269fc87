import { requireValidSettings } from './settings-check';

it('accepts unset settings and valid ones', () => {
  expect(() => {
    requireValidSettings({});
    requireValidSettings({ QUOTE_TTL_MS: '5000', LOG_LEVEL: 'debug', NATS_URL: 'nats://127.0.0.1:1' });
  }).not.toThrow();
});

it('refuses a wrong setting in the words of the service that takes it', () => {
  expect(() => {
    requireValidSettings({ QUOTE_TTL_MS: 'abc' });
  }).toThrow(
    /^swap-pricing could not start: QUOTE_TTL_MS: expected a whole number from \d+ to \d+, for example \d+\. /,
  );
});

it('names every wrong setting once, with all services that read it', () => {
  expect(() => {
    requireValidSettings({ LOG_LEVEL: 'loudest', NATS_URL: 'http://127.0.0.1' });
  }).toThrow(
    /^gateway, customer, wallet-ledger, swap-pricing, payout, signer, chain could not start: NATS_URL: .*\ngateway, .* LOG_LEVEL: .*$/,
  );
});

it('refuses an invalid key without printing it', () => {
  const key = 'a key that is too short';
  const check = () => {
    requireValidSettings({ PERSONAL_DATA_KEY: key });
  };
  expect(check).toThrow(/PERSONAL_DATA_KEY: expected 32 bytes in base64/);
  expect(check).not.toThrow(new RegExp(key));
});

it('asks nothing of the services of chains where there are none', () => {
  expect(() => {
    requireValidSettings({ LOCAL_CHAINS: 'false', CHAIN_POLL_MS: 'abc' });
  }).not.toThrow();
  expect(() => {
    requireValidSettings({ CHAIN_POLL_MS: 'abc' });
  }).toThrow(/^chain could not start: CHAIN_POLL_MS: /);
});

it('refuses a wrong node of a chain', () => {
  expect(() => {
    requireValidSettings({ CHAIN_RPC_ERC20: 'localhost:8545', CHAIN_FINALITY_ERC20: 'soon' });
  }).toThrow(
    /^chain could not start: CHAIN_RPC_ERC20: .*\nchain could not start: CHAIN_FINALITY_ERC20: expected finalized, /,
  );
});
