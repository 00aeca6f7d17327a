/** Sign, integer digits, decimals and exponent of a number such as `-1.5e3`. */
const decimalPattern = /^([+-]?)(\d+)(?:\.(\d*))?(?:e([+-]?\d{1,3}))?$/i

/** Returns the greatest common divisor, which is not negative. */
function gcd(a: bigint, b: bigint): bigint {
  if (b !== 0n) return gcd(b, a % b)
  return a < 0n ? -a : a
}

/** An exact fraction in lowest terms, for amounts of money and their factors. */
export class Rational {
  readonly #numerator: bigint
  /** Always positive. */
  readonly #denominator: bigint

  constructor(numerator: bigint, denominator = 1n) {
    if (denominator === 0n) throw new RangeError('A fraction has no denominator of 0')
    const divisor = gcd(numerator, denominator) * (denominator < 0n ? -1n : 1n)
    this.#numerator = divisor === 0n ? 0n : numerator / divisor
    this.#denominator = divisor === 0n ? 1n : denominator / divisor
  }

  /** Parses a decimal number such as `0.16` or `'1234.567'`. @throws RangeError for other strings. */
  static of(value: number | string | bigint): Rational {
    if (typeof value === 'bigint') return new Rational(value)
    const match = decimalPattern.exec(String(value).trim())
    if (!match) throw new RangeError(`${value} is not a decimal number`)
    const [, sign, integer = '', fraction = '', exponent = '0'] = match
    const scale = Number(exponent) - fraction.length
    const digits = BigInt(integer + fraction) * (sign === '-' ? -1n : 1n)
    return scale >= 0
      ? new Rational(digits * 10n ** BigInt(scale))
      : new Rational(digits, 10n ** BigInt(-scale))
  }

  plus(other: Rational): Rational {
    return new Rational(
      this.#numerator * other.#denominator + other.#numerator * this.#denominator,
      this.#denominator * other.#denominator,
    )
  }
  minus(other: Rational): Rational {
    return this.plus(new Rational(-other.#numerator, other.#denominator))
  }
  times(other: Rational): Rational {
    return new Rational(this.#numerator * other.#numerator, this.#denominator * other.#denominator)
  }
  over(other: Rational): Rational {
    return new Rational(this.#numerator * other.#denominator, this.#denominator * other.#numerator)
  }
  /** Returns negative, 0 or positive if this is less than, equal to or greater than the other. */
  compare(other: Rational): number {
    const difference = this.#numerator * other.#denominator - other.#numerator * this.#denominator
    if (difference === 0n) return 0
    return difference < 0n ? -1 : 1
  }

  /** Returns the numerator and the denominator, in lowest terms. */
  get fraction(): readonly [bigint, bigint] {
    return [this.#numerator, this.#denominator]
  }

  /** Rounds to units of 10^-digits, halves away from 0, so that a credit mirrors its invoice. */
  rounded(digits: number): bigint {
    const scaled = this.#numerator * 10n ** BigInt(digits)
    const magnitude = scaled < 0n ? -scaled : scaled
    const integer = (2n * magnitude + this.#denominator) / (2n * this.#denominator)
    return scaled < 0n ? -integer : integer
  }

  /** Returns a decimal string with at most `maxDigits` decimals, without trailing zeros. */
  text(maxDigits = 9): string {
    return formatMinor(this.rounded(maxDigits), maxDigits)
      .replace(/(\.\d*?)0+$/, '$1')
      .replace(/\.$/, '')
  }
}

/** Formats an integer number of units of 10^-digits: 2935307 with 2 digits is 29353.07. */
export function formatMinor(minor: bigint, digits: number): string {
  const allDigits = (minor < 0n ? -minor : minor).toString().padStart(digits + 1, '0')
  const integer = allDigits.slice(0, allDigits.length - digits)
  const fraction = allDigits.slice(allDigits.length - digits)
  return `${minor < 0n ? '-' : ''}${integer}${digits ? `.${fraction}` : ''}`
}

export const zero = new Rational(0n)
export const sumRationals = (values: readonly Rational[]): Rational =>
  values.reduce((total, value) => total.plus(value), zero)
export const min = (a: Rational, b: Rational): Rational => (a.compare(b) <= 0 ? a : b)
export const max = (a: Rational, b: Rational): Rational => (a.compare(b) >= 0 ? a : b)
