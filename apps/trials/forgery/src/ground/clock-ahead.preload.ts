/** Loaded by Node before a program, which then lives two minutes later. */
const AHEAD_MS = 120_000;
const Now = Date;

class Later extends Now {
  constructor(...given: ConstructorParameters<typeof Date> | []) {
    if (given.length === 0) super(Later.now());
    else super(...given);
  }

  static override now(): number {
    return Now.now() + AHEAD_MS;
  }
}

globalThis.Date = Later as unknown as DateConstructor;
