import { civilClock } from '#contract/civil-clock.ts'
import { dayNumber, hourMs } from '#contract/period.ts'

/** Returns how much earlier (ms) a zone's hours begin than those of UTC: 0 if its offset is in full hours. */
export function hourShift(timezone: string): number {
  // One offset for all time: that of January 1, 2025. Hours of a zone that shifts by half an hour use it too.
  const { ms: midnight } = civilClock(timezone).instant(dayNumber('2025-01-01'), 0)
  const msIntoUtcHour = ((midnight % hourMs) + hourMs) % hourMs
  return (hourMs - msIntoUtcHour) % hourMs
}

/** Returns the start of the hour that contains an instant, ms. `shift`: that of `hourShift`. */
export const floorToHour = (ms: number, shift: number): number =>
  Math.floor((ms + shift) / hourMs) * hourMs - shift
