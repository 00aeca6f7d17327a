import { civilClock } from '#contract/civil-clock.ts'
import { dayNumber } from '#contract/period.ts'

/** No issue lies outside of these days; what lies far beyond is no time that the state store takes. */
const [first, last] = [dayNumber('1700-01-01'), dayNumber('2299-12-31')]

/** The instant at which a local day begins, or one some days on. */
export const dayStart = (day: string, timezone: string, daysOn = 0): Date =>
  new Date(civilClock(timezone).instant(Math.min(last, Math.max(first, dayNumber(day) + daysOn)), 0).ms)
