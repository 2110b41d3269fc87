import { randomUUID } from 'node:crypto';
import { TransactionsChanged } from '@stablecoin/contracts/wallet/transactions-changed';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import type { Announcements } from '@stablecoin/messaging/announcements';
import type { Session, Sessions } from '@stablecoin/people-store/sessions';
import { LiveStreams } from './live-streams';

const merchant_id = randomUUID();
const sessionOf = (member_id: string) => ({ session_id: randomUUID(), member_id, merchant_id }) as Session;

let announce: (changes: TransactionsChanged) => void;
let streams: LiveStreams;

beforeEach(() => {
  const announcements = {
    hear: (_subject: string, _isValid: unknown, heard: typeof announce) => {
      announce = heard;
      return () => undefined;
    },
  };
  streams = new LiveStreams(announcements as unknown as Announcements, {} as Sessions);
  streams.onApplicationBootstrap();
});
afterEach(() => streams.beforeApplicationShutdown());

it('cuts a page off that reads nothing, and no other one', () => {
  const [slow, other] = [streams.open(sessionOf('slow')), streams.open(sessionOf('other'))];
  other.resume();
  const transaction_ids = Array.from({ length: 50 }, (_, index) => `K7Q2ZP9X${10 + index}`);
  for (let time = 0; time < 40; time += 1) {
    announce({ merchants: [{ merchant_id, transaction_ids }] });
    other.read();
  }
  expect({ slow: slow.destroyed, other: other.destroyed }).toEqual({ slow: true, other: false });
});

it('opens 500 pages, and the next one when one was closed', async () => {
  const pages = Array.from({ length: 500 }, (_, index) => streams.open(sessionOf(`member ${index}`)));
  expect(() => streams.open(sessionOf('one more'))).toThrow(Refusal.rateLimited(5));
  const closed = new Promise((resolve) => pages[0]?.once('close', resolve));
  pages[0]?.destroy();
  await closed;
  expect(streams.open(sessionOf('one more')).destroyed).toBe(false);
});

it('opens none once the service stops', () => {
  streams.beforeApplicationShutdown();
  expect(() => streams.open(sessionOf('late'))).toThrow(new Refusal('unavailable'));
});
