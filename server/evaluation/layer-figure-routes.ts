import type { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import * as contract from '#contract/layer-figures.ts'
import type { SpatialResult, SpatialMode } from '#contract/spatial.ts'
import { findLayer } from '#server/geography/layers/find-layer.ts'
import { findLayerGeometries } from '#server/geography/shapes/find-shapes.ts'
import { sendTile } from '#server/geography/tiles/send-tile.ts'
import { Problem } from '#server/http/problem.ts'
import { type Call, type Route, route } from '#server/http/route.ts'
import type { Viewer } from '#server/http/viewer.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { type Evaluator, getMsSince } from './evaluate.ts'
import { toCsvByDay, toFiguresByDay, toLegendValues, toSpatialResult } from './results.ts'
import { createByDayResponse, negotiateByDayFormat } from './by-day-response.ts'
import { readFigureQuery } from './query-strings.ts'
import { getTilesVersion, ValueTiles } from './value-tiles.ts'

interface FigureCall {
  viewer: Viewer
  params: { region_id: string; shape_layer_uuid: string }
  query: contract.FigureQuery
  at: Date
  signal: AbortSignal
}

/** A figure of a layer: its result, and the versions for tiles. */
interface LayerFigure {
  result: SpatialResult
  /** Version for the URLs of tiles; null if the result still changes with time. */
  version: string | null
  /** Version of the shapes of the layer. */
  layerContent: string
}

/**
 * Declares the endpoints for figures of one layer. All of them use the evaluator. Endpoints of the same kind
 * have the same types and differ only in their mode, hence the casts.
 */
export function layerFigureRoutes(state: State, evaluator: Evaluator): Route[] {
  const tiles = new ValueTiles(state)
  const createShapeRoute = (endpoint: Endpoint, mode: SpatialMode): Route =>
    route(
      endpoint as typeof contract.getTripsByShape,
      async (call) => (await evaluateFigure(evaluator, mode, call)).result,
    )
  const createLegendRoute = (endpoint: Endpoint, mode: SpatialMode): Route =>
    route(endpoint as typeof contract.getParkingLegend, async (call) => {
      const { result, version } = await evaluateFigure(evaluator, mode, call)
      return toLegendValues(result, version)
    })
  const createTileRoute = (endpoint: Endpoint, mode: SpatialMode): Route =>
    route(endpoint as typeof contract.getParkingTile, async (call) => {
      const { viewer, params, query, headers } = call
      if (params.x >= 2 ** params.z || params.y >= 2 ** params.z)
        throw new Problem('not_found', 'There is no such tile at this zoom.')
      const { result, version, layerContent } = await evaluateFigure(evaluator, mode, call)
      const layer = { shape_layer_uuid: params.shape_layer_uuid, content_hash: layerContent }
      const bytes = await tiles.tile(viewer.scope, layer, params, result.shape_data)
      const isVersioned = version !== null && query.v === version
      return sendTile(bytes, headers, isVersioned ? 'versioned' : 'changing')
    })
  const createDayRoute = (endpoint: Endpoint, mode: SpatialMode): Route =>
    route(endpoint as typeof contract.getParkingByShapeAndDay, (call) =>
      createModeResponseByDay({ state, evaluator }, mode, call),
    )
  return [
    createShapeRoute(contract.getTripsByShape, 'trips'),
    createShapeRoute(contract.getParkingByShape, 'parking'),
    createShapeRoute(contract.getDeploymentsByShape, 'drop_offs'),
    createShapeRoute(contract.getVehicleCountsByShape, 'distribution'),
    createTileRoute(contract.getParkingTile, 'parking'),
    createTileRoute(contract.getDeploymentsTile, 'drop_offs'),
    createLegendRoute(contract.getParkingLegend, 'parking'),
    createLegendRoute(contract.getDeploymentsLegend, 'drop_offs'),
    createDayRoute(contract.getParkingByShapeAndDay, 'parking'),
    createDayRoute(contract.getDeploymentsByShapeAndDay, 'drop_offs'),
    route(contract.getLayerCensus, ({ viewer, params }) => listCensus(state, viewer.scope, params)),
    route(contract.getCensus, ({ viewer, query }) => {
      const region_id = query.regionId ?? query.region_id
      const shape_layer_uuid = query.shapeLayerUuid ?? query.shape_layer_uuid
      if (region_id !== undefined && shape_layer_uuid !== undefined)
        return listCensus(state, viewer.scope, { region_id, shape_layer_uuid })
      const path = region_id === undefined ? 'query.regionId' : 'query.shapeLayerUuid'
      throw new Problem('validation_error', `${path}: required`, [{ path, message: 'Required' }])
    }),
  ]
}

/** Evaluates a mode for the period of a query. */
async function evaluateFigure(
  evaluator: Evaluator,
  mode: SpatialMode,
  { viewer: { scope }, params, query, at, signal }: FigureCall,
): Promise<LayerFigure> {
  const start = performance.now()
  const request = readFigureQuery(mode, params.shape_layer_uuid, query)
  const evaluation = await evaluator.evaluate(
    { scope, at, signal },
    { regionId: params.region_id, request, bucket: null },
  )
  const { version, isSettled } = evaluation
  return {
    result: toSpatialResult(evaluation, getMsSince(start)),
    version: isSettled ? getTilesVersion(scope, version) : null,
    layerContent: version.slice(version.indexOf('.') + 1),
  }
}

/** Creates a response with the values of each day, in the requested format. */
async function createModeResponseByDay(
  { state, evaluator }: { state: State; evaluator: Evaluator },
  mode: SpatialMode,
  call: Call<typeof contract.getParkingByShapeAndDay>,
) {
  const { viewer, params, query, headers, at, signal } = call
  const { scope } = viewer
  const request = readFigureQuery(mode, params.shape_layer_uuid, query)
  const evaluation = await evaluator.evaluate(
    { scope, at, signal },
    { regionId: params.region_id, request, bucket: 'day' },
  )
  return createByDayResponse({
    format: negotiateByDayFormat(query.format, headers),
    byDay: toFiguresByDay(evaluation),
    readShapes: () => findLayerGeometries(state, scope, params.shape_layer_uuid),
    formatCsv: (names) => [...toCsvByDay(evaluation, names)].join(''),
    fileName: `${mode}-by-day_${params.region_id}_${query.start_date}_${query.end_date}.csv`,
  })
}

/** Lists the census figures of a layer's shapes. */
async function listCensus(
  state: State,
  scope: Scope,
  { region_id, shape_layer_uuid }: { region_id: string; shape_layer_uuid: string },
): Promise<z.output<(typeof contract.getCensus)['response']>> {
  await findLayer(state, scope, region_id, shape_layer_uuid)
  const shapes = await findLayerGeometries(state, scope, shape_layer_uuid)
  return {
    items: shapes.map(({ shapeId, properties }) => ({ shape_uuid: shapeId, ...readCensus(properties) })),
  }
}

/** Names of census properties in boundary files, in lower case without punctuation. */
const censusNames = {
  pctNonwhite: ['pctnonwhite', 'percentnonwhite'],
  medianIncome: ['medianincome', 'medianhouseholdincome'],
} as const

/** Parses a number, also text with thousands separators, a percent or dollar sign; null if it is none. */
function parseNumber(value: unknown): number | null {
  if (typeof value !== 'number' && typeof value !== 'string') return null
  const text = String(value).replaceAll(/[\s,$%]/g, '')
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : null
}

/** Reads census figures in the properties of a shape: percent, and the region's currency; null if missing. */
export function readCensus(properties: Readonly<Record<string, unknown>>): {
  pctNonwhite: number | null
  medianIncome: number | null
} {
  const findFigure = (names: readonly string[]): number | null => {
    for (const [name, value] of Object.entries(properties))
      if (names.includes(name.toLowerCase().replaceAll(/[^a-z0-9]/g, ''))) return parseNumber(value)
    return null
  }
  return {
    pctNonwhite: findFigure(censusNames.pctNonwhite),
    medianIncome: findFigure(censusNames.medianIncome),
  }
}
