import { metersPerMile } from '#contract/units.ts'

/** A number too large to hold is none. */
const held = (value: number): number => (Number.isFinite(value) ? value : Number.NaN)

/** Powers of ten that a double holds exactly. */
const powersOfTen = Array.from({ length: 16 }, (_, power) => 10 ** power)

/**
 * Digits with at most one point and a sign, as almost all numbers of a file are; null for any other text. With up to 15
 * digits the digits and the power of ten are exact, so that their quotient is the number that `Number` reads.
 */
function readPlainNumber(text: string): number | null {
  const { length } = text
  const isNegative = text.charCodeAt(0) === 45
  let digits = 0
  let value = 0
  let decimals = -1
  for (let at = isNegative ? 1 : 0; at < length; at++) {
    const digit = text.charCodeAt(at) - 48
    if (digit >= 0 && digit <= 9) {
      value = value * 10 + digit
      digits++
      if (decimals >= 0) decimals++
    } else if (digit === -2 && decimals < 0) decimals = 0
    else return null
  }
  if (digits === 0 || digits > 15) return null
  if (decimals > 0) value /= powersOfTen[decimals] as number
  return isNegative ? -value : value
}

/** A plain number; NaN where the text is none. Thousands marks are read (1,234.5). */
export function readNumber(text: string): number {
  if (text === '') return Number.NaN
  const known = readPlainNumber(text)
  if (known !== null) return known
  const plain = /^[+-]?\d{1,3}(,\d{3})+(\.\d+)?$/.test(text) ? text.replaceAll(',', '') : text
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain) ? held(Number(plain)) : Number.NaN
}

const meters = { m: 1, km: 1000, mi: metersPerMile, ft: 0.3048 } as const

/** Meters of a distance's text. */
export const readDistance = (text: string, unit: keyof typeof meters): number =>
  held(readNumber(text) * meters[unit])

const seconds = { s: 1, min: 60, h: 3600 } as const

/** Seconds of a duration's text: a number in the unit, or h:mm:ss (hours without limit). */
export function readDuration(text: string, unit: keyof typeof seconds | 'h:mm:ss'): number {
  const clock = /^(-?)(\d+):(\d{1,2}):(\d{1,2})(\.\d+)?$/.exec(text)
  if (clock)
    return held((Number(clock[2]) * 3600 + Number(clock[3]) * 60 + Number(clock[4])) * (clock[1] ? -1 : 1))
  return unit === 'h:mm:ss' ? Number.NaN : held(readNumber(text) * seconds[unit])
}
