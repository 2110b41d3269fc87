import { Logger } from '@nestjs/common';
import { NatsConnection } from 'nats';
import { SealedCodec } from './sealed-codec';

/**
 * Messages to every instance that hears a subject, and not to one of a group. There is no answer, and no repetition: what
 * an instance does not hear, it has to learn in another way.
 */
export class Announcements {
  private readonly log = new Logger(Announcements.name);

  constructor(
    private readonly connection: NatsConnection,
    private readonly codec: SealedCodec,
  ) {}

  announce(subject: string, value: object): void {
    try {
      this.connection.publish(subject, this.codec.encode(subject, value));
    } catch (error) {
      this.log.warn({ msg: `${subject} could not be announced`, err: error });
    }
  }

  /** @returns ends it */
  hear<Value>(subject: string, isValid: (value: unknown) => value is Value, heard: (value: Value) => void): () => void {
    const subscription = this.connection.subscribe(subject, {
      callback: (error, message) => {
        if (error) {
          this.log.error({ msg: `${subject} is not heard: the broker refuses it`, err: error });
          return;
        }
        const value = this.open(subject, message.data);
        if (isValid(value)) heard(value);
        else this.log.warn(`${subject}: dropped a message that is not one of its own`);
      },
    });
    return () => subscription.unsubscribe();
  }

  private open(subject: string, data: Uint8Array): unknown {
    try {
      return this.codec.decode(subject, data);
    } catch {
      return undefined;
    }
  }
}
