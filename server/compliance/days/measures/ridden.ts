import { setImmediate as turn } from 'node:timers/promises'
import { type Box, polygonsOf } from '#contract/place.ts'
import { boxOfArea } from '#server/mobility/trip-routes/intersections/shape-list.ts'
import { IntersectionIndex } from '#server/mobility/trip-routes/intersections/intersection-index.ts'
import { sql } from '#server/stores/sql.ts'
import { type DayFigure, limits, type Measuring, piecesOf, spanOf } from '../measuring.ts'
import { tripRows } from '../queries/fact-rows.ts'
import { inAreas } from '#server/geography/face-sql.ts'
import { byGround } from '../queries/in-grounds.ts'
import { momentsInPieces } from '../queries/pieces.ts'
import type { MeasureType } from './measure-type.ts'
import {
  type Bounds,
  tripKey,
  tripReachDays,
  tripsWithWay,
  type WayOfTrip,
  waysNear,
} from '../queries/way-rows.ts'

/** A trip that came into a ground within a window. */
export interface RiddenTrip {
  /** Number of the window, from 0 up. */
  day: number
  ground: number
  trip: Pick<WayOfTrip, 'operator' | 'trip_id' | 'device_id' | 'vehicle_type'>
  /** When and where it was there first: the begin of the stretch, or the end of the trip, ms. */
  at: number
  lon: number
  lat: number
}

/** Is told of each such trip, piece by piece: of a month of a large city there are millions. */
type TakeTrip = (
  trip: RiddenTrip['trip'],
  day: number,
  ground: number,
  at: number,
  lon: number,
  lat: number,
) => void

interface EndRow {
  w: number
  ground: number
  operator: string
  trip_id: string
  device_id: string
  vehicle_type: string
  at: string
  lon: number
  lat: number
}

/** Ways that are held against areas before others have their turn. */
const waysAtOnce = 200

/** The numbers of the windows that a stretch of time, both ends in, has a moment in common with; windows in order. */
function windowsAt({ from, until }: Bounds, begins: number, ends: number): number[] {
  const found: number[] = []
  for (let at = 0; at < from.length; at++)
    if (
      (until[at] as number) > (from[at] as number) &&
      begins < (until[at] as number) &&
      ends >= (from[at] as number)
    )
      found.push(at)
  return found
}

/** Which grounds each way comes into within each window, and where first. */
class WayWatch {
  readonly #index: IntersectionIndex
  readonly #groundOf: readonly number[]
  /** Of one way after the other: hundreds of thousands of lists would be what takes the time. */
  readonly #kept = [new Float64Array(1024), new Float64Array(1024)]

  constructor({ rule }: Measuring) {
    const areas = rule.grounds.flatMap(({ areas: of }, ground) =>
      of.map((area) => ({ area, ground: rule.places === 'union' ? 0 : ground + 1 })),
    )
    this.#index = new IntersectionIndex(
      areas.map(({ area }, at) => ({ number: at + 1, rings: polygonsOf(area).flat() })),
    )
    this.#groundOf = areas.map(({ ground }) => ground)
  }

  #degrees(which: 0 | 1, first: number, steps: readonly number[]): Float64Array {
    const { length } = steps
    let into = this.#kept[which] as Float64Array
    if (into.length < length) this.#kept[which] = into = new Float64Array(length * 2)
    let millionths = first
    for (let at = 0; at < length; at++) into[at] = (millionths += steps[at] as number) / 1e6
    return into.subarray(0, length)
  }

  /** Tells the windows and grounds that a way comes into; the place is where it is there first, or its begin where it came without times. @param first Number of the first window. */
  follow(way: WayOfTrip, windows: Bounds, first: number, take: TakeTrip): void {
    const begins = Number(way.begins)
    if (way.begins_inside) return take(way, first + way.w - 1, 0, begins, NaN, NaN)
    const [lon, lat] = [this.#degrees(0, way.lon, way.lon_steps), this.#degrees(1, way.lat, way.lat_steps)]
    const touched = this.#index.shapesIntersecting(lon, lat)
    if (!touched.length) return
    if (!way.times.length) {
      const grounds = touched.map((number) => this.#groundOf[number - 1] as number)
      for (const [n, ground] of grounds.entries())
        if (grounds.indexOf(ground) === n)
          take(way, first + way.w - 1, ground, begins, lon[0] as number, lat[0] as number)
      return
    }
    const times = way.times.map((each) => begins + each * 1000)
    const told = new Set<string>()
    const last = lon.length - 1
    for (let at = 0; at < Math.max(1, last); at++) {
      const to = Math.min(at + 1, last)
      const near = windowsAt(windows, times[at] as number, times[to] as number)
      if (!near.length) continue
      for (const number of this.#index.shapesIntersecting(
        [lon[at] as number, lon[to] as number],
        [lat[at] as number, lat[to] as number],
      )) {
        const ground = this.#groundOf[number - 1] as number
        for (const day of near) {
          const key = `${day} ${ground}`
          if (told.has(key)) continue
          told.add(key)
          take(way, first + day, ground, times[at] as number, lon[at] as number, lat[at] as number)
        }
      }
    }
  }
}

/** Trips without a way that start, or end, in a window and a ground. */
async function tripsByEnds(measuring: Measuring, take: TakeTrip): Promise<void> {
  const { facts, scope, asked, rule, windows, indexes, signal } = measuring
  const span = spanOf(windows)
  const ends = sql`
  select operator, device_id, vehicle_type, trip_id, moment.1 as begins, moment.2 as lon, moment.3 as lat
  from (select operator, device_id, vehicle_type, trip_id, arrayJoin(if(has_end, [(begins, lon, lat), (ends, end_lon, end_lat)], [(begins, lon, lat)])) as moment from (select * from (${tripRows(asked, span, tripReachDays)}) where ${tripKey} not in (${tripsWithWay(asked, span)})))`
  const placed = byGround(
    inAreas(momentsInPieces(ends, piecesOf(windows, asked.now)), indexes),
    rule.places === 'union',
  )
  const rows = await facts.rows<EndRow>(
    scope,
    sql`select w, ground, operator, toString(trip_id) as trip_id, any(device_id) as device_id, any(vehicle_type) as vehicle_type, min(begins) as at, argMin(lon, begins) as lon, argMin(lat, begins) as lat from (${placed}) group by w, ground, operator, trip_id`,
    { ...limits, ...(signal ? { signal } : {}) },
  )
  for (const row of rows) take(row, row.w - 1, row.ground, Number(row.at), row.lon, row.lat)
}

const boxOf = (boxes: readonly Box[]): Box => [
  Math.min(...boxes.map(([west]) => west)),
  Math.min(...boxes.map(([, south]) => south)),
  Math.max(...boxes.map(([, , east]) => east)),
  Math.max(...boxes.map(([, , , north]) => north)),
]

/** So many boxes are looked at one by one; of more, the one around all. */
const mostBoxes = 20

/** Days of ways of one question: ways are long. */
const daysOfWays = 5

/**
 * Tells `take` each trip that came into the grounds within the windows: by their ways, by their ends where no way is known. `withPlaces`: where each was there first.
 * The next days' ways are read while these are held against the areas.
 */
export async function eachRiddenTrip(
  measuring: Measuring,
  withPlaces: boolean,
  take: TakeTrip,
): Promise<void> {
  const { facts, scope, asked, rule, windows, indexes, signal } = measuring
  const areas = rule.grounds.flatMap(({ areas: of }) => of)
  if (!areas.length) return
  const each = areas.map((area) => boxOfArea({ number: 0, rings: polygonsOf(area).flat() }))
  const boxes = each.length > mostBoxes ? [boxOf(each)] : each
  const watch = new WayWatch(measuring)
  const pieces = piecesOf(windows, asked.now)
  const parts = windows
    .flatMap((_, at) =>
      at % daysOfWays
        ? []
        : [
            {
              at,
              bounds: {
                from: pieces.from.slice(at, at + daysOfWays),
                until: pieces.until.slice(at, at + daysOfWays),
              },
            },
          ],
    )
    .map(({ at, bounds }) => ({
      at,
      bounds,
      open: windows.slice(at, at + daysOfWays).filter(({ from, until }) => until > from),
    }))
    .filter(({ open }) => open.length)
  const ask = (n: number): Promise<WayOfTrip[]> => {
    const part = parts[n]
    if (!part) return Promise.resolve([])
    const question = waysNear(asked, spanOf(part.open), {
      windows: part.bounds,
      boxes,
      indexes: rule.places === 'union' && !withPlaces ? indexes : [],
      withTimes: withPlaces,
    })
    const ways = facts.rows<WayOfTrip>(scope, question, { ...limits, ...(signal ? { signal } : {}) })
    // Where the ways before fail, nobody waits for these.
    ways.catch(() => undefined)
    return ways
  }
  const withoutWay = tripsByEnds(measuring, take)
  withoutWay.catch(() => undefined)
  let next = ask(0)
  for (const [n, { at, bounds }] of parts.entries()) {
    const ways = await next
    next = ask(n + 1)
    for (const [number, way] of ways.entries()) {
      if (number % waysAtOnce === waysAtOnce - 1) await turn()
      watch.follow(way, bounds, at, take)
    }
  }
  await withoutWay
}

/** Trips by window, operator and ground. */
async function measure(measuring: Measuring): Promise<DayFigure[]> {
  const figures = new Map<string, DayFigure & { devices: Set<string> }>()
  await eachRiddenTrip(measuring, false, ({ operator, device_id: device }, day, ground) => {
    const key = `${day} ${ground} ${operator}`
    let figure = figures.get(key)
    if (!figure)
      figures.set(
        key,
        (figure = {
          day,
          operator,
          ground,
          measured: 0,
          vehicles: 0,
          uncertain: 0,
          open: false,
          devices: new Set<string>(),
        }),
      )
    figure.measured++
    figure.devices.add(device)
  })
  return [...figures.values()].map(({ devices, ...figure }) => ({ ...figure, vehicles: devices.size }))
}

export const ridden: MeasureType<'ridden'> = {
  name: () => 'trips',
  measure,
  hasBreakingFacts: true,
  tellsTrips: true,
}
