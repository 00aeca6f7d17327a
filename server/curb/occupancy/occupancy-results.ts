import type { OccupancyResponse, OccupancyQuery } from '#contract/curb-occupancy.ts'
import { localDay } from '#contract/period.ts'
import {
  drawTile,
  encodeTile,
  type Tile,
  makeTileSource,
  type TileSource,
} from '#server/geography/tiles/draw-tile.ts'
import { sendTile } from '#server/geography/tiles/send-tile.ts'
import type { RawResponse } from '#server/http/route.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { ComputedCache } from '#server/stores/computed-cache.ts'
import type { Store } from '#server/stores/state.ts'
import { curbOccupancy } from '../product-names.ts'
import { refuseOperators } from '../sessions/query-curb-metrics.ts'
import type { CurbIndex, CurbIndexes } from '../store/curb-index.ts'
import { type OccupancyReader, queryOccupancy } from './query-occupancy.ts'
import type { OccupancyStores } from './read-days.ts'

/** Timeout of a computation, which several requests may share. */
const timeoutMs = 120_000

export interface OccupancyCall {
  viewer: Viewer
  params: { region_id: string }
  signal: AbortSignal
  at: Date
}

interface QueryCall extends OccupancyCall {
  query: OccupancyQuery
}

interface TileCall extends QueryCall {
  params: { region_id: string; z: number; x: number; y: number }
  headers: Headers
}

/** Results of queries and their tiles. They are cached until what they depend on changes. */
export class OccupancyResults {
  readonly #stores: OccupancyStores & { indexes: CurbIndexes }
  readonly #results = new ComputedCache<OccupancyResponse>({ max: 60 })
  readonly #sources = new WeakMap<OccupancyResponse, readonly TileSource[]>()
  readonly #tiles = new ComputedCache<{ tile: Tile | null }>({ max: 1000 })
  constructor(stores: OccupancyStores & { indexes: CurbIndexes }) {
    this.#stores = stores
  }

  /** Creates a reader with the access of a call. @throws Problem for accounts of operators. */
  async createReader({ viewer: { scope }, params, signal, at }: OccupancyCall): Promise<OccupancyReader> {
    refuseOperators(scope)
    return { scope, index: await this.#stores.indexes.get(scope, params.region_id), signal, at }
  }

  async get(call: QueryCall): Promise<{ result: OccupancyResponse; index: CurbIndex }> {
    const reader = await this.createReader(call)
    const { scope, index } = reader
    const version = await readOccupancyVersion(this.#stores.state.as(scope), index)
    const today = localDay(call.at, index.timezone)
    const { query } = splitVersion(call.query)
    const key = JSON.stringify([index.regionId, version, today, query])
    // Calls with the same query share one computation, which must continue if one of them is aborted.
    const result = await this.#results.get(key, () =>
      queryOccupancy(this.#stores, { ...reader, signal: AbortSignal.timeout(timeoutMs) }, query, version),
    )
    return { result, index }
  }

  async getTile(call: TileCall): Promise<RawResponse> {
    const { result, index } = await this.get(call)
    const { z, x, y } = call.params
    const { version, query } = splitVersion(call.query)
    const key = JSON.stringify([index.regionId, result.v, query, z, x, y])
    const { tile } = await this.#tiles.get(key, async () => ({
      tile: await encodeTile(await drawTile(this.#getSources(result, index), z, x, y)),
    }))
    return sendTile(tile, call.headers, version === result.v ? 'versioned' : 'changing')
  }

  #getSources(result: OccupancyResponse, index: CurbIndex): readonly TileSource[] {
    const cached = this.#sources.get(result)
    if (cached) return cached
    const sources = createSources(result, index)
    this.#sources.set(result, sources)
    return sources
  }
}

/** Separates a query from the version of the result, which the URL of a tile contains. */
function splitVersion(queryWithVersion: OccupancyQuery & { v?: string }): {
  version: string | undefined
  query: OccupancyQuery
} {
  const { v: version, ...query } = queryWithVersion
  return { version, query }
}

/** Creates tile sources of zones with their occupancy, in total and by hour of the day (`h0` to `h23`). */
function createSources(result: OccupancyResponse, index: CurbIndex): TileSource[] {
  const toText = (value: number | null): string => (value === null ? '' : String(value))
  const zonesById = new Map(index.zones.map((zone) => [zone.id, zone]))
  return result.zones.flatMap((zone) => {
    const indexed = zonesById.get(zone.curb_zone_id)
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
    return [makeTileSource(zone.curb_zone_id, indexed.geometry, properties)]
  })
}

/** Reads a version that changes with all inputs of results: the curb, derived days and calibrations. */
export async function readOccupancyVersion(store: Store, { regionId, version }: CurbIndex): Promise<string> {
  const [derivedSpans, calibrations] = await Promise.all([
    store
      .selectFrom('derived_span')
      .select(({ fn }) => fn.sum<string>('done').as('sum'))
      .where('product', '=', curbOccupancy)
      .where('region_id', '=', regionId)
      .executeTakeFirst(),
    store
      .selectFrom('curb_calibration')
      .select(['calibration_id', 'valid_from', 'valid_until'])
      .where('region_id', '=', regionId)
      .orderBy('calibration_id')
      .execute(),
  ])
  const text = calibrations.map((row) => `${row.calibration_id}${row.valid_from}${row.valid_until}`).join()
  // A plain 32-bit string hash (Java's): the version is part of URLs, so it must be short.
  let hash = 0
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0
  return `${version}-${derivedSpans?.sum ?? 0}-${hash >>> 0}`
}
