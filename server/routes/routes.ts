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
import { buildRouteStatistics } from './route-statistics.ts'
import { buildRouteVolumes } from './route-volumes.ts'
import { RouteQueries } from './route-queries.ts'
import { listSegments } from './list-segments.ts'
import { publicRoutes } from './public/public-routes.ts'
import { findPublishing, setPublishing } from './public/publishing.ts'
import type { RouteExtentRow } from './queries/route-counts.ts'
import { RouteStreets } from './route-streets.ts'
import { SegmentTiles } from './segment-tiles.ts'
import { parseAcceptedFormat, writeRoutes } from './write-routes.ts'

/** The number of segments in the list of the busiest ones. */
const busiestCount = 10

export function tripRouteRoutes(state: State, facts: Facts): Route[] {
  const queries = new RouteQueries({ state, facts })
  const streets = new RouteStreets(state)
  const tiles = new SegmentTiles()
  const findRouteExtent = async (scope: Scope, regionId: string): Promise<RouteExtentRow | null> => {
    await findRegion(state, scope, regionId)
    return queries.extent(scope, regionId)
  }
  type SegmentListQuery = Omit<z.output<(typeof contract.downloadRoutes)['request']['query']>, 'format'>
  const listRouteSegments = async (scope: Scope, regionId: string, question: SegmentListQuery) => {
    await findRegion(state, scope, regionId)
    const [{ trips, trips_with_way, trips_matched }, volumes, streetSegments] = await Promise.all([
      queries.totals(scope, regionId, question),
      queries.volumes(scope, regionId, question),
      streets.load(scope, regionId),
    ])
    return {
      counts: { trips, trips_with_way, trips_matched },
      segments: listSegments(volumes, streetSegments, question),
      streets: streetSegments,
    }
  }
  const createRoutesFile = (
    format: contract.RouteFormat,
    regionId: string,
    question: SegmentListQuery,
    { counts, segments, streets: streetSegments }: Awaited<ReturnType<typeof listRouteSegments>>,
  ): RawResponse =>
    writeRoutes(format, {
      segments,
      streets: streetSegments,
      about: { question: { region_id: regionId, ...question }, ...counts },
      name: ['routes', regionId, question.start_date, question.end_date].filter(Boolean).join('_'),
    })
  return [
    route(contract.getRouteDateRange, async ({ viewer, params }) => {
      const row = await findRouteExtent(viewer.scope, params.region_id)
      return {
        start_date: row?.first_day ?? null,
        end_date: row?.last_day ?? null,
        trips_with_way: Number(row?.ways ?? 0),
      }
    }),
    route(contract.listRouteVehicleTypes, async ({ viewer, params }) => ({
      items: ((await findRouteExtent(viewer.scope, params.region_id))?.vehicle_types ?? []) as VehicleType[],
    })),
    route(contract.listRouteOperators, async ({ viewer, params }) => {
      const operatorsWithRoutes = new Set((await findRouteExtent(viewer.scope, params.region_id))?.operators)
      const { items } = await listOperators(state, facts, viewer.scope, {
        region_id: params.region_id,
        orderBy: 'name',
        page: 1,
        size: 1000,
      })
      return { items: items.filter(({ slug }) => operatorsWithRoutes.has(slug)) }
    }),
    route(contract.getRouteStatistics, async ({ viewer: { scope }, params: { region_id }, query }) => {
      await findRegion(state, scope, region_id)
      const [totals, measured, volumes, streetSegments] = await Promise.all([
        queries.totals(scope, region_id, query),
        queries.measures(scope, region_id, query),
        queries.volumes(scope, region_id, query),
        streets.load(scope, region_id),
      ])
      return buildRouteStatistics(
        totals,
        measured,
        listSegments(volumes, streetSegments, { direction: 'both', order_by: '-trips' }).slice(
          0,
          busiestCount,
        ),
      )
    }),
    route(contract.listRoutes, async ({ viewer: { scope }, params: { region_id }, query, headers }) => {
      const { page, size, format = parseAcceptedFormat(headers.get('accept')), ...question } = query
      const list = await listRouteSegments(scope, region_id, question)
      return format
        ? createRoutesFile(format, region_id, question, list)
        : {
            ...list.counts,
            items: list.segments.slice((page - 1) * size, page * size),
            total: list.segments.length,
            page,
            size,
          }
    }),
    route(
      contract.downloadRoutes,
      async ({ viewer: { scope }, params: { region_id }, query: { format, ...question } }) =>
        createRoutesFile(format, region_id, question, await listRouteSegments(scope, region_id, question)),
    ),
    route(contract.getRouteVolumes, async ({ viewer: { scope }, params: { region_id }, query }) => {
      const start = performance.now()
      await findRegion(state, scope, region_id)
      const [totals, volumes, streetSegments] = await Promise.all([
        queries.totals(scope, region_id, query),
        queries.volumes(scope, region_id, query),
        streets.load(scope, region_id),
      ])
      return buildRouteVolumes(volumes, totals, streetSegments, performance.now() - start)
    }),
    route(contract.getRouteTile, async ({ viewer: { scope }, params: { region_id, z, x, y }, headers }) => {
      if (x >= 2 ** z || y >= 2 ** z) throw new Problem('not_found', 'There is no such tile at this zoom.')
      await findRegion(state, scope, region_id)
      const streetSegments = await streets.load(scope, region_id)
      return sendTile(streetSegments && (await tiles.tile(streetSegments, z, x, y)), headers, 'viewer')
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
