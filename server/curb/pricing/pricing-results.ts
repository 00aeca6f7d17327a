import { LRUCache } from 'lru-cache'
import {
  checkParameters,
  checkScenario,
  type PricingParameters,
  type RateScenario,
} from '#contract/curb-pricing-parameters.ts'
import type { PricingRow, RateTargetRow } from '#contract/curb-pricing.ts'
import { drawTile, encodeTile, type Tile, makeTileSource } from '#server/geography/tiles/draw-tile.ts'
import { Problem } from '#server/http/problem.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { canonicalText } from '#server/stores/canonical-text.ts'
import { getTileSide } from '../map/curb-tiles.ts'
import type { CurbIndex, CurbIndexes } from '../store/curb-index.ts'
import { proposeRates, readOccupancies, type ReadBandOccupancy, requireNoErrors } from './propose-rates.ts'
import { evaluateScenario } from './rate-scenario.ts'

/** Table, sums and tiles of a screen share a result. It expires, because new data changes occupancies. */
const cacheMs = 60_000

interface PricingCall {
  viewer: Viewer
  params: { region_id: string }
  at: Date
}

export interface PricingResult<Row> {
  index: CurbIndex
  rows: readonly Row[]
}

/** Results of the pricing engine, cached for a minute. */
export class PricingResults {
  readonly #indexes: CurbIndexes
  readonly #readOccupancy: ReadBandOccupancy
  readonly #targets = new LRUCache<string, Promise<PricingRow[]>>({ max: 20, ttl: cacheMs })
  readonly #scenarios = new LRUCache<string, Promise<RateTargetRow[]>>({ max: 20, ttl: cacheMs })
  constructor(indexes: CurbIndexes, readOccupancy: ReadBandOccupancy) {
    this.#indexes = indexes
    this.#readOccupancy = readOccupancy
  }

  /** Returns the proposal of the rule with these parameters. */
  async getOccupancyTarget(
    { viewer, params, at }: PricingCall,
    parameters: PricingParameters,
  ): Promise<PricingResult<PricingRow>> {
    const index = await getStaffIndex(this.#indexes, viewer, params.region_id)
    requireNoErrors(checkParameters(parameters))
    const rows = await getOrCompute(this.#targets, makeCacheKey(index, parameters), async () => {
      const source = { scope: viewer.scope, regionId: params.region_id }
      const occupancies = await readOccupancies(this.#readOccupancy, source, parameters)
      return proposeRates(index, at.getTime(), parameters, occupancies)
    })
    return { index, rows }
  }

  /** Returns what to expect at the rates of a scenario. */
  async getRateTarget(
    { viewer, params, at }: PricingCall,
    scenario: RateScenario,
  ): Promise<PricingResult<RateTargetRow>> {
    const index = await getStaffIndex(this.#indexes, viewer, params.region_id)
    requireNoErrors(checkScenario(scenario))
    const rows = await getOrCompute(this.#scenarios, makeCacheKey(index, scenario), async () => {
      const source = { scope: viewer.scope, regionId: params.region_id }
      const occupancies = await readOccupancies(this.#readOccupancy, source, scenario)
      return evaluateScenario(index, at.getTime(), scenario, occupancies)
    })
    return { index, rows }
  }
}

/** Returns the curb of a region. Refuses operators, because occupancies and prices are for city staff. */
export async function getStaffIndex(
  indexes: CurbIndexes,
  { scope }: Viewer,
  regionId: string,
): Promise<CurbIndex> {
  if (scope.operators) throw new Problem('forbidden', 'The pricing engine is only for city staff.')
  return indexes.get(scope, regionId)
}

const makeCacheKey = (index: CurbIndex, query: object): string =>
  `${index.regionId} ${index.version} ${canonicalText(query)}`

/** Returns the cached result, or computes and caches it. Failed computations are not cached. */
function getOrCompute<Rows extends object>(
  cache: LRUCache<string, Promise<Rows>>,
  key: string,
  compute: () => Promise<Rows>,
): Promise<Rows> {
  const cached = cache.get(key)
  if (cached) return cached
  const result = compute()
  cache.set(key, result)
  result.catch(() => cache.delete(key))
  return result
}

/** Parses parameters in the URL of a tile. @throws Problem `validation_error`. */
export function readTileParameters<Schema extends typeof PricingParameters | typeof RateScenario>(
  schema: Schema,
  text: string,
): ReturnType<Schema['parse']> {
  const refuse = (message: string): never => {
    throw new Problem('validation_error', `parameters: ${message}`)
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return refuse('This is not valid JSON.')
  }
  const parsed = schema.safeParse(value)
  if (!parsed.success) return refuse(parsed.error.issues[0]?.message ?? 'Invalid')
  return parsed.data as ReturnType<Schema['parse']>
}

/** Values of a zone to show in tiles. */
export interface ZoneValues {
  curb_zone_id: string
  values: Readonly<Record<string, string | number | null>>
}

/** Draws a tile of the zones current at `at` (ms) with the values of their rows; null if it is empty. */
export async function drawRows(
  index: CurbIndex,
  at: number,
  rows: readonly ZoneValues[],
  { z, x, y }: { z: number; x: number; y: number },
): Promise<Tile | null> {
  const zones = new Map(index.at(at).zones.map((zone) => [zone.id, zone]))
  const sources = rows.flatMap(({ curb_zone_id: id, values }) => {
    const zone = zones.get(id)
    if (!zone) return []
    const properties = Object.entries(values).flatMap(([key, value]): [string, string][] =>
      value === null ? [] : [[key, String(value)]],
    )
    return makeTileSource(id, zone.geometry, {
      curb_zone_id: id,
      side: getTileSide(zone),
      ...Object.fromEntries(properties),
    })
  })
  return encodeTile(await drawTile(sources, z, x, y))
}
