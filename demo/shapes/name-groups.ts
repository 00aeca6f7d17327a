import { placeNames } from '../plan/place-names.ts'
import { zones } from '../plan/zones.ts'
import type { Point } from '../plane/point.ts'
import type { Cell } from './cell.ts'

/** A neighbourhood and the district it is part of. */
export interface Neighbourhood {
  name: string
  district: string
}

/** Names the groups of cells: of all pairs of a group and a name, the closest go together first. Each is of the district of its largest cell. */
export function nameGroups(cells: readonly Cell[], group: readonly number[]): Neighbourhood[] {
  const middles = Array.from({ length: Math.max(...group) + 1 }, (_, g) =>
    middleOf(cells.filter((_, i) => group[i] === g)),
  )
  const pairs = middles.flatMap(({ at }, g) =>
    placeNames.map((place) => ({
      g,
      name: place.name,
      distance: Math.hypot(at[0] - place.at[0], at[1] - place.at[1]),
    })),
  )
  pairs.sort((p, q) => p.distance - q.distance)
  const names = new Map<number, string>()
  const taken = new Set<string>()
  for (const { g, name } of pairs) {
    if (names.has(g) || taken.has(name)) continue
    names.set(g, name)
    taken.add(name)
  }
  return middles.map(({ zone }, g) => ({ name: names.get(g)!, district: zones[zone]!.district }))
}

function middleOf(cells: readonly Cell[]): { at: Point; zone: number } {
  let [x, y, area] = [0, 0, 0]
  for (const cell of cells) {
    x += cell.inner[0] * cell.area
    y += cell.inner[1] * cell.area
    area += cell.area
  }
  return { at: [x / area, y / area], zone: cells.reduce((a, b) => (b.area > a.area ? b : a)).zone }
}
