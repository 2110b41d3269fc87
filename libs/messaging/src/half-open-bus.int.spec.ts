import { eventually } from '@stablecoin/testing/eventually';
import { testNatsUrl, uniqueName } from '@stablecoin/testing/nats';
import { TcpProxy } from '@stablecoin/testing/tcp-proxy';
import { connectToBus } from './bus-connection';

/** Half of the time within which everything must work again after a fault. */
const NOTICED_WITHIN_MS = 5_000;

it.each(['freeze', 'halve'] as const)(
  'a connection to the broker on which nothing comes any more (%s) is replaced',
  async (fault) => {
    const target = new URL(testNatsUrl());
    const port = Number(target.port);
    const proxy = await TcpProxy.listen(() => port);
    target.port = String(proxy.port);
    const connection = await connectToBus(target.href, 'half-open');
    try {
      const subject = uniqueName('half_open');
      connection.subscribe(subject, { callback: (_, message) => message.respond('here') });
      await connection.request(subject, 'there?');
      proxy.open().forEach((passage) => passage[fault]());

      const answer = await eventually(
        'an answer over another connection',
        () => connection.request(subject, 'there?', { timeout: 500 }),
        {
          timeoutMs: NOTICED_WITHIN_MS,
        },
      );
      expect(answer.string()).toBe('here');
    } finally {
      await connection.close();
      await proxy.close();
    }
  },
);
