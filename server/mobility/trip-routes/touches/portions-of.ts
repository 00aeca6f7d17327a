import type { DueDay } from '../queries/way-days.ts'

/** Ways of one portion: some 2 MB on their way, read in tens of milliseconds. */
const mostWays = 5000

/** Days that are worked off together, in so many parts. */
export interface Portion {
  days: DueDay[]
  parts: number
}

/** Days in portions of about as many ways each, in their order; a day of very many comes in parts. */
export function portionsOf(days: readonly DueDay[], most = mostWays): Portion[] {
  const portions: Portion[] = []
  let ways = Infinity
  for (const day of days) {
    const own = Number(day.ways)
    if (ways + own > most) {
      portions.push({ days: [], parts: Math.max(1, Math.ceil(own / most)) })
      ways = 0
    }
    portions.at(-1)?.days.push(day)
    ways += own
  }
  return portions
}
