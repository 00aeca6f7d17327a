import BufferOp from 'jsts/org/locationtech/jts/operation/buffer/BufferOp.js'
import BufferParameters from 'jsts/org/locationtech/jts/operation/buffer/BufferParameters.js'
import { type Area, polygonsOf } from '#contract/place.ts'
import { fromJts } from '#server/geography/repair/from-jts.ts'
import { toJts } from '#server/geography/repair/to-jts.ts'
import type { DayRule } from './day-rule.ts'

/** Whether a place lies nearer to the border of a ground than so many metres. */
type NearBorder = (ground: number, lon: number, lat: number, metres: number) => boolean

const metresPerDegree = (Math.PI / 180) * 6_371_008.8
/** Edges are looked up by cells of so many degrees: some 200 m. */
const cell = 0.002
type Edge = readonly [number, number, number, number]

/** Edges by the cells that their box meets. */
class EdgeGrid {
  readonly #cells = new Map<string, Edge[]>()
  /** Edges too long to stand in each of their cells. */
  readonly #long: Edge[] = []

  constructor(areas: readonly Area[]) {
    for (const area of areas)
      for (const ring of polygonsOf(area).flat())
        for (let at = 0; at + 1 < ring.length; at++) {
          const [[ax, ay], [bx, by]] = [ring[at] as [number, number], ring[at + 1] as [number, number]]
          this.#put([ax, ay, bx, by])
        }
  }

  #put(edge: Edge): void {
    const [ax, ay, bx, by] = edge
    const [west, east, south, north] = [Math.min(ax, bx), Math.max(ax, bx), Math.min(ay, by), Math.max(ay, by)].map((value) => Math.floor(value / cell)) as [number, number, number, number]
    if ((east - west + 1) * (north - south + 1) > 400) return void this.#long.push(edge)
    for (let x = west; x <= east; x++)
      for (let y = south; y <= north; y++) {
        const there = this.#cells.get(`${x} ${y}`)
        if (there) there.push(edge)
        else this.#cells.set(`${x} ${y}`, [edge])
      }
  }

  isNear(lon: number, lat: number, metres: number): boolean {
    const perLon = metresPerDegree * Math.cos((lat * Math.PI) / 180)
    const isClose = ([ax, ay, bx, by]: Edge): boolean => {
      const [x0, y0, x1, y1] = [(ax - lon) * perLon, (ay - lat) * metresPerDegree, (bx - lon) * perLon, (by - lat) * metresPerDegree]
      const [dx, dy] = [x1 - x0, y1 - y0]
      const long = dx * dx + dy * dy
      const t = long === 0 ? 0 : Math.max(0, Math.min(1, -(x0 * dx + y0 * dy) / long))
      return Math.hypot(x0 + t * dx, y0 + t * dy) < metres
    }
    if (this.#long.some(isClose)) return true
    const [wide, high] = [metres / perLon, metres / metresPerDegree]
    for (let x = Math.floor((lon - wide) / cell); x <= Math.floor((lon + wide) / cell); x++) for (let y = Math.floor((lat - high) / cell); y <= Math.floor((lat + high) / cell); y++) if (this.#cells.get(`${x} ${y}`)?.some(isClose)) return true
    return false
  }
}

/** Areas as one: borders between neighbours are none. */
const together = (areas: readonly Area[]): Area => ({ type: 'MultiPolygon', coordinates: fromJts(BufferOp.bufferOp(toJts.multiPolygon(areas.flatMap(polygonsOf)), 0, new BufferParameters())) as Area['coordinates'] & [number, number][][][] })

/** Tells which places in a rule's grounds are too near to the border for what is known of them. Farther than 5 km nothing is accurate. */
export function borderOf({ places, grounds }: Pick<DayRule, 'places' | 'grounds'>): NearBorder {
  const grids = new Map<number, EdgeGrid>()
  const areasOf = (ground: number): readonly Area[] => {
    if (places !== 'union') return grounds[ground - 1]?.areas ?? []
    const all = grounds.flatMap(({ areas }) => areas)
    return all.length > 1 ? [together(all)] : all
  }
  return (ground, lon, lat, metres) => {
    let grid = grids.get(ground)
    if (!grid) grids.set(ground, (grid = new EdgeGrid(areasOf(ground))))
    return grid.isNear(lon, lat, Math.min(metres, 5000))
  }
}
