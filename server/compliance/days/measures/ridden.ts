import { setImmediate as turn } from 'node:timers/promises'
import { type Box, polygonsOf } from '#contract/place.ts'
import { boxOfArea } from '#server/routes/intersections/shape-list.ts'
import { IntersectionIndex } from '#server/routes/intersections/intersection-index.ts'
import { sql } from '#server/stores/sql.ts'
import { type DayFigure, limits, type Measuring, slotsOf, spanOf } from '../measuring.ts'
import { tripRows } from '../queries/fact-rows.ts'
import { inAreas } from '#server/geography/membership/face-sql.ts'
import { byShape } from '../queries/by-shape.ts'
import { momentsInSlots } from '../queries/time-slots.ts'
import type { MeasureType } from './measure-type.ts'
import {
  type Bounds,
  tripKey,
  tripReachDays,
  tripsWithRoute,
  type TripRoute,
  routesNear,
} from '../queries/route-rows.ts'

/** A trip that entered a shape within a window. */
export interface RiddenTrip {
  /** Number of the window, starting at 0. */
  day: number
  shape: number
  trip: Pick<TripRoute, 'operator' | 'trip_id' | 'device_id' | 'vehicle_type'>
  /** When (ms) and where it first was there: the start of the segment, or the end of the trip. */
  at: number
  lon: number
  lat: number
}

/** Called for each trip one by one, because a month of a large city has millions. */
type OnTrip = (
  trip: RiddenTrip['trip'],
  day: number,
  shape: number,
  at: number,
  lon: number,
  lat: number,
) => void

interface EndRow {
  w: number
  shape: number
  operator: string
  trip_id: string
  device_id: string
  vehicle_type: string
  at: string
  lon: number
  lat: number
}

/** Routes that are matched before other work gets a turn. */
const routesPerTurn = 200

/** The numbers of the windows that a closed time range overlaps; windows in order. */
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

/** Finds which shapes each route enters within each window, and where first. */
class RouteMatcher {
  readonly #index: IntersectionIndex
  readonly #shapeOf: readonly number[]
  /** Buffers that all routes share: allocating lists for each would onTrip most of the time. */
  readonly #buffers = [new Float64Array(1024), new Float64Array(1024)]

  constructor({ rule }: Measuring) {
    const areas = rule.shapes.flatMap(({ areas: of }, shape) =>
      of.map((area) => ({ area, shape: rule.places === 'union' ? 0 : shape + 1 })),
    )
    this.#index = new IntersectionIndex(
      areas.map(({ area }, index) => ({ number: index + 1, rings: polygonsOf(area).flat() })),
    )
    this.#shapeOf = areas.map(({ shape }) => shape)
  }

  #degrees(which: 0 | 1, first: number, steps: readonly number[]): Float64Array {
    const { length } = steps
    let into = this.#buffers[which] as Float64Array
    if (into.length < length) this.#buffers[which] = into = new Float64Array(length * 2)
    let millionths = first
    for (let at = 0; at < length; at++) into[at] = (millionths += steps[at] as number) / 1e6
    return into.subarray(0, length)
  }

  /** Calls `onTrip` for each window and shape that a route enters, with the place where it is there first, or its start if it has no times. @param first Number of the first window. */
  match(route: TripRoute, windows: Bounds, first: number, onTrip: OnTrip): void {
    const begins = Number(route.begins)
    if (route.begins_inside) return onTrip(route, first + route.w - 1, 0, begins, NaN, NaN)
    const [lon, lat] = [
      this.#degrees(0, route.lon, route.lon_steps),
      this.#degrees(1, route.lat, route.lat_steps),
    ]
    const intersecting = this.#index.shapesIntersecting(lon, lat)
    if (!intersecting.length) return
    if (!route.times.length) {
      const shapes = intersecting.map((number) => this.#shapeOf[number - 1] as number)
      for (const [n, shape] of shapes.entries())
        if (shapes.indexOf(shape) === n)
          onTrip(route, first + route.w - 1, shape, begins, lon[0] as number, lat[0] as number)
      return
    }
    const times = route.times.map((each) => begins + each * 1000)
    const found = new Set<string>()
    const last = lon.length - 1
    for (let at = 0; at < Math.max(1, last); at++) {
      const to = Math.min(at + 1, last)
      const near = windowsAt(windows, times[at] as number, times[to] as number)
      if (!near.length) continue
      for (const number of this.#index.shapesIntersecting(
        [lon[at] as number, lon[to] as number],
        [lat[at] as number, lat[to] as number],
      )) {
        const shape = this.#shapeOf[number - 1] as number
        for (const day of near) {
          const key = `${day} ${shape}`
          if (found.has(key)) continue
          found.add(key)
          onTrip(route, first + day, shape, times[at] as number, lon[at] as number, lat[at] as number)
        }
      }
    }
  }
}

/** Trips without a route that start or end in a window and a shape. */
async function tripsByEnds(measuring: Measuring, onTrip: OnTrip): Promise<void> {
  const { facts, scope, filter, rule, windows, indexes, signal } = measuring
  const span = spanOf(windows)
  const ends = sql`
  select operator, device_id, vehicle_type, trip_id, moment.1 as begins, moment.2 as lon, moment.3 as lat
  from (select operator, device_id, vehicle_type, trip_id, arrayJoin(if(has_end, [(begins, lon, lat), (ends, end_lon, end_lat)], [(begins, lon, lat)])) as moment from (select * from (${tripRows(filter, span, tripReachDays)}) where ${tripKey} not in (${tripsWithRoute(filter, span)})))`
  const placed = byShape(
    inAreas(momentsInSlots(ends, slotsOf(windows, filter.now)), indexes),
    rule.places === 'union',
  )
  const rows = await facts.rows<EndRow>(
    scope,
    sql`select w, shape, operator, toString(trip_id) as trip_id, any(device_id) as device_id, any(vehicle_type) as vehicle_type, min(begins) as at, argMin(lon, begins) as lon, argMin(lat, begins) as lat from (${placed}) group by w, shape, operator, trip_id`,
    { ...limits, ...(signal ? { signal } : {}) },
  )
  for (const row of rows) onTrip(row, row.w - 1, row.shape, Number(row.at), row.lon, row.lat)
}

const boxOf = (boxes: readonly Box[]): Box => [
  Math.min(...boxes.map(([west]) => west)),
  Math.min(...boxes.map(([, south]) => south)),
  Math.max(...boxes.map(([, , east]) => east)),
  Math.max(...boxes.map(([, , , north]) => north)),
]

/** Up to this many boxes are tested one by one; beyond, the box around all of them. */
const maxBoxes = 20

/** Days of routes per query: routes are large. */
const routeDaysPerQuery = 5

/**
 * Calls `onTrip` for each trip that entered the shapes within the windows, by its route or, without one, by its ends. `withPlaces` also
 * finds where each was there first. The routes of the next days are read while those of the previous ones are matched.
 */
export async function eachRiddenTrip(
  measuring: Measuring,
  withPlaces: boolean,
  onTrip: OnTrip,
): Promise<void> {
  const { facts, scope, filter, rule, windows, indexes, signal } = measuring
  const areas = rule.shapes.flatMap(({ areas: of }) => of)
  if (!areas.length) return
  const each = areas.map((area) => boxOfArea({ number: 0, rings: polygonsOf(area).flat() }))
  const boxes = each.length > maxBoxes ? [boxOf(each)] : each
  const matcher = new RouteMatcher(measuring)
  const slots = slotsOf(windows, filter.now)
  const parts = windows
    .flatMap((_, index) =>
      index % routeDaysPerQuery
        ? []
        : [
            {
              at: index,
              bounds: {
                from: slots.from.slice(index, index + routeDaysPerQuery),
                until: slots.until.slice(index, index + routeDaysPerQuery),
              },
            },
          ],
    )
    .map(({ at, bounds }) => ({
      at,
      bounds,
      open: windows.slice(at, at + routeDaysPerQuery).filter(({ from, until }) => until > from),
    }))
    .filter(({ open }) => open.length)
  const readPart = (n: number): Promise<TripRoute[]> => {
    const part = parts[n]
    if (!part) return Promise.resolve([])
    const query = routesNear(filter, spanOf(part.open), {
      windows: part.bounds,
      boxes,
      indexes: rule.places === 'union' && !withPlaces ? indexes : [],
      withTimes: withPlaces,
    })
    const routes = facts.rows<TripRoute>(scope, query, { ...limits, ...(signal ? { signal } : {}) })
    // If earlier routes fail, nothing awaits these.
    routes.catch(() => undefined)
    return routes
  }
  const withoutRoute = tripsByEnds(measuring, onTrip)
  withoutRoute.catch(() => undefined)
  let next = readPart(0)
  for (const [n, { at, bounds }] of parts.entries()) {
    const routes = await next
    next = readPart(n + 1)
    for (const [number, route] of routes.entries()) {
      if (number % routesPerTurn === routesPerTurn - 1) await turn()
      matcher.match(route, bounds, at, onTrip)
    }
  }
  await withoutRoute
}

/** Trips by window, operator and shape. */
async function measure(measuring: Measuring): Promise<DayFigure[]> {
  const figures = new Map<string, DayFigure & { devices: Set<string> }>()
  await eachRiddenTrip(measuring, false, ({ operator, device_id: device }, day, shape) => {
    const key = `${day} ${shape} ${operator}`
    let figure = figures.get(key)
    if (!figure)
      figures.set(
        key,
        (figure = {
          day,
          operator,
          shape,
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
  listsTrips: true,
}
