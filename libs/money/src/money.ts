import { AMOUNT_PATTERN } from './amount';
import { decimalsOf, type Currency } from './currency';

/** Decimals of every amount on the wire, in events and in NUMERIC(38,8), whatever the currency's own precision. */
export const MONEY_DECIMALS = 8;

/** What NUMERIC(38,8) holds: 30 integer digits, as balances may outgrow what one request can carry. */
const SIGNED_PATTERN = /^-?(0|[1-9]\d{0,29})(\.\d{1,8})?$/;

const ZEROS = '00000000';

/**
 * An amount of one currency: immutable, exact, possibly negative.
 *
 * `units` counts 1e-8 of the currency in a bigint, so that the ledger's hot path adds and compares integers; text
 * appears only at the edges. Mixing currencies throws: callers check the currency first, so here it is a broken
 * invariant and no refusal. There is no `toJSON`: JSON.stringify throws on a bigint, and an amount never loses its
 * currency unseen.
 */
export class Money {
  private constructor(
    readonly currency: Currency,
    /** 1e-8 of the currency. */
    readonly units: bigint,
  ) {}

  /**
   * From text that matches AMOUNT_PATTERN (no sign). Throws an Error on any other text: requests are checked before.
   */
  static parse(currency: Currency, text: string): Money {
    if (!AMOUNT_PATTERN.test(text)) {
      throw new Error(`Not an amount of ${currency}`);
    }
    return new Money(currency, unitsOf(text));
  }

  /**
   * Also with a leading '-' and up to 30 integer digits: for stored balances, house accounts included. Throws an Error.
   */
  static parseSigned(currency: Currency, text: string): Money {
    if (!SIGNED_PATTERN.test(text)) {
      throw new Error(`Not a signed amount of ${currency}`);
    }
    return new Money(currency, text.startsWith('-') ? -unitsOf(text.slice(1)) : unitsOf(text));
  }

  static zero(currency: Currency): Money {
    return new Money(currency, 0n);
  }

  /** @param units 1e-8 of the currency */
  static fromUnits(currency: Currency, units: bigint): Money {
    return new Money(currency, units);
  }

  plus(other: Money): Money {
    this.assertSameCurrency(other);
    return new Money(this.currency, this.units + other.units);
  }

  minus(other: Money): Money {
    this.assertSameCurrency(other);
    return new Money(this.currency, this.units - other.units);
  }

  negated(): Money {
    return new Money(this.currency, -this.units);
  }

  isZero(): boolean {
    return this.units === 0n;
  }

  isNegative(): boolean {
    return this.units < 0n;
  }

  isPositive(): boolean {
    return this.units > 0n;
  }

  isLessThan(other: Money): boolean {
    this.assertSameCurrency(other);
    return this.units < other.units;
  }

  /** Whether it has a part below the currency's smallest unit, which no bank can pay: NGN 0.001 has, NGN 1.500 has not. */
  isFinerThanCurrency(): boolean {
    return this.units % 10n ** BigInt(MONEY_DECIMALS - decimalsOf(this.currency)) !== 0n;
  }

  /** Same amount of the same currency; throws on different currencies as every comparison does. */
  equals(other: Money): boolean {
    this.assertSameCurrency(other);
    return this.units === other.units;
  }

  /** Always 8 decimals and never an exponent: '-10.50000000'. */
  toString(): string {
    const negative = this.units < 0n;
    const digits = (negative ? -this.units : this.units).toString().padStart(MONEY_DECIMALS + 1, '0');
    const point = digits.length - MONEY_DECIMALS;
    const text = `${digits.slice(0, point)}.${digits.slice(point)}`;
    return negative ? `-${text}` : text;
  }

  private assertSameCurrency(other: Money): void {
    if (this.currency !== other.currency) {
      throw new Error(`Currency mismatch: ${this.currency} and ${other.currency}`);
    }
  }
}

/** 1e-8 units of unsigned decimal text with at most 8 decimals. */
function unitsOf(text: string): bigint {
  const point = text.indexOf('.');
  if (point < 0) {
    return BigInt(text + ZEROS);
  }
  const decimals = text.length - point - 1;
  return BigInt(text.slice(0, point) + text.slice(point + 1) + ZEROS.slice(decimals));
}
