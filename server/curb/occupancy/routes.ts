import * as calibration from '#contract/curb-calibration.ts'
import * as contract from '#contract/curb-occupancy.ts'
import type { OccupancyAnswer, OccupancyQuery } from '#contract/curb-occupancy.ts'
import { localDay } from '#contract/period.ts'
import { sendTile } from '#server/geography/tiles/send-tile.ts'
import {
  drawTile,
  encodeTile,
  type Tile,
  tileSource,
  type TileSource,
} from '#server/geography/tiles/draw-tile.ts'
import { RawResponse, type Route, route } from '#server/http/route.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { findRegion } from '#server/regions/read-region.ts'
import { ComputedCache } from '#server/stores/computed-cache.ts'
import { refuseOperators } from '../sessions/query-curb-metrics.ts'
import type { CurbIndex, CurbIndexes } from '../store/curb-index.ts'
import { createCalibration, listCalibrations, recordChange } from './calibrations.ts'
import {
  occupancyCsv,
  type OccupancyReader,
  type OccupancyStores,
  occupancyVersion,
  queryOccupancy,
  readDataTypes,
} from './query-occupancy.ts'

/** Timeout of a computation that requests share. */
const timeoutMs = 120_000
/** Lower bounds of the classes of the legend; the last class is above 100 %. */
const legendSteps = [0, 0.2, 0.4, 0.6, 0.8, 1]

interface OccupancyRequest {
  viewer: Viewer
  params: { region_id: string }
  query: OccupancyQuery
  signal: AbortSignal
  at: Date
}

/** Routes of occupancy of curb zones, and of calibrations of paid by counted occupancy. */
export function occupancyRoutes(stores: OccupancyStores & { indexes: CurbIndexes }): Route[] {
  const { state, indexes } = stores
  const results = new ComputedCache<OccupancyAnswer>({ max: 60 })
  const sourcesByResult = new WeakMap<OccupancyAnswer, readonly TileSource[]>()
  const tiles = new ComputedCache<{ tile: Tile | null }>({ max: 1000 })

  const createReader = async ({
    viewer: { scope },
    params,
    signal,
    at,
  }: Omit<OccupancyRequest, 'query'>): Promise<OccupancyReader> => {
    refuseOperators(scope)
    return { scope, index: await indexes.get(scope, params.region_id), signal, at }
  }
  const getOccupancy = async (
    request: OccupancyRequest,
  ): Promise<{ result: OccupancyAnswer; index: CurbIndex }> => {
    const reader = await createReader(request)
    const { scope, index } = reader
    const version = await occupancyVersion(state.as(scope), index)
    const today = localDay(request.at, index.timezone)
    const { v: _, ...query } = request.query as OccupancyQuery & { v?: string }
    const key = JSON.stringify([index.regionId, version, today, query])
    // Requests with the same query share one computation, which must continue if one of them is aborted.
    const result = await results.get(key, () =>
      queryOccupancy(stores, { ...reader, signal: AbortSignal.timeout(timeoutMs) }, query, version),
    )
    return { result, index }
  }
  const getTile = async (
    request: OccupancyRequest & { params: { z: number; x: number; y: number }; headers: Headers },
  ): Promise<RawResponse> => {
    const { result, index } = await getOccupancy(request)
    const { z, x, y } = request.params
    const { v, ...query } = request.query as OccupancyQuery & { v?: string }
    const { tile } = await tiles.get(
      JSON.stringify([index.regionId, result.v, query, z, x, y]),
      async () => ({
        tile: await encodeTile(await drawTile(getSources(result, index), z, x, y)),
      }),
    )
    return sendTile(tile, request.headers, v === result.v ? 'versioned' : 'changing')
  }
  const getSources = (result: OccupancyAnswer, index: CurbIndex): readonly TileSource[] => {
    const cached = sourcesByResult.get(result)
    if (cached) return cached
    const toText = (value: number | null): string => (value === null ? '' : String(value))
    const zones = new Map(index.zones.map((zone) => [zone.id, zone]))
    const sources = result.zones.flatMap((zone) => {
      const indexed = zones.get(zone.curb_zone_id)
      if (!indexed) return []
      const hours = zone.hours.map((value, hour) => [`h${hour}`, toText(value)] as const)
      const properties = {
        curb_zone_id: zone.curb_zone_id,
        // The geometry of zones is already at their side of the street.
        side: '0',
        value: toText(zone.occupancy),
        coverage: toText(zone.coverage),
        ...Object.fromEntries(hours),
      }
      return [tileSource(zone.curb_zone_id, indexed.geometry, properties)]
    })
    sourcesByResult.set(result, sources)
    return sources
  }
  const getToday = async ({
    viewer,
    params,
    at,
  }: Pick<OccupancyRequest, 'viewer' | 'params' | 'at'>): Promise<string> => {
    refuseOperators(viewer.scope)
    const { timezone } = await findRegion(state, viewer.scope, params.region_id)
    return localDay(at, timezone)
  }

  return [
    route(contract.getOccupancy, async (request) => (await getOccupancy(request)).result),
    route(contract.exportOccupancy, async (request) => {
      const { result } = await getOccupancy(request)
      return new RawResponse(Buffer.from(occupancyCsv(result)), {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="curb-occupancy-${result.kind}-${result.start_date}-${result.end_date}.csv"`,
      })
    }),
    route(contract.getOccupancyTile, getTile),
    route(contract.getParkingInsightsTile, getTile),
    route(contract.getParkingInsightsStatistics, async (request) => {
      const { result } = await getOccupancy(request)
      const { kind, total, targets, unknown_zones, zones } = result
      return {
        kind,
        total,
        targets,
        unknown_zones,
        zones: zones.length,
        zones_over: zones.filter(({ is_over: isOver }) => isOver).length,
      }
    }),
    route(contract.getParkingInsightsLegend, async (request) => {
      const { result } = await getOccupancy(request)
      const values = result.zones.map(({ occupancy }) => occupancy)
      const bins = legendSteps.map((from, i) => {
        const to = legendSteps[i + 1] ?? null
        const isIn = (value: number | null): boolean =>
          value !== null &&
          // 100 % belongs to the class that ends there.
          (to === null ? value > from : value >= from && (value < to || (to === 1 && value === 1)))
        return { from, to, count: values.filter(isIn).length }
      })
      return { bins, none: values.filter((value) => value === null).length, v: result.v }
    }),
    route(contract.getOccupancyDataTypes, async (request) =>
      readDataTypes(stores, await createReader(request)),
    ),
    route(contract.getInsightsDataTypes, async (request) =>
      readDataTypes(stores, await createReader(request)),
    ),
    route(calibration.listCalibrations, async (request) => ({
      items: await listCalibrations(
        state.as(request.viewer.scope),
        request.params.region_id,
        await getToday(request),
      ),
    })),
    route(calibration.createCalibration, async (request) =>
      createCalibration(
        stores,
        request.viewer,
        { regionId: request.params.region_id, at: request.at, today: await getToday(request) },
        request.body,
      ),
    ),
    route(calibration.recordCurbChange, async (request) => ({
      items: await recordChange(
        stores,
        request.viewer,
        { regionId: request.params.region_id, at: request.at, today: await getToday(request) },
        request.body,
      ),
    })),
  ]
}
