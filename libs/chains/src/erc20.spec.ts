import { topicOf, TRANSFER_TOPIC, transferOf } from './erc20';

const FROM = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const TO = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const DATA = `0x${(10n ** 18n).toString(16).padStart(64, '0')}` as const;
const topics = [TRANSFER_TOPIC, topicOf(FROM), topicOf(TO)];

it('the topic of a transfer is the published one', () =>
  expect(TRANSFER_TOPIC).toBe('0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'));

it('a log of a transfer says who, to whom, and how many units', () =>
  expect(transferOf({ topics, data: DATA })).toEqual({
    from: FROM.toLowerCase(),
    to: TO.toLowerCase(),
    units: 10n ** 18n,
  }));

it.each<[string, { topics?: `0x${string}`[]; data?: `0x${string}` }]>([
  ['another event', { topics: [`0x${'1'.repeat(64)}`, ...topics.slice(1)] }],
  ['a transfer of ERC-721, whose token id is indexed', { topics: [...topics, DATA], data: '0x' }],
  ['a fourth topic', { topics: [...topics, DATA] }],
  ['a transfer that indexes its sender alone', { topics: topics.slice(0, 2), data: DATA }],
  ['more data than a number of units', { data: `${DATA}00` }],
  ['no data', { data: '0x' }],
  ['a recipient that is no address', { topics: [...topics.slice(0, 2), `0x${'1'.repeat(64)}`] }],
  ['no topics', { topics: [] }],
])('%s is no transfer', (_, changed) => expect(transferOf({ topics, data: DATA, ...changed })).toBeUndefined());
