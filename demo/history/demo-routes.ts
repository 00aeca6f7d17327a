import { dayFromNumber } from '#contract/period.ts'
import { routeColumns } from '#server/routes/route-line.ts'
import { markRouteDaysDirty } from '#server/routes/volumes/route-volumes-product.ts'
import { increaseFactsVersion } from '#server/regions/facts-version.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import type { City } from '../city.ts'
import { generateTrips } from '../trips/make-trips.ts'
import { operators } from '../operators.ts'
import { createRouteLineMaker } from './route-line.ts'

/** Number of past days with routes, which always include a complete month. */
export const routeDays = 61
/** Days per batch; few, so that maps soon show the newest days. */
const batchDays = 10

const operatorsWithTelemetry = new Set(
  operators.filter(({ providerId }) => providerId).map(({ slug }) => slug),
)

export interface RouteBatch {
  regionId: string
  seed: number
  /** Local days since 1970-01-01, half-open. */
  from: number
  until: number
  /** Version of the derived rows. */
  version: bigint
}

export interface RouteLines {
  /** Rows of `trip_routes` in the order of `routeColumns`, as tab-separated text. */
  lines: Uint8Array
  /** Local days with routes. */
  days: number[]
}

/** Generates the routes of the trips in a range of days. CPU-bound: ten days take seconds. */
export function makeRoutes(
  city: Pick<City, 'streets' | 'layers' | 'timezone'>,
  { regionId, seed, from, until, version }: RouteBatch,
): RouteLines {
  const makeLine = createRouteLineMaker(city)
  const parts: Buffer[] = []
  const days = new Set<number>()
  let lines: string[] = []
  // Strings are encoded early, so that they are freed before the garbage collector promotes them.
  const pack = (): void => {
    parts.push(Buffer.from(lines.join('')))
    lines = []
  }
  generateTrips(city, {
    seed,
    from: dayFromNumber(from),
    until: dayFromNumber(until),
    emit: (trip) => {
      if (!operatorsWithTelemetry.has(trip.operator)) return
      const line = makeLine(trip, { regionId, version })
      if (line === null) return
      days.add(trip.localDate)
      if (lines.push(line) === 2000) pack()
    },
  })
  pack()
  return { lines: Buffer.concat(parts), days: [...days] }
}

export interface StoreRoutesOptions extends Omit<RouteBatch, 'from'> {
  /** Days of trips before `until`. */
  days: number
  /** Generates one batch, for example on another thread. */
  make: (batch: RouteBatch) => Promise<RouteLines>
  onProgress: (share: number) => void
}

/** Stores the routes of the last days, newest first, and marks the days dirty. Idempotent. */
export async function storeDemoRoutes(
  { facts, state }: { facts: Pick<Facts, 'insert'>; state: Pick<State, 'as'> },
  scope: Scope,
  { until, days, make, onProgress, ...batch }: StoreRoutesOptions,
): Promise<void> {
  const first = until - Math.min(days, routeDays)
  for (let end = until; end > first; end -= batchDays) {
    const from = Math.max(first, end - batchDays)
    const batchCounts = await make({ ...batch, from, until: end })
    if (batchCounts.lines.length)
      await facts.insert(scope, 'trip_routes', {
        columns: routeColumns,
        regionId: batch.regionId,
        lines: batchCounts.lines,
      })
    await markRouteDaysDirty(state, scope, batch.regionId, batchCounts.days.map(dayFromNumber))
    await increaseFactsVersion(state, scope, batch.regionId)
    onProgress((until - from) / (until - first))
  }
}
