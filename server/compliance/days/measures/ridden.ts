import { setImmediate as turn } from 'node:timers/promises'
import { type Box, getPolygons } from '#contract/place.ts'
import { getBoxOfArea } from '#server/routes/intersections/shape-list.ts'
import { IntersectionIndex } from '#server/routes/intersections/intersection-index.ts'
import { sql } from '#server/stores/sql.ts'
import {
  type DayFigure,
  getSpan,
  createQueryOptions,
  type MeasureInput,
  toWindowSlots,
} from '../measure-input.ts'
import { tripRows } from '../queries/fact-rows.ts'
import { inAreas } from '#server/geography/membership/face-sql.ts'
import { shapeRows } from '../queries/by-shape.ts'
import { momentRowsInSlots } from '../queries/time-slots.ts'
import type { MeasureType } from './measure-type.ts'
import {
  type WindowBounds,
  tripKeyColumn,
  tripReachDays,
  routedTripKeyRows,
  type TripRoute,
  nearbyRouteRows,
} from '../queries/route-rows.ts'

/** A trip that entered a shape within a window, and its first place there. */
export interface ShapeEntry {
  /** Index of the window. */
  day: number
  /** Number of the shape, from 1; 0 for the union of all. */
  shape: number
  trip: Pick<TripRoute, 'operator' | 'trip_id' | 'device_id' | 'vehicle_type'>
  /** Time (ms) and place of the first entry: the start of the segment, or the end of the trip. */
  atMs: number
  lon: number
  lat: number
}

/** Receives one trip, window and shape at a time, because a list for a month of a large city has millions. */
type OnEntry = (entry: ShapeEntry) => void

/** A trip without a route that starts or ends in a window and shape. */
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

/** Number of routes matched between yields to the event loop. */
const routesPerTurn = 200

/** Finds the indices of the windows that a closed time range overlaps. */
function findOverlappingWindows({ from, until }: WindowBounds, begins: number, ends: number): number[] {
  const indices: number[] = []
  for (const [index, opens] of from.entries()) {
    const shuts = until[index] as number
    if (shuts > opens && begins < shuts && ends >= opens) indices.push(index)
  }
  return indices
}

/** Finds the shapes that a route enters within each window, and where it enters them first. */
class RouteMatcher {
  readonly #index: IntersectionIndex
  /** Shape numbers of areas, by area number - 1. */
  readonly #shapeOfArea: readonly number[]
  /** Buffers shared by all routes: allocating new ones for each would take most of the time. */
  readonly #buffers = [new Float64Array(1024), new Float64Array(1024)]

  constructor({ rule }: MeasureInput) {
    const numberedAreas = rule.shapes.flatMap(({ areas }, shape) =>
      areas.map((area) => ({ area, shape: rule.places === 'union' ? 0 : shape + 1 })),
    )
    this.#index = new IntersectionIndex(
      numberedAreas.map(({ area }, index) => ({ number: index + 1, rings: getPolygons(area).flat() })),
    )
    this.#shapeOfArea = numberedAreas.map(({ shape }) => shape)
  }

  /** Decodes steps in millionths of a degree. The next call with the same buffer overwrites the result. */
  #decodeDegrees(bufferIndex: 0 | 1, first: number, steps: readonly number[]): Float64Array {
    const { length } = steps
    let buffer = this.#buffers[bufferIndex] as Float64Array
    if (buffer.length < length) this.#buffers[bufferIndex] = buffer = new Float64Array(length * 2)
    let millionths = first
    for (let index = 0; index < length; index++) buffer[index] = (millionths += steps[index] as number) / 1e6
    return buffer.subarray(0, length)
  }

  /**
   * Calls `onEntry` for each window and shape that a route enters, with the first place there, or its start
   * if it has no times.
   * @param firstDay Index of the first of the windows.
   */
  match(route: TripRoute, windows: WindowBounds, firstDay: number, onEntry: OnEntry): void {
    const begins = Number(route.begins)
    // Valid if one window contains the entire trip.
    const tripDay = firstDay + route.w - 1
    if (route.begins_inside)
      return onEntry({ trip: route, day: tripDay, shape: 0, atMs: begins, lon: NaN, lat: NaN })
    const lon = this.#decodeDegrees(0, route.lon, route.lon_steps)
    const lat = this.#decodeDegrees(1, route.lat, route.lat_steps)
    const areaNumbers = this.#index.findShapesIntersecting(lon, lat)
    if (!areaNumbers.length) return
    if (!route.times.length) {
      const shapes = new Set(areaNumbers.map((number) => this.#shapeOfArea[number - 1] as number))
      const start = { atMs: begins, lon: lon[0] as number, lat: lat[0] as number }
      for (const shape of shapes) onEntry({ trip: route, day: tripDay, shape, ...start })
      return
    }
    const times = route.times.map((seconds) => begins + seconds * 1000)
    const enteredKeys = new Set<string>()
    const last = lon.length - 1
    // A route of one place has one segment without a length.
    for (let from = 0; from < Math.max(1, last); from++) {
      const to = Math.min(from + 1, last)
      const days = findOverlappingWindows(windows, times[from] as number, times[to] as number)
      if (!days.length) continue
      for (const number of this.#index.findShapesIntersecting(
        [lon[from] as number, lon[to] as number],
        [lat[from] as number, lat[to] as number],
      )) {
        const shape = this.#shapeOfArea[number - 1] as number
        for (const day of days) {
          const key = `${day} ${shape}`
          if (enteredKeys.has(key)) continue
          enteredKeys.add(key)
          const place = { atMs: times[from] as number, lon: lon[from] as number, lat: lat[from] as number }
          onEntry({ trip: route, day: firstDay + day, shape, ...place })
        }
      }
    }
  }
}

/** Calls `onEntry` for each trip without a route that starts or ends in a window and shape. */
async function matchTripEnds(input: MeasureInput, onEntry: OnEntry): Promise<void> {
  const { facts, scope, filter, rule, windows, indexes, signal } = input
  const span = getSpan(windows)
  const ends = sql`
  select operator, device_id, vehicle_type, trip_id, moment.1 as begins, moment.2 as lon, moment.3 as lat
  from (
    select
      operator, device_id, vehicle_type, trip_id,
      arrayJoin(if(has_end, [(begins, lon, lat), (ends, end_lon, end_lat)], [(begins, lon, lat)])) as moment
    from (
      select *
      from (${tripRows(filter, span, tripReachDays)})
      where ${tripKeyColumn} not in (${routedTripKeyRows(filter, span)})
    )
  )`
  const endsInShapes = shapeRows(
    inAreas(momentRowsInSlots(ends, toWindowSlots(windows, filter.now)), indexes),
    rule.places === 'union',
  )
  const rows = await facts.rows<EndRow>(
    scope,
    sql`
      select
        w, shape, operator, toString(trip_id) as trip_id, any(device_id) as device_id,
        any(vehicle_type) as vehicle_type, min(begins) as at, argMin(lon, begins) as lon,
        argMin(lat, begins) as lat
      from (${endsInShapes})
      group by w, shape, operator, trip_id`,
    createQueryOptions(signal),
  )
  for (const { w, shape, at, lon, lat, ...trip } of rows)
    onEntry({ trip, day: w - 1, shape, atMs: Number(at), lon, lat })
}

const mergeBoxes = (boxes: readonly Box[]): Box => [
  Math.min(...boxes.map(([west]) => west)),
  Math.min(...boxes.map(([, south]) => south)),
  Math.max(...boxes.map(([, , east]) => east)),
  Math.max(...boxes.map(([, , , north]) => north)),
]

/** If there are more boxes, a single box around all of them is tested instead. */
const maxBoxes = 20
/** Number of days of routes read by one query, because routes are large. */
const routeDaysPerQuery = 5

/**
 * Calls `onEntry` for each trip that entered the shapes within the windows, by its route or, if it has none,
 * by its ends. The routes of the next days are read while the previous ones are matched.
 * @param withPlaces Whether the time and place of each entry are needed.
 */
export async function visitShapeEntries(
  input: MeasureInput,
  withPlaces: boolean,
  onEntry: OnEntry,
): Promise<void> {
  const { facts, scope, filter, rule, windows, indexes, signal } = input
  const ruleAreas = rule.shapes.flatMap(({ areas }) => areas)
  if (!ruleAreas.length) return
  const areaBoxes = ruleAreas.map((area) => getBoxOfArea({ number: 0, rings: getPolygons(area).flat() }))
  const boxes = areaBoxes.length > maxBoxes ? [mergeBoxes(areaBoxes)] : areaBoxes
  const matcher = new RouteMatcher(input)
  const slots = toWindowSlots(windows, filter.now)
  const batches = Array.from({ length: Math.ceil(windows.length / routeDaysPerQuery) }, (_, batchIndex) => {
    const firstDay = batchIndex * routeDaysPerQuery
    const end = firstDay + routeDaysPerQuery
    return {
      firstDay,
      bounds: { from: slots.from.slice(firstDay, end), until: slots.until.slice(firstDay, end) },
      openWindows: windows.slice(firstDay, end).filter(({ from, until }) => until > from),
    }
  }).filter(({ openWindows }) => openWindows.length)
  const readRoutes = (batchIndex: number): Promise<TripRoute[]> => {
    const batch = batches[batchIndex]
    if (!batch) return Promise.resolve([])
    const query = nearbyRouteRows(filter, getSpan(batch.openWindows), {
      windows: batch.bounds,
      boxes,
      indexes: rule.places === 'union' && !withPlaces ? indexes : [],
      withTimes: withPlaces,
    })
    const routes = facts.rows<TripRoute>(scope, query, createQueryOptions(signal))
    // Marks the promise as handled: if earlier routes fail, nothing awaits this one.
    routes.catch(() => undefined)
    return routes
  }
  const tripEnds = matchTripEnds(input, onEntry)
  tripEnds.catch(() => undefined)
  let nextRoutes = readRoutes(0)
  for (const [batchIndex, { firstDay, bounds }] of batches.entries()) {
    const routes = await nextRoutes
    nextRoutes = readRoutes(batchIndex + 1)
    for (const [index, route] of routes.entries()) {
      if (index % routesPerTurn === routesPerTurn - 1) await turn()
      matcher.match(route, bounds, firstDay, onEntry)
    }
  }
  await tripEnds
}

/** Measures trips by window, operator and shape. */
async function measure(input: MeasureInput): Promise<DayFigure[]> {
  const figures = new Map<string, DayFigure & { devices: Set<string> }>()
  await visitShapeEntries(input, false, ({ trip: { operator, device_id: device }, day, shape }) => {
    const key = `${day} ${shape} ${operator}`
    let figure = figures.get(key)
    if (!figure) {
      const noTrips = { measured: 0, vehicles: 0, uncertain: 0, open: false }
      figure = { day, operator, shape, ...noTrips, devices: new Set<string>() }
      figures.set(key, figure)
    }
    figure.measured++
    figure.devices.add(device)
  })
  return [...figures.values()].map(({ devices, ...figure }) => ({ ...figure, vehicles: devices.size }))
}

/** Measures trips that entered each shape. */
export const ridden: MeasureType<'ridden'> = {
  name: () => 'trips',
  measure,
  hasBreakingFacts: true,
  listsTrips: true,
}
