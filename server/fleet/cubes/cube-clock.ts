import { civilClock } from '#contract/civil-clock.ts'
import { dayNumber, hourMs } from '#contract/period.ts'

/**
 * Returns how much earlier (ms) the hours of a zone begin than those of UTC: 0 unless its offset is not in
 * full hours.
 */
export function hourShift(timezone: string): number {
  // One offset for all time: that of January 1, 2025. Hours of a zone that shifts by half an hour use it too.
  const { ms } = civilClock(timezone).instant(dayNumber('2025-01-01'), 0)
  return (hourMs - (((ms % hourMs) + hourMs) % hourMs)) % hourMs
}

/** Returns the start of the hour that contains an instant, ms. */
export const floorToHour = (ms: number, shift: number): number =>
  Math.floor((ms + shift) / hourMs) * hourMs - shift
