import type { PendingDay } from '../queries/shape-list-days.ts'

/** The number of routes of a portion: about 2 MB to transfer, read in tens of milliseconds. */
const maxRoutesPerPortion = 5000

/** Days that are processed together. More than one part only if a single day has too many routes. */
export interface Portion {
  days: PendingDay[]
  parts: number
}

/**
 * Splits days into portions of at most `maxRoutes` routes, in order. A day with more routes is a portion with
 * several parts.
 */
export function splitIntoPortions(days: readonly PendingDay[], maxRoutes = maxRoutesPerPortion): Portion[] {
  const portions: Portion[] = []
  /** The number of routes of the last portion. */
  let portionRoutes = 0
  for (const day of days) {
    const dayRoutes = Number(day.route_count)
    const lastPortion = portions.at(-1)
    if (lastPortion && portionRoutes + dayRoutes <= maxRoutes) {
      lastPortion.days.push(day)
      portionRoutes += dayRoutes
    } else {
      portions.push({ days: [day], parts: Math.max(1, Math.ceil(dayRoutes / maxRoutes)) })
      portionRoutes = dayRoutes
    }
  }
  return portions
}
