import type { PendingDay } from '../queries/shape-list-days.ts'

/** Routes of one portion: about 2 MB to transfer, read in tens of milliseconds. */
const maxRoutesPerPortion = 5000

/** Days that are worked off together, in so many parts. */
export interface Portion {
  days: PendingDay[]
  parts: number
}

/** Days in portions of about as many routes each, in their order; a day of very many comes in parts. */
export function splitIntoPortions(days: readonly PendingDay[], maxRoutes = maxRoutesPerPortion): Portion[] {
  const portions: Portion[] = []
  let routeCount = Infinity
  for (const day of days) {
    const own = Number(day.ways)
    if (routeCount + own > maxRoutes) {
      portions.push({ days: [], parts: Math.max(1, Math.ceil(own / maxRoutes)) })
      routeCount = 0
    }
    portions.at(-1)?.days.push(day)
    routeCount += own
  }
  return portions
}
