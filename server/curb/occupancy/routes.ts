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

/** When a computation that callers share is given up. */
const maxAnswerMs = 120_000
/** Upper ends of the classes of a legend; the last class is above 100 %. */
const legendSteps = [0, 0.2, 0.4, 0.6, 0.8, 1]

interface OccupancyRequest {
  viewer: Viewer
  params: { region_id: string }
  query: OccupancyQuery
  signal: AbortSignal
  at: Date
}

/** Occupancy of curb zones, and calibrations of paid to counted occupancy. */
export function occupancyRoutes(stores: OccupancyStores & { indexes: CurbIndexes }): Route[] {
  const { state, indexes } = stores
  const answers = new ComputedCache<OccupancyAnswer>({ max: 60 })
  const sources = new WeakMap<OccupancyAnswer, readonly TileSource[]>()
  const tiles = new ComputedCache<{ tile: Tile | null }>({ max: 1000 })

  const readerOf = async ({
    viewer: { scope },
    params,
    signal,
    at,
  }: Omit<OccupancyRequest, 'query'>): Promise<OccupancyReader> => {
    refuseOperators(scope)
    return { scope, index: await indexes.get(scope, params.region_id), signal, at }
  }
  const answerOf = async (
    request: OccupancyRequest,
  ): Promise<{ answer: OccupancyAnswer; index: CurbIndex }> => {
    const reader = await readerOf(request)
    const { scope, index } = reader
    const version = await occupancyVersion(state.as(scope), index)
    const today = localDay(request.at, index.timezone)
    const { v: _, ...query } = request.query as OccupancyQuery & { v?: string }
    const key = JSON.stringify([index.regionId, version, today, query])
    // Callers with the same question share one computation, which one of them must not end.
    const answer = await answers.get(key, () =>
      queryOccupancy(stores, { ...reader, signal: AbortSignal.timeout(maxAnswerMs) }, query, version),
    )
    return { answer, index }
  }
  const tileOf = async (
    request: OccupancyRequest & { params: { z: number; x: number; y: number }; headers: Headers },
  ): Promise<RawResponse> => {
    const { answer, index } = await answerOf(request)
    const { z, x, y } = request.params
    const { v, ...query } = request.query as OccupancyQuery & { v?: string }
    const { tile } = await tiles.get(
      JSON.stringify([index.regionId, answer.v, query, z, x, y]),
      async () => ({
        tile: await encodeTile(await drawTile(sourcesOf(answer, index), z, x, y)),
      }),
    )
    return sendTile(tile, request.headers, v === answer.v ? 'versioned' : 'changing')
  }
  const sourcesOf = (answer: OccupancyAnswer, index: CurbIndex): readonly TileSource[] => {
    const known = sources.get(answer)
    if (known) return known
    const text = (value: number | null): string => (value === null ? '' : String(value))
    const zones = new Map(index.zones.map((zone) => [zone.id, zone]))
    const made = answer.zones.flatMap((zone) => {
      const found = zones.get(zone.curb_zone_id)
      if (!found) return []
      const hours = zone.hours.map((value, hour) => [`h${hour}`, text(value)] as const)
      const properties = {
        curb_zone_id: zone.curb_zone_id,
        // Zones are drawn at their curb already.
        side: '0',
        value: text(zone.occupancy),
        coverage: text(zone.coverage),
        ...Object.fromEntries(hours),
      }
      return [tileSource(zone.curb_zone_id, found.geometry, properties)]
    })
    sources.set(answer, made)
    return made
  }
  const today = async ({
    viewer,
    params,
    at,
  }: Pick<OccupancyRequest, 'viewer' | 'params' | 'at'>): Promise<string> => {
    refuseOperators(viewer.scope)
    const { timezone } = await findRegion(state, viewer.scope, params.region_id)
    return localDay(at, timezone)
  }

  return [
    route(contract.getOccupancy, async (request) => (await answerOf(request)).answer),
    route(contract.exportOccupancy, async (request) => {
      const { answer } = await answerOf(request)
      return new RawResponse(Buffer.from(occupancyCsv(answer)), {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="curb-occupancy-${answer.kind}-${answer.start_date}-${answer.end_date}.csv"`,
      })
    }),
    route(contract.getOccupancyTile, tileOf),
    route(contract.getParkingInsightsTile, tileOf),
    route(contract.getParkingInsightsStatistics, async (request) => {
      const { answer } = await answerOf(request)
      const { kind, total, targets, unknown_zones, zones } = answer
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
      const { answer } = await answerOf(request)
      const values = answer.zones.map(({ occupancy }) => occupancy)
      const bins = legendSteps.map((from, i) => {
        const to = legendSteps[i + 1] ?? null
        const isIn = (value: number | null): boolean =>
          value !== null &&
          // 100 % belongs to the last class below.
          (to === null ? value > from : value >= from && (value < to || (to === 1 && value === 1)))
        return { from, to, count: values.filter(isIn).length }
      })
      return { bins, none: values.filter((value) => value === null).length, v: answer.v }
    }),
    route(contract.getOccupancyDataTypes, async (request) => readDataTypes(stores, await readerOf(request))),
    route(contract.getInsightsDataTypes, async (request) => readDataTypes(stores, await readerOf(request))),
    route(calibration.listCalibrations, async (request) => ({
      items: await listCalibrations(
        state.as(request.viewer.scope),
        request.params.region_id,
        await today(request),
      ),
    })),
    route(calibration.createCalibration, async (request) =>
      createCalibration(
        stores,
        request.viewer,
        request.params.region_id,
        request.body,
        request.at,
        await today(request),
      ),
    ),
    route(calibration.recordCurbChange, async (request) => ({
      items: await recordChange(
        stores,
        request.viewer,
        request.params.region_id,
        request.body,
        request.at,
        await today(request),
      ),
    })),
  ]
}
