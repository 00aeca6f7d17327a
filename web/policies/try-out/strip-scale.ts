import type { Limits, StripRow } from './strip-marks.ts'

export interface StripScale {
  from: number
  to: number
  ticks: readonly number[]
}

const steps = [1, 2, 5, 10]

/** A round step that divides a span into about `parts` parts. */
function roundStep(span: number, parts: number): number {
  const raw = span / parts
  const power = 10 ** Math.floor(Math.log10(raw))
  return (steps.find((step) => step * power >= raw) ?? 10) * power
}

/** The axis for values and limits. It begins at zero unless all of them are far above zero. */
export function stripScale(rows: readonly StripRow[], limits: readonly Limits[]): StripScale {
  const bounds = limits.flatMap(({ minimum, maximum }) => [minimum, maximum]).filter((each) => each !== null)
  const ends = rows.flatMap(({ marks }) => (marks.length ? [marks[0]!.value, marks.at(-1)!.value] : []))
  const all = [...ends, ...bounds]
  const most = Math.max(1, ...all)
  const least = Math.min(most, ...all)
  const isFar = all.length > 0 && least > 0.6 * most
  const room = Math.max((most - least) * 0.15, most * 0.04)
  const low = isFar ? Math.max(0, least - room) : 0
  const step = roundStep(most + room - low, 6)
  const [from, to] = [Math.floor(low / step) * step, Math.ceil((most + room) / step) * step]
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

/** The position of a value on the axis, 0 to 1. */
export const placeOn = ({ from, to }: Pick<StripScale, 'from' | 'to'>, value: number): number =>
  Math.max(0, Math.min(1, (value - from) / (to - from)))

/** The integer value at a position of the axis. */
export const valueAt = ({ from, to }: Pick<StripScale, 'from' | 'to'>, place: number): number =>
  Math.max(0, Math.round(from + Math.max(0, Math.min(1, place)) * (to - from)))
