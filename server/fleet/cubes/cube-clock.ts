import { civilClock } from '#contract/civil-clock.ts'

export const hourMs = 3_600_000

/** By how many ms the hours of a zone's clock begin before those of UTC: 0 but where clocks are off by a part of an hour. */
export function hourShift(timezone: string): number {
  // One offset for all of history: a zone that changed by a part of an hour uses that of 2025.
  const { ms } = civilClock(timezone).instant(20_089, 0)
  return (hourMs - (((ms % hourMs) + hourMs) % hourMs)) % hourMs
}

/** The begin of the hour that a moment is in, both ms. */
export const floorToHour = (ms: number, shift: number): number =>
  Math.floor((ms + shift) / hourMs) * hourMs - shift
