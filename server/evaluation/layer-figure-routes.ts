import type { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import * as contract from '#contract/layer-figures.ts'
import type { SpatialResult, SpatialMode } from '#contract/spatial.ts'
import { findLayer } from '#server/geography/find-layer.ts'
import { layerGeometries } from '#server/geography/find-shapes.ts'
import { Problem } from '#server/http/problem.ts'
import { type Route, route } from '#server/http/route.ts'
import type { Viewer } from '#server/http/viewer.ts'
import type { State } from '#server/stores/state.ts'
import { buildSpatialAnswer } from './spatial-answer.ts'
import { csvOfDays } from './csv-of-days.ts'
import { answerByDay, byDayFormat } from './days-as-features.ts'
import { figuresByDay } from './figures-by-day.ts'
import { legendValues } from './legend-values.ts'
import { millisecondsSince, type SpatialMaps } from './spatial-maps.ts'
import { readCensus } from './read-census.ts'
import { readFigureQuery } from './read-figure-query.ts'
import { sendValueTile } from './send-value-tile.ts'
import { tilesVersion } from './tiles-version.ts'
import { ValueTiles } from './value-tiles.ts'

/** What each of these calls is asked with. */
interface FigureCall {
  viewer: Viewer
  params: { region_id: string; shape_layer_uuid: string }
  query: contract.FigureQuery
  at: Date
  signal: AbortSignal
}

/** The calls about the figures of one layer: each asks the same maps. */
export function layerFigureRoutes(state: State, maps: SpatialMaps): Route[] {
  const tiles = new ValueTiles(state)

  /** An answer, and the version that its address may name: null where the time that goes by changes it. */
  const find = async (
    mode: SpatialMode,
    { viewer: { scope }, params, query, at, signal }: FigureCall,
  ): Promise<{ answer: SpatialResult; version: string | null; content: string }> => {
    const start = performance.now()
    const found = await maps.rows(
      { scope, at, signal },
      params.region_id,
      readFigureQuery(mode, params.shape_layer_uuid, query),
      null,
    )
    return {
      answer: buildSpatialAnswer(found, millisecondsSince(start)),
      version: found.isSettled ? tilesVersion(scope, found.version) : null,
      content: found.version.slice(found.version.indexOf('.') + 1),
    }
  }
  const byShape = (endpoint: Endpoint, mode: SpatialMode): Route =>
    route(endpoint as typeof contract.getTripsByShape, async (call) => (await find(mode, call)).answer)
  const legend = (endpoint: Endpoint, mode: SpatialMode): Route =>
    route(endpoint as typeof contract.getParkingLegend, async (call) => {
      const { answer, version } = await find(mode, call)
      return legendValues(answer, version)
    })
  const tile = (endpoint: Endpoint, mode: SpatialMode): Route =>
    route(endpoint as typeof contract.getParkingTile, async (call) => {
      const { viewer, params, query, headers } = call
      if (params.x >= 2 ** params.z || params.y >= 2 ** params.z)
        throw new Problem('not_found', 'There is no such tile at this zoom.')
      const { answer, version, content } = await find(mode, call)
      return sendValueTile(
        await tiles.tile(viewer.scope, params.shape_layer_uuid, content, params, answer.shape_data),
        version !== null && query.v === version,
        headers,
      )
    })
  const byDay = (endpoint: Endpoint, mode: SpatialMode): Route =>
    route(
      endpoint as typeof contract.getParkingByShapeAndDay,
      async ({ viewer: { scope }, params, query, headers, at, signal }) => {
        const found = await maps.rows(
          { scope, at, signal },
          params.region_id,
          readFigureQuery(mode, params.shape_layer_uuid, query),
          'day',
        )
        return answerByDay({
          format: byDayFormat(query.format, headers),
          byDay: figuresByDay(found),
          shapes: () => layerGeometries(state, scope, params.shape_layer_uuid),
          csv: (names) => [...csvOfDays(found, names)].join(''),
          fileName: `${mode}-by-day_${params.region_id}_${found.ask.start_date}_${found.ask.end_date}.csv`,
        })
      },
    )
  const census = async (
    { viewer: { scope } }: Pick<FigureCall, 'viewer'>,
    { region_id, shape_layer_uuid }: { region_id: string; shape_layer_uuid: string },
  ): Promise<z.output<(typeof contract.getCensus)['answer']>> => {
    await findLayer(state, scope, region_id, shape_layer_uuid)
    const shapes = await layerGeometries(state, scope, shape_layer_uuid)
    return {
      items: shapes.map(({ shapeId, properties }) => ({ shape_uuid: shapeId, ...readCensus(properties) })),
    }
  }
  return [
    byShape(contract.getTripsByShape, 'trips'),
    byShape(contract.getParkingByShape, 'parking'),
    byShape(contract.getDeploymentsByShape, 'drop_offs'),
    byShape(contract.getVehicleCountsByShape, 'distribution'),
    tile(contract.getParkingTile, 'parking'),
    tile(contract.getDeploymentsTile, 'drop_offs'),
    legend(contract.getParkingLegend, 'parking'),
    legend(contract.getDeploymentsLegend, 'drop_offs'),
    byDay(contract.getParkingByShapeAndDay, 'parking'),
    byDay(contract.getDeploymentsByShapeAndDay, 'drop_offs'),
    route(contract.getLayerCensus, (call) => census(call, call.params)),
    route(contract.getCensus, ({ viewer, query }) => {
      const [region_id, shape_layer_uuid] = [
        query.regionId ?? query.region_id,
        query.shapeLayerUuid ?? query.shape_layer_uuid,
      ]
      if (region_id !== undefined && shape_layer_uuid !== undefined)
        return census({ viewer }, { region_id, shape_layer_uuid })
      const path = region_id === undefined ? 'query.regionId' : 'query.shapeLayerUuid'
      throw new Problem('validation_error', `${path}: required`, [{ path, message: 'Required' }])
    }),
  ]
}
