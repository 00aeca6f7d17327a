import type { RiverLine } from './river-line.ts'
import { zones } from './zones.ts'

/** The place in the list of zones of the zone to which a place (metres) belongs. */
export function zoneAt(river: RiverLine, x: number, y: number): number {
  const bank = isNorthOf(river, x, y) ? 'north' : 'south'
  let best = 0
  let nearest = Infinity
  zones.forEach((zone, index) => {
    if (zone.bank !== bank) return
    for (const seed of zone.seeds) {
      const distance = Math.hypot(seed[0] - x, seed[1] - y)
      if (distance < nearest) [best, nearest] = [index, distance]
    }
  })
  return best
}

function isNorthOf({ middle }: RiverLine, x: number, y: number): boolean {
  let nearest = Infinity
  let north = true
  for (let i = 0; i + 1 < middle.length; i++) {
    const [a, b] = [middle[i]!, middle[i + 1]!]
    const distance = Math.hypot((a[0] + b[0]) / 2 - x, (a[1] + b[1]) / 2 - y)
    if (distance >= nearest) continue
    nearest = distance
    north = (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]) > 0
  }
  return north
}
