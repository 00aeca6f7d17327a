import type { z } from 'zod'
import type { VehicleType } from '#contract/mobility.ts'
import * as contract from '#contract/routes.ts'
import { sendTile } from '#server/geography/tiles/send-tile.ts'
import { Problem } from '#server/http/problem.ts'
import { type RawResponse, type Route, route } from '#server/http/route.ts'
import { listOperators } from '#server/operators/list-operators.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { buildRouteVolumes } from './route-volumes.ts'
import { buildRouteStatistics, RouteQueries } from './route-queries.ts'
import { addCrossStreets, listSegments } from './list-segments.ts'
import { publicRoutes } from './public/public-routes.ts'
import { findPublishing, setPublishing } from './public/publishing.ts'
import type { RouteExtentRow } from './queries/route-counts.ts'
import { RouteStreets } from './route-streets.ts'
import { SegmentTiles } from './segment-tiles.ts'
import { parseAcceptedFormat, writeRoutes } from './write-routes.ts'

/** The number of segments in the list of the busiest ones. */
const maxBusiest = 10

type SegmentListQuery = Omit<z.output<(typeof contract.downloadRoutes)['request']['query']>, 'format'>

/** The segments of a region's streets that a query selects, with the number of trips of all segments. */
interface SegmentList {
  counts: Record<'trips' | 'trips_with_way' | 'trips_matched', number>
  segments: ReturnType<typeof listSegments>
  streets: Awaited<ReturnType<RouteStreets['load']>>
}

export function tripRouteRoutes(state: State, facts: Facts): Route[] {
  const queries = new RouteQueries({ state, facts })
  const streets = new RouteStreets(state)
  const tiles = new SegmentTiles()
  const reads = new RouteReads(state, queries, streets)
  return [
    route(contract.getRouteDateRange, async ({ viewer, params }) => {
      const extent = await reads.readExtent(viewer.scope, params.region_id)
      return {
        start_date: extent?.first_day ?? null,
        end_date: extent?.last_day ?? null,
        trips_with_way: Number(extent?.route_count ?? 0),
      }
    }),
    route(contract.listRouteVehicleTypes, async ({ viewer, params }) => {
      const extent = await reads.readExtent(viewer.scope, params.region_id)
      return { items: (extent?.vehicle_types ?? []) as VehicleType[] }
    }),
    route(contract.listRouteOperators, async ({ viewer: { scope }, params: { region_id } }) => {
      const extent = await reads.readExtent(scope, region_id)
      const operatorsWithRoutes = new Set(extent?.operators)
      const page = { region_id, orderBy: 'name', page: 1, size: 1000 } as const
      const { items } = await listOperators(state, facts, scope, page)
      return { items: items.filter(({ slug }) => operatorsWithRoutes.has(slug)) }
    }),
    route(contract.getRouteStatistics, ({ viewer, params, query }) =>
      reads.readStatistics(viewer.scope, params.region_id, query),
    ),
    route(contract.listRoutes, async ({ viewer: { scope }, params: { region_id }, query, headers }) => {
      const { page, size, format = parseAcceptedFormat(headers.get('accept')), ...question } = query
      const list = await reads.readSegments(scope, region_id, question)
      if (format) return createRoutesFile(format, region_id, question, list)
      return {
        ...list.counts,
        items: list.segments.slice((page - 1) * size, page * size),
        total: list.segments.length,
        page,
        size,
      }
    }),
    route(contract.downloadRoutes, async ({ viewer: { scope }, params: { region_id }, query }) => {
      const { format, ...question } = query
      return createRoutesFile(
        format,
        region_id,
        question,
        await reads.readSegments(scope, region_id, question),
      )
    }),
    route(contract.getRouteVolumes, ({ viewer, params, query }) =>
      reads.readVolumes(viewer.scope, params.region_id, query),
    ),
    route(contract.getRouteTile, async ({ viewer: { scope }, params: { region_id, z, x, y }, headers }) => {
      if (x >= 2 ** z || y >= 2 ** z) throw new Problem('not_found', 'There is no such tile at this zoom.')
      await findRegion(state, scope, region_id)
      const streetSegments = await streets.load(scope, region_id)
      return sendTile(streetSegments && (await tiles.getTile(streetSegments, z, x, y)), headers, 'viewer')
    }),
    route(contract.getRoutePublishing, ({ viewer: { scope }, params: { region_id }, at }) =>
      findPublishing({ state, queries }, scope, region_id, at),
    ),
    route(contract.setRoutePublishing, async ({ viewer: { scope }, params: { region_id }, body, at }) => {
      await setPublishing(state, scope, region_id, body)
      return findPublishing({ state, queries }, scope, region_id, at)
    }),
    ...publicRoutes({ state, queries, streets, tiles }),
  ]
}

/** Reads the responses of the endpoints. @throws Problem `not_found` if the viewer may not see the region. */
class RouteReads {
  readonly #state: State
  readonly #queries: RouteQueries
  readonly #streets: RouteStreets

  constructor(state: State, queries: RouteQueries, streets: RouteStreets) {
    this.#state = state
    this.#queries = queries
    this.#streets = streets
  }

  /** Returns the days, vehicle types and operators with routes; null if there are none. */
  async readExtent(scope: Scope, regionId: string): Promise<RouteExtentRow | null> {
    await findRegion(this.#state, scope, regionId)
    return this.#queries.readExtent(scope, regionId)
  }

  async readSegments(scope: Scope, regionId: string, query: SegmentListQuery): Promise<SegmentList> {
    await findRegion(this.#state, scope, regionId)
    const [{ trips, trips_with_way, trips_matched }, volumes, streets] = await Promise.all([
      this.#queries.readTotals(scope, regionId, query),
      this.#queries.readVolumes(scope, regionId, query),
      this.#streets.load(scope, regionId),
    ])
    return {
      counts: { trips, trips_with_way, trips_matched },
      segments: listSegments(volumes, streets, query),
      streets,
    }
  }

  async readStatistics(scope: Scope, regionId: string, filters: contract.RouteFilters) {
    await findRegion(this.#state, scope, regionId)
    const [totals, measures, volumes, streets] = await Promise.all([
      this.#queries.readTotals(scope, regionId, filters),
      this.#queries.readMeasures(scope, regionId, filters),
      this.#queries.readVolumes(scope, regionId, filters),
      this.#streets.load(scope, regionId),
    ])
    const busiest = listSegments(volumes, streets, { direction: 'both', order_by: '-trips' })
    return buildRouteStatistics(totals, measures, addCrossStreets(busiest.slice(0, maxBusiest), streets))
  }

  async readVolumes(scope: Scope, regionId: string, filters: contract.RouteFilters) {
    const startMs = performance.now()
    await findRegion(this.#state, scope, regionId)
    const [totals, volumes, streets] = await Promise.all([
      this.#queries.readTotals(scope, regionId, filters),
      this.#queries.readVolumes(scope, regionId, filters),
      this.#streets.load(scope, regionId),
    ])
    return buildRouteVolumes(volumes, totals, streets, performance.now() - startMs)
  }
}

const createRoutesFile = (
  format: contract.RouteFormat,
  regionId: string,
  query: SegmentListQuery,
  { counts, segments, streets }: SegmentList,
): RawResponse =>
  writeRoutes(format, {
    segments,
    streets,
    about: { question: { region_id: regionId, ...query }, ...counts },
    name: ['routes', regionId, query.start_date, query.end_date].filter(Boolean).join('_'),
  })
