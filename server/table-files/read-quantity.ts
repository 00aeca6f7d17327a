import { metersPerMile } from '#contract/units.ts'

/** Returns a number, or NaN if it is too large for a double. */
const toFiniteOrNaN = (value: number): number => (Number.isFinite(value) ? value : Number.NaN)

/** Character codes; that of the decimal point is relative to zero. */
const minusCode = 45
const zeroCode = 48
const pointDigit = -2

/** Powers of ten that a double represents exactly. */
const powersOfTen = Array.from({ length: 16 }, (_, power) => 10 ** power)

/**
 * Parses digits with an optional sign and point, which is the format of almost all numbers; null for any
 * other text. Much faster than `Number`. With up to 15 digits, the digits and the power of ten are exact, so
 * their quotient is the same number.
 */
function readPlainNumber(text: string): number | null {
  const { length } = text
  const isNegative = text.charCodeAt(0) === minusCode
  let digits = 0
  let value = 0
  /** Digits after the point; -1 before it. */
  let decimals = -1
  for (let i = isNegative ? 1 : 0; i < length; i++) {
    const digit = text.charCodeAt(i) - zeroCode
    if (digit >= 0 && digit <= 9) {
      value = value * 10 + digit
      digits++
      if (decimals >= 0) decimals++
    } else if (digit === pointDigit && decimals < 0) decimals = 0
    else return null
  }
  if (digits === 0 || digits > 15) return null
  if (decimals > 0) value /= powersOfTen[decimals] as number
  return isNegative ? -value : value
}

/** Parses a number, which may have thousands separators (1,234.5); NaN if the text is not a number. */
export function readNumber(text: string): number {
  if (text === '') return Number.NaN
  const plainNumber = readPlainNumber(text)
  if (plainNumber !== null) return plainNumber
  const withoutSeparators = /^[+-]?\d{1,3}(,\d{3})+(\.\d+)?$/.test(text) ? text.replaceAll(',', '') : text
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(withoutSeparators)
    ? toFiniteOrNaN(Number(withoutSeparators))
    : Number.NaN
}

const metersPerUnit = { m: 1, km: 1000, mi: metersPerMile, ft: 0.3048 } as const

/** Parses a distance. Returns meters; NaN if it is invalid. */
export const readDistance = (text: string, unit: keyof typeof metersPerUnit): number =>
  toFiniteOrNaN(readNumber(text) * metersPerUnit[unit])

const secondsPerUnit = { s: 1, min: 60, h: 3600 } as const

/** Parses a duration, a number in the unit or h:mm:ss. Returns seconds; NaN if it is invalid. */
export function readDuration(text: string, unit: keyof typeof secondsPerUnit | 'h:mm:ss'): number {
  const clock = /^(-?)(\d+):(\d{1,2}):(\d{1,2})(\.\d+)?$/.exec(text)
  if (clock)
    return toFiniteOrNaN(
      (Number(clock[2]) * 3600 + Number(clock[3]) * 60 + Number(clock[4])) * (clock[1] ? -1 : 1),
    )
  return unit === 'h:mm:ss' ? Number.NaN : toFiniteOrNaN(readNumber(text) * secondsPerUnit[unit])
}
