/** The service's clock, provided so that a test can set it. */
export class Clock {
  now(): Date {
    return new Date();
  }
}
