/** The full minutes of a time range: the nth is `first + n` minutes. */
export interface FullMinutes {
  /** Epoch ms. */
  first: number
  count: number
}

export const minuteMs = 60_000

/** From `from` to `until`, exclusive. */
export function fullMinutes(from: number, until: number): FullMinutes {
  const first = Math.ceil(from / minuteMs) * minuteMs
  return { first, count: Math.max(0, Math.ceil((until - first) / minuteMs)) }
}

/** Number of the first minute at or after a moment, within the range. */
export const minuteFrom = ({ first, count }: FullMinutes, at: number): number =>
  Math.max(0, Math.min(count, Math.ceil((at - first) / minuteMs)))

export const timeOfMinute = ({ first }: FullMinutes, minute: number): number => first + minute * minuteMs
