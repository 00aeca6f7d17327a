import type { RouteFilters, RouteStatistics } from '#contract/routes.ts'
import { ComputedCache } from '#server/stores/computed-cache.ts'
import { readFactsVersion } from '#server/regions/facts-version.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { Sql } from '#server/stores/sql.ts'
import type { State } from '#server/stores/state.ts'
import {
  type MeasuredRow,
  type RouteExtentRow,
  routeExtentSql,
  tripMeasuresSql,
  type TripCountRow,
  tripsByHourSql,
  type RouteCountRow,
  routesByHourSql,
} from './queries/route-counts.ts'
import { type SegmentSum, segmentSumsSql } from './queries/segment-sums.ts'
import { readRouteFilters } from './read-route-filters.ts'

/** The number of trips along a segment in each direction. */
export interface SegmentVolume {
  forward: number
  backward: number
}

/** The number of trips, of those with a route, and of those with a route on streets; also by local hour. */
export interface RouteTotals {
  trips: number
  trips_with_way: number
  trips_matched: number
  /** The length of all routes. */
  meters: number
  byHour: { hour: number; trips: number; trips_with_way: number }[]
}

type RouteStores = { state: State; facts: Facts }

/** Queries routes. Results are cached by query and version of the region's facts, so they are never stale. */
export class RouteQueries {
  readonly #stores: RouteStores
  readonly #cache = new ComputedCache<unknown[]>({ max: 200 })
  constructor(stores: RouteStores) {
    this.#stores = stores
  }

  async #rows<Row>(
    scope: Scope,
    {
      name,
      regionId,
      filters,
      query,
    }: { name: string; regionId: string; filters: RouteFilters | null; query: Sql },
  ): Promise<Row[]> {
    const version = await readFactsVersion(this.#stores.state, scope, regionId)
    const key = JSON.stringify([
      name,
      version,
      filters ? readRouteFilters(regionId, filters) : regionId,
      scope.operators,
    ])
    return (await this.#cache.get(key, () =>
      this.#stores.facts.rows<Row>(scope, query, { limits: { seconds: 60 } }),
    )) as Row[]
  }

  /** Reads the trips along each segment, by the segment's id. */
  async readVolumes(
    scope: Scope,
    regionId: string,
    filters: RouteFilters,
  ): Promise<Map<string, SegmentVolume>> {
    const rows = await this.#rows<SegmentSum>(scope, {
      name: 'volumes',
      regionId,
      filters,
      query: segmentSumsSql(readRouteFilters(regionId, filters)),
    })
    return new Map(
      rows.map(({ segment, forward, backward }) => [
        segment,
        { forward: Number(forward), backward: Number(backward) },
      ]),
    )
  }

  async readTotals(scope: Scope, regionId: string, filters: RouteFilters): Promise<RouteTotals> {
    const tripFilters = readRouteFilters(regionId, filters)
    const [tripRows, routeRows] = await Promise.all([
      this.#rows<TripCountRow>(scope, {
        name: 'trips',
        regionId,
        filters,
        query: tripsByHourSql(tripFilters),
      }),
      this.#rows<RouteCountRow>(scope, {
        name: 'ways',
        regionId,
        filters,
        query: routesByHourSql(tripFilters),
      }),
    ])
    const tripsPerHour = new Map(tripRows.map((row) => [Number(row.hour), Number(row.trips)]))
    const routesPerHour = new Map(routeRows.map((row) => [Number(row.hour), Number(row.route_count)]))
    const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0)
    return {
      trips: sum([...tripsPerHour.values()]),
      trips_with_way: sum([...routesPerHour.values()]),
      trips_matched: sum(routeRows.map(({ matched }) => Number(matched))),
      meters: sum(routeRows.map(({ meters }) => meters)),
      byHour: Array.from({ length: 24 }, (_, hour) => ({
        hour,
        trips: tripsPerHour.get(hour) ?? 0,
        trips_with_way: routesPerHour.get(hour) ?? 0,
      })),
    }
  }

  /** Reads first and last day, operators and vehicle types of a region's routes; null if it has no routes. */
  async readExtent(scope: Scope, regionId: string): Promise<RouteExtentRow | null> {
    const [row] = await this.#rows<RouteExtentRow>(scope, {
      name: 'extent',
      regionId,
      filters: null,
      query: routeExtentSql(regionId),
    })
    return row && row.route_count !== '0' ? row : null
  }

  async readMeasures(scope: Scope, regionId: string, filters: RouteFilters): Promise<MeasuredRow | null> {
    const [row] = await this.#rows<MeasuredRow>(scope, {
      name: 'measures',
      regionId,
      filters,
      query: tripMeasuresSql(readRouteFilters(regionId, filters)),
    })
    return row ?? null
  }
}

/** Builds the statistics of the selected trips. */
export function buildRouteStatistics(
  { trips, trips_with_way, trips_matched, meters, byHour }: RouteTotals,
  measured: MeasuredRow | null,
  busiest: RouteStatistics['busiest'],
): RouteStatistics {
  return {
    trips,
    trips_with_way,
    trips_matched,
    matched_share: trips_with_way ? trips_matched / trips_with_way : null,
    ways_length_m: meters,
    distance_m: {
      n: Number(measured?.distances ?? 0),
      mean: measured?.distance_mean ?? null,
      median: measured?.distance_median ?? null,
    },
    duration_s: {
      n: Number(measured?.durations ?? 0),
      mean: measured?.duration_mean ?? null,
      median: measured?.duration_median ?? null,
    },
    by_hour: byHour,
    busiest,
  }
}
