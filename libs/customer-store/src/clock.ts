/** Tells the time; injected wherever it is asked for, so that a test can set it. */
export class Clock {
  now(): Date {
    return new Date();
  }
}
