import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { ArrivingBody } from './arriving-body';
import { BodyShare } from './body-shares';

const LARGE = 1024 * 1024;

/** A request whose body has not wholly arrived. */
const arriving = () =>
  Object.assign(new PassThrough(), { complete: false, socket: { destroy: jest.fn() } }) as unknown as IncomingMessage;
const share = () => new BodyShare(() => undefined);

describe('a body with documents that no parser reads', () => {
  it('ends nothing but itself when its sender disconnects', async () => {
    const source = arriving();
    const body = new ArrivingBody(source, share(), LARGE);
    source.destroy();
    await turn();
    expect([body.destroyed, body.errored]).toEqual([true, expect.objectContaining({ code: 'malformed_json' })]);
  });

  it('ends also where its sender had disconnected before', async () => {
    const source = arriving();
    source.destroy();
    await turn();
    const body = new ArrivingBody(source, share(), LARGE);
    await turn();
    expect(body.destroyed).toBe(true);
  });

  it('is discarded once its request is answered, so that the connection goes on', async () => {
    const source = arriving() as IncomingMessage & PassThrough;
    const held = share();
    new ArrivingBody(source, held, LARGE);
    source.write(Buffer.alloc(LARGE / 2));
    await turn();
    held.close();
    source.end(Buffer.alloc(LARGE / 4));
    await turn();
    await turn();
    expect(source.readableEnded).toBe(true);
  });
});
