import { metersPerMile } from '#contract/units.ts'

/** A number too large to hold is none. */
const held = (value: number): number => (Number.isFinite(value) ? value : Number.NaN)

/** A plain number; NaN where the text is none. Thousands marks are read (1,234.5). */
export function readNumber(text: string): number {
  if (text === '') return Number.NaN
  const plain = /^[+-]?\d{1,3}(,\d{3})+(\.\d+)?$/.test(text) ? text.replaceAll(',', '') : text
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain) ? held(Number(plain)) : Number.NaN
}

const metres = { m: 1, km: 1000, mi: metersPerMile, ft: 0.3048 } as const

/** Metres of a distance's text. */
export const readDistance = (text: string, unit: keyof typeof metres): number =>
  held(readNumber(text) * metres[unit])

const seconds = { s: 1, min: 60, h: 3600 } as const

/** Seconds of a duration's text: a number in the unit, or h:mm:ss (hours without limit). */
export function readDuration(text: string, unit: keyof typeof seconds | 'h:mm:ss'): number {
  const clock = /^(-?)(\d+):(\d{1,2}):(\d{1,2})(\.\d+)?$/.exec(text)
  if (clock)
    return held((Number(clock[2]) * 3600 + Number(clock[3]) * 60 + Number(clock[4])) * (clock[1] ? -1 : 1))
  return unit === 'h:mm:ss' ? Number.NaN : held(readNumber(text) * seconds[unit])
}
