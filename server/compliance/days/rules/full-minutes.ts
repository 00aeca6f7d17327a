import { minuteMs } from '#contract/period.ts'
/** The full minutes of a time range: the nth is `first + n` minutes. */
export interface FullMinutes {
  /** Epoch ms. */
  first: number
  count: number
}

/** Returns the full minutes from `from` to `until`, half open. */
export function createFullMinutes(from: number, until: number): FullMinutes {
  const first = Math.ceil(from / minuteMs) * minuteMs
  return { first, count: Math.max(0, Math.ceil((until - first) / minuteMs)) }
}

/** Returns the index of the first minute at or after a moment, limited to the range. */
export const findMinute = ({ first, count }: FullMinutes, ms: number): number =>
  Math.max(0, Math.min(count, Math.ceil((ms - first) / minuteMs)))

/** Returns the time (ms) of the minute with an index. */
export const getTimeOfMinute = ({ first }: FullMinutes, minute: number): number => first + minute * minuteMs
