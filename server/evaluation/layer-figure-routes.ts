import type { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import * as contract from '#contract/layer-figures.ts'
import type { SpatialResult, SpatialMode } from '#contract/spatial.ts'
import { findLayer } from '#server/geography/layers/find-layer.ts'
import { layerGeometries } from '#server/geography/shapes/find-shapes.ts'
import { sendTile } from '#server/geography/tiles/send-tile.ts'
import { Problem } from '#server/http/problem.ts'
import { type Route, route } from '#server/http/route.ts'
import type { Viewer } from '#server/http/viewer.ts'
import type { State } from '#server/stores/state.ts'
import { type Evaluator, millisecondsSince } from './evaluate.ts'
import { csvByDay, figuresByDay, legendValues, spatialResult } from './present.ts'
import { createByDayResponse, negotiateByDayFormat } from './by-day-response.ts'
import { readFigureQuery } from './query-strings.ts'
import { tilesVersion, ValueTiles } from './value-tiles.ts'

interface FigureCall {
  viewer: Viewer
  params: { region_id: string; shape_layer_uuid: string }
  query: contract.FigureQuery
  at: Date
  signal: AbortSignal
}

/** The endpoints for figures of one layer. All of them use the evaluator. */
export function layerFigureRoutes(state: State, evaluator: Evaluator): Route[] {
  const tiles = new ValueTiles(state)

  /**
   * A result with its version for tile URLs (null if the result still changes with time) and its layer
   * content.
   */
  const evaluate = async (
    mode: SpatialMode,
    { viewer: { scope }, params, query, at, signal }: FigureCall,
  ): Promise<{ result: SpatialResult; version: string | null; layerContent: string }> => {
    const start = performance.now()
    const request = readFigureQuery(mode, params.shape_layer_uuid, query)
    const evaluation = await evaluator.evaluate({ scope, at, signal }, params.region_id, request, null)
    const { version, isSettled } = evaluation
    return {
      result: spatialResult(evaluation, millisecondsSince(start)),
      version: isSettled ? tilesVersion(scope, version) : null,
      layerContent: version.slice(version.indexOf('.') + 1),
    }
  }
  const byShape = (endpoint: Endpoint, mode: SpatialMode): Route =>
    route(endpoint as typeof contract.getTripsByShape, async (call) => (await evaluate(mode, call)).result)
  const legend = (endpoint: Endpoint, mode: SpatialMode): Route =>
    route(endpoint as typeof contract.getParkingLegend, async (call) => {
      const { result, version } = await evaluate(mode, call)
      return legendValues(result, version)
    })
  const tile = (endpoint: Endpoint, mode: SpatialMode): Route =>
    route(endpoint as typeof contract.getParkingTile, async (call) => {
      const { viewer, params, query, headers } = call
      if (params.x >= 2 ** params.z || params.y >= 2 ** params.z)
        throw new Problem('not_found', 'There is no such tile at this zoom.')
      const { result, version, layerContent } = await evaluate(mode, call)
      const layer = { shape_layer_uuid: params.shape_layer_uuid, content_hash: layerContent }
      const bytes = await tiles.tile(viewer.scope, layer, params, result.shape_data)
      const isVersioned = version !== null && query.v === version
      return sendTile(bytes, headers, isVersioned ? 'versioned' : 'changing')
    })
  const byDay = (endpoint: Endpoint, mode: SpatialMode): Route =>
    route(
      endpoint as typeof contract.getParkingByShapeAndDay,
      async ({ viewer: { scope }, params, query, headers, at, signal }) => {
        const request = readFigureQuery(mode, params.shape_layer_uuid, query)
        const evaluation = await evaluator.evaluate({ scope, at, signal }, params.region_id, request, 'day')
        return createByDayResponse({
          format: negotiateByDayFormat(query.format, headers),
          byDay: figuresByDay(evaluation),
          readShapes: () => layerGeometries(state, scope, params.shape_layer_uuid),
          formatCsv: (names) => [...csvByDay(evaluation, names)].join(''),
          fileName: `${mode}-by-day_${params.region_id}_${query.start_date}_${query.end_date}.csv`,
        })
      },
    )
  const census = async (
    { viewer: { scope } }: Pick<FigureCall, 'viewer'>,
    { region_id, shape_layer_uuid }: { region_id: string; shape_layer_uuid: string },
  ): Promise<z.output<(typeof contract.getCensus)['response']>> => {
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

/** Names of census properties in boundary files, in lower case without punctuation. */
const censusNames = {
  pctNonwhite: ['pctnonwhite', 'percentnonwhite'],
  medianIncome: ['medianincome', 'medianhouseholdincome'],
} as const

/**
 * Parses a number, also from text with thousands separators, a percent or dollar sign; null if it is none.
 */
function parseNumber(value: unknown): number | null {
  const text =
    typeof value === 'number'
      ? String(value)
      : typeof value === 'string'
        ? value.replaceAll(/[\s,$%]/g, '')
        : ''
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : null
}

/** Census figures in the properties of a shape: percent, and the region's currency; null if missing. */
export function readCensus(properties: Readonly<Record<string, unknown>>): {
  pctNonwhite: number | null
  medianIncome: number | null
} {
  const find = (names: readonly string[]): number | null => {
    for (const [name, value] of Object.entries(properties))
      if (names.includes(name.toLowerCase().replaceAll(/[^a-z0-9]/g, ''))) return parseNumber(value)
    return null
  }
  return { pctNonwhite: find(censusNames.pctNonwhite), medianIncome: find(censusNames.medianIncome) }
}
