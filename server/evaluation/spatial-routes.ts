import { Readable } from 'node:stream'
import * as contract from '#contract/spatial.ts'
import { layerGeometries } from '#server/geography/find-shapes.ts'
import { RawAnswer, type Route, route } from '#server/http/route.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { State } from '#server/stores/state.ts'
import { answerByTime } from './answer-by-time.ts'
import { buildSpatialAnswer } from './spatial-answer.ts'
import { csvOfDays } from './csv-of-days.ts'
import { findExtent } from './find-extent.ts'
import { millisecondsSince, type SpatialMaps } from './spatial-maps.ts'

/** The calls of all maps that give shapes values. */
export function spatialRoutes(state: State, facts: Facts, maps: SpatialMaps): Route[] {
  return [
    route(contract.askSpatial, async ({ viewer: { scope }, params, body, at, signal }) => {
      const start = performance.now()
      const found = await maps.rows({ scope, at, signal }, params.region_id, body, null)
      return buildSpatialAnswer(found, millisecondsSince(start))
    }),
    route(
      contract.askSpatialByTime,
      async ({ viewer: { scope }, params, body: { bucket, ...ask }, at, signal }) => {
        const start = performance.now()
        const found = await maps.rows({ scope, at, signal }, params.region_id, ask, bucket)
        return answerByTime(found, bucket, millisecondsSince(start))
      },
    ),
    route(contract.downloadSpatialByDay, async ({ viewer: { scope }, params, body, at, signal }) => {
      const found = await maps.rows({ scope, at, signal }, params.region_id, body, 'day')
      const shapes = await layerGeometries(state, scope, body.shape_layer_uuid)
      const names = new Map(shapes.map(({ shapeId, name }) => [shapeId, name]))
      const { mode, start_date, end_date } = found.ask
      const file = `${mode}-by-day_${params.region_id}_${start_date}_${end_date}.csv`
      return new RawAnswer(Readable.from(csvOfDays(found, names)), {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="${file}"`,
      })
    }),
    route(contract.getSpatialExtent, ({ viewer, params, query, signal }) =>
      findExtent(state, facts, viewer.scope, params.region_id, query.mode, signal),
    ),
  ]
}
