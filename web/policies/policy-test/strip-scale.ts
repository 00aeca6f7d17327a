import type { Limits, StripRow } from './strip-marks.ts'

/** The axis of measured values. */
export interface StripScale {
  from: number
  to: number
  ticks: readonly number[]
}

const roundSteps = [1, 2, 5, 10]

/** Returns a round step that divides a span into about `parts` parts. */
function findRoundStep(span: number, parts: number): number {
  const exactStep = span / parts
  const power = 10 ** Math.floor(Math.log10(exactStep))
  return (roundSteps.find((step) => step * power >= exactStep) ?? 10) * power
}

/** Returns the axis for values and limits. It begins at zero unless all of them are far above zero. */
export function stripScale(rows: readonly StripRow[], limits: readonly Limits[]): StripScale {
  const bounds = limits
    .flatMap(({ minimum, maximum }) => [minimum, maximum])
    .filter((limit) => limit !== null)
  const ends = rows.flatMap(({ marks }) => (marks.length ? [marks[0]!.value, marks.at(-1)!.value] : []))
  const values = [...ends, ...bounds]
  const max = Math.max(1, ...values)
  const min = Math.min(max, ...values)
  const isFarFromZero = values.length > 0 && min > 0.6 * max
  const margin = Math.max((max - min) * 0.15, max * 0.04)
  const start = isFarFromZero ? Math.max(0, min - margin) : 0
  const step = findRoundStep(max + margin - start, 6)
  const from = Math.floor(start / step) * step
  const to = Math.ceil((max + margin) / step) * step
  const count = Math.round((to - from) / step)
  // Computed as multiples of the step, so that rounding errors do not accumulate.
  return {
    from,
    to,
    ticks: Array.from({ length: count + 1 }, (_, index) =>
      Number(((Math.round(from / step) + index) * step).toPrecision(12)),
    ),
  }
}

/** Returns the position of a value on the axis, 0 to 1. */
export const placeOn = ({ from, to }: Pick<StripScale, 'from' | 'to'>, value: number): number =>
  Math.max(0, Math.min(1, (value - from) / (to - from)))

/** Returns the integer value at a position of the axis. */
export const valueAt = ({ from, to }: Pick<StripScale, 'from' | 'to'>, place: number): number =>
  Math.max(0, Math.round(from + Math.max(0, Math.min(1, place)) * (to - from)))
