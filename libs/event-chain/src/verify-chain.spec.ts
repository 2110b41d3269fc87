import { canonicalText } from './canonical-text';
import { eventHash, GENESIS_HASH } from './event-hash';
import { ChainVerifier, StoredEvent } from './verify-chain';

function chain(length: number, shard = 0): StoredEvent[] {
  let previous: Uint8Array = GENESIS_HASH;
  return Array.from({ length }, (_none, index) => {
    const position = index + 1;
    const text = canonicalText({
      shard,
      position,
      amount: `${position}.00000000`,
    });
    const hash = eventHash(previous, text);
    previous = hash;
    return { shard, position, text, hash };
  });
}

function firstFault(events: StoredEvent[], shard = 0) {
  const verifier = new ChainVerifier(shard);
  events.forEach((event) => verifier.follow(event));
  return verifier.fault;
}

const changed = (events: StoredEvent[], index: number, change: Partial<StoredEvent>) =>
  events.map((event, at) => (at === index ? { ...event, ...change } : event));

describe('following a chain', () => {
  it('finds no fault in an unchanged chain, and knows where it ends', () => {
    const events = chain(20);
    const verifier = new ChainVerifier(0);
    events.forEach((event) => verifier.follow(event));
    expect(verifier.fault).toBeUndefined();
    expect(verifier.head).toEqual({ position: 20, hash: events[19]?.hash });
  });

  it.each([
    [
      'an edited text',
      (events: StoredEvent[]) => changed(events, 4, { text: events[4]?.text.replace('5.0', '6.0') }),
      5,
    ],
    ['an edited hash', (events: StoredEvent[]) => changed(events, 4, { hash: GENESIS_HASH }), 5],
    ['a deleted event', (events: StoredEvent[]) => events.filter((_event, index) => index !== 4), 5],
    ['a deleted beginning', (events: StoredEvent[]) => events.slice(1), 1],
    [
      'two events swapped',
      (events: StoredEvent[]) => events.toSpliced(4, 2, events[5] as StoredEvent, events[4] as StoredEvent),
      5,
    ],
    ['another shard’s chain', () => chain(20, 1), 1],
  ])('finds %s and names the position', (_what, tamper, position) => {
    expect(firstFault(tamper(chain(20)))?.position).toBe(position);
  });

  it('finds an edited event with a recomputed hash, at the event after it', () => {
    const events = chain(20);
    const text = (events[4] as StoredEvent).text.replace('5.0', '6.0');
    const forged = changed(events, 4, {
      text,
      hash: eventHash((events[3] as StoredEvent).hash, text),
    });
    expect(firstFault(forged)?.position).toBe(6);
  });
});

describe('the hash of an event', () => {
  it('never changes, because logs must verify for ever', () => {
    expect(eventHash(GENESIS_HASH, '{"position":1}').toString('hex')).toMatchInlineSnapshot(
      `"801d2a5dbf2387b07e319def860c56d6b828f575a168f3f297f6554ae5bbad8e"`,
    );
  });
});

describe('canonical text', () => {
  it.each([
    [
      'keys in order, whatever order they came in',
      { b: 1, a: [true, null], c: { y: 'é', x: '"' } },
      '{"a":[true,null],"b":1,"c":{"x":"\\"","y":"é"}}',
    ],
    ['nothing for what is undefined', { a: undefined, b: 0 }, '{"b":0}'],
  ])('has %s', (_what, value, text) => {
    expect(canonicalText(value)).toBe(text);
  });

  it.each([[0.5], [Number.MAX_SAFE_INTEGER + 1], [Number.NaN], ['\ud800']])(
    'refuses %p, which has no unique spelling',
    (value) => {
      expect(() => canonicalText(value)).toThrow(TypeError);
    },
  );
});
