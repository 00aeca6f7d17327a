import { Readable } from 'node:stream'
import type { z } from 'zod'
import * as contract from '#contract/spatial.ts'
import { findLayerGeometries } from '#server/geography/shapes/find-shapes.ts'
import { RawResponse, type Route, route } from '#server/http/route.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { type Evaluator, getMsSince } from './evaluate.ts'
import { modes } from './modes/modes.ts'
import { toCsvByDay, toSpatialByTime, toSpatialResult } from './results.ts'

export function spatialRoutes(state: State, facts: Facts, evaluator: Evaluator): Route[] {
  return [
    route(contract.querySpatial, async ({ viewer: { scope }, params, body, at, signal }) => {
      const start = performance.now()
      const evaluation = await evaluator.evaluate(
        { scope, at, signal },
        { regionId: params.region_id, request: body, bucket: null },
      )
      return toSpatialResult(evaluation, getMsSince(start))
    }),
    route(
      contract.querySpatialByTime,
      async ({ viewer: { scope }, params, body: { bucket, ...request }, at, signal }) => {
        const start = performance.now()
        const evaluation = await evaluator.evaluate(
          { scope, at, signal },
          { regionId: params.region_id, request, bucket },
        )
        return toSpatialByTime(evaluation, bucket, getMsSince(start))
      },
    ),
    route(contract.downloadSpatialByDay, async ({ viewer: { scope }, params, body, at, signal }) => {
      const evaluation = await evaluator.evaluate(
        { scope, at, signal },
        { regionId: params.region_id, request: body, bucket: 'day' },
      )
      const shapes = await findLayerGeometries(state, scope, body.shape_layer_uuid)
      const names = new Map(shapes.map(({ shapeId, name }) => [shapeId, name]))
      const { mode, start_date, end_date } = body
      const file = `${mode}-by-day_${params.region_id}_${start_date}_${end_date}.csv`
      return new RawResponse(Readable.from(toCsvByDay(evaluation, names)), {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="${file}"`,
      })
    }),
    route(contract.getSpatialExtent, ({ viewer, params, query, signal }) =>
      findExtent({ state, facts }, viewer.scope, { regionId: params.region_id, mode: query.mode, signal }),
    ),
  ]
}

type Extent = z.output<(typeof contract.getSpatialExtent)['response']>

/** Finds first and last day, operators and vehicle types of the facts of a map. */
export async function findExtent(
  { state, facts }: { state: State; facts: Facts },
  scope: Scope,
  { regionId, mode, signal }: { regionId: string; mode: contract.SpatialMode; signal: AbortSignal },
): Promise<Extent> {
  const { timezone } = await findRegion(state, scope, regionId)
  const [row] = await facts.rows<Omit<Extent, 'facts'> & { facts: string }>(
    scope,
    modes[mode].extent(regionId, timezone),
    { signal },
  )
  const count = Number(row?.facts ?? 0)
  if (!row || !count) return { facts: 0, first_day: null, last_day: null, operators: [], vehicle_types: [] }
  return { ...row, facts: count }
}
