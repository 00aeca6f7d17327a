import { setImmediate as turn } from 'node:timers/promises'
import { type Box, polygonsOf } from '#contract/place.ts'
import { boxOfArea } from '#server/mobility/trip-routes/touches/way-list.ts'
import { TouchIndex } from '#server/mobility/trip-routes/touches/touch-index.ts'
import { type Sql, sql } from '#server/stores/sql.ts'
import { type DayFigure, limits, type Measuring, piecesOf, spanOf } from '../measuring.ts'
import { tripRows } from '../queries/fact-rows.ts'
import { byGround, inAreas } from '../queries/in-grounds.ts'
import { momentsInPieces } from '../queries/pieces.ts'
import { type Bounds, tripReachDays, tripsWithWay, type WayOfTrip, waysNear } from '../queries/way-rows.ts'

/** A trip that came into a ground within a window. */
export interface RiddenTrip {
  /** Number of the window, from 0 up. */
  day: number
  ground: number
  operator: string
  trip_id: string
  device_id: string
  vehicle_type: string
  /** When and where it was there first: the begin of the stretch, or the end of the trip, ms. */
  at: number
  lon: number
  lat: number
}

interface EndRow { w: number; ground: number; operator: string; trip_id: string; device_id: string; vehicle_type: string; at: string; lon: number; lat: number }

/** Ways that are held against areas before others have their turn. */
const waysAtOnce = 200
const numbers = (text: string): number[] => (text === '' ? [] : text.split(' ').map(Number))

/** The numbers of the windows that a stretch of time, both ends in, has a moment in common with; windows in order. */
function windowsAt({ from, until }: Bounds, begins: number, ends: number): number[] {
  const found: number[] = []
  for (let at = 0; at < from.length; at++) if ((until[at] as number) > (from[at] as number) && begins < (until[at] as number) && ends >= (from[at] as number)) found.push(at)
  return found
}

/** Which grounds each way comes into within each window, and where first. */
class WayWatch {
  readonly #index: TouchIndex
  readonly #groundOf: readonly number[]

  constructor({ rule }: Measuring) {
    const areas = rule.grounds.flatMap(({ areas: of }, ground) => of.map((area) => ({ area, ground: rule.places === 'union' ? 0 : ground + 1 })))
    this.#index = new TouchIndex(areas.map(({ area }, at) => ({ number: at + 1, rings: polygonsOf(area).flat() })))
    this.#groundOf = areas.map(({ ground }) => ground)
  }

  /** The windows and grounds that a way comes into; the place is where it is there first, or its begin where it came without times. */
  tripsOf(way: WayOfTrip, windows: Bounds): RiddenTrip[] {
    const { operator, trip_id, device_id, vehicle_type } = way
    const begins = Number(way.begins)
    const trip = { operator, trip_id, device_id, vehicle_type, at: begins, lon: NaN, lat: NaN }
    if (way.begins_inside) return [{ ...trip, day: way.w - 1, ground: 0 }]
    const [lon, lat] = [numbers(way.lons).map((each) => each / 1e6), numbers(way.lats).map((each) => each / 1e6)]
    const touched = this.#index.touchedBy(lon, lat)
    if (!touched.length) return []
    if (way.times === '') return [...new Set(touched.map((number) => this.#groundOf[number - 1] as number))].map((ground) => ({ ...trip, day: way.w - 1, ground, lon: lon[0] as number, lat: lat[0] as number }))
    const times = numbers(way.times).map((each) => begins + each * 1000)
    const found = new Map<string, RiddenTrip>()
    const last = lon.length - 1
    for (let at = 0; at < Math.max(1, last); at++) {
      const to = Math.min(at + 1, last)
      const near = windowsAt(windows, times[at] as number, times[to] as number)
      if (!near.length) continue
      for (const number of this.#index.touchedBy([lon[at] as number, lon[to] as number], [lat[at] as number, lat[to] as number])) {
        const ground = this.#groundOf[number - 1] as number
        for (const day of near) {
          const key = `${day} ${ground}`
          if (!found.has(key)) found.set(key, { ...trip, day, ground, at: times[at] as number, lon: lon[at] as number, lat: lat[at] as number })
        }
      }
    }
    return [...found.values()]
  }
}

/** Trips without a way that start, or end, in a window and a ground. */
async function tripsByEnds(measuring: Measuring): Promise<RiddenTrip[]> {
  const { facts, scope, asked, rule, windows, indexes, signal } = measuring
  const span = spanOf(windows)
  const trips = sql`select * from (${tripRows(asked, span, tripReachDays)}) where (operator, trip_id) not in (${tripsWithWay(asked, span)})`
  const at = (moment: Sql, lon: Sql, lat: Sql, more: Sql): Sql => sql`select operator, trip_id, device_id, vehicle_type, ${moment} as begins, ${lon} as lon, ${lat} as lat from (select operator, trip_id, device_id, vehicle_type, begins as first, ends as last, has_end, lon as first_lon, lat as first_lat, end_lon, end_lat from (${trips})) where ${more}`
  const both = sql`${at(sql`first`, sql`first_lon`, sql`first_lat`, sql`true`)} union all ${at(sql`last`, sql`end_lon`, sql`end_lat`, sql`has_end`)}`
  const placed = byGround(inAreas(momentsInPieces(both, piecesOf(windows, asked.now)), indexes), rule.places === 'union')
  const rows = await facts.rows<EndRow>(
    scope,
    sql`select w, ground, operator, toString(trip_id) as trip_id, any(device_id) as device_id, any(vehicle_type) as vehicle_type, min(begins) as at, argMin(lon, begins) as lon, argMin(lat, begins) as lat from (${placed}) group by w, ground, operator, trip_id`,
    { ...limits, ...(signal ? { signal } : {}) },
  )
  return rows.map(({ w, at: moment, ...row }) => ({ ...row, day: w - 1, at: Number(moment) }))
}

const boxOf = (boxes: readonly Box[]): Box => [Math.min(...boxes.map(([west]) => west)), Math.min(...boxes.map(([, south]) => south)), Math.max(...boxes.map(([, , east]) => east)), Math.max(...boxes.map(([, , , north]) => north))]

/** So many boxes are looked at one by one; of more, the one around all. */
const mostBoxes = 20

/** Trips that came into the grounds within the windows: by their ways, by their ends where no way is known. `withPlaces`: where each was there first. */
export async function riddenTrips(measuring: Measuring, withPlaces: boolean): Promise<RiddenTrip[]> {
  const { facts, scope, asked, rule, windows, indexes, signal } = measuring
  const areas = rule.grounds.flatMap(({ areas: of }) => of)
  if (!areas.length) return []
  const each = areas.map((area) => boxOfArea({ number: 0, rings: polygonsOf(area).flat() }))
  const boxes = each.length > mostBoxes ? [boxOf(each)] : each
  const watch = new WayWatch(measuring)
  const pieces = piecesOf(windows, asked.now)
  const found: RiddenTrip[] = []
  // Some days at once: ways are long.
  for (let at = 0; at < windows.length; at += 5) {
    const part = windows.slice(at, at + 5).filter(({ from, until }) => until > from)
    if (!part.length) continue
    const bounds = { from: pieces.from.slice(at, at + 5), until: pieces.until.slice(at, at + 5) }
    const question = waysNear(asked, spanOf(part), { windows: bounds, boxes, indexes: rule.places === 'union' && !withPlaces ? indexes : [], withTimes: withPlaces })
    for (const [n, way] of (await facts.rows<WayOfTrip>(scope, question, { ...limits, ...(signal ? { signal } : {}) })).entries()) {
      if (n % waysAtOnce === waysAtOnce - 1) await turn()
      for (const trip of watch.tripsOf(way, bounds)) found.push({ ...trip, day: trip.day + at })
    }
  }
  return [...found, ...(await tripsByEnds(measuring))]
}

/** Trips by window, operator and ground. */
export async function measureRidden(measuring: Measuring): Promise<DayFigure[]> {
  const figures = new Map<string, DayFigure & { devices: Set<string> }>()
  for (const { day, operator, ground, device_id: device } of await riddenTrips(measuring, false)) {
    const key = `${day} ${ground} ${operator}`
    const figure = figures.get(key) ?? { day, operator, ground, measured: 0, vehicles: 0, uncertain: 0, open: false, devices: new Set<string>() }
    figure.measured++
    figure.devices.add(device)
    figures.set(key, figure)
  }
  return [...figures.values()].map(({ devices, ...figure }) => ({ ...figure, vehicles: devices.size }))
}
