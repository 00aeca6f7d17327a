import { LRUCache } from 'lru-cache'
import type { PricingParameters, RateScenario } from '#contract/curb-pricing-parameters.ts'
import { checkParameters, checkScenario } from '#contract/curb-pricing-parameters.ts'
import type { PricingRow, RateTargetRow } from '#contract/curb-pricing.ts'
import { drawTile, encodeTile, type Tile, tileSource } from '#server/geography/tiles/draw-tile.ts'
import { Problem } from '#server/http/problem.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { canonicalText } from '#server/stores/canonical-text.ts'
import { tileSide } from '../map/curb-tiles.ts'
import type { CurbIndex, CurbIndexes } from '../store/curb-index.ts'
import { proposeRates, readOccupancies, type ReadBandOccupancy, refuseErrors } from './propose-rates.ts'
import { rateTarget } from './rate-scenario.ts'

/** The table, the sums and the tiles of one question are computed once. Occupancies change with new data. */
const cachedMs = 60_000

export interface PricingAnswer<Row> {
  index: CurbIndex
  rows: readonly Row[]
}

/** Answers of the pricing engine, cached for a minute. */
export class PricingAnswers {
  readonly #indexes: CurbIndexes
  readonly #read: ReadBandOccupancy
  readonly #targets = new LRUCache<string, Promise<PricingRow[]>>({ max: 20, ttl: cachedMs })
  readonly #scenarios = new LRUCache<string, Promise<RateTargetRow[]>>({ max: 20, ttl: cachedMs })
  constructor(indexes: CurbIndexes, read: ReadBandOccupancy) {
    this.#indexes = indexes
    this.#read = read
  }

  async occupancyTarget(
    viewer: Viewer,
    regionId: string,
    parameters: PricingParameters,
    at: Date,
  ): Promise<PricingAnswer<PricingRow>> {
    const index = await this.indexFor(viewer, regionId)
    refuseErrors(checkParameters(parameters))
    const rows = await remember(this.#targets, keyOf(index, parameters), async () => {
      const occupancies = await readOccupancies(this.#read, viewer.scope, regionId, parameters, undefined)
      return proposeRates(index, at.getTime(), parameters, occupancies)
    })
    return { index, rows }
  }

  async rateTarget(
    viewer: Viewer,
    regionId: string,
    scenario: RateScenario,
    at: Date,
  ): Promise<PricingAnswer<RateTargetRow>> {
    const index = await this.indexFor(viewer, regionId)
    refuseErrors(checkScenario(scenario))
    const rows = await remember(this.#scenarios, keyOf(index, scenario), async () => {
      const occupancies = await readOccupancies(this.#read, viewer.scope, regionId, scenario, undefined)
      return rateTarget(index, at.getTime(), scenario, occupancies)
    })
    return { index, rows }
  }

  /** The curb of a region. Occupancies and prices are of the city, so that accounts of operators are refused. */
  indexFor({ scope }: Viewer, regionId: string): Promise<CurbIndex> {
    if (scope.operators) throw new Problem('forbidden', 'The pricing engine is only for city staff.')
    return this.#indexes.get(scope, regionId)
  }
}

const keyOf = (index: CurbIndex, question: object): string =>
  `${index.regionId} ${index.version} ${canonicalText(question)}`

function remember<Rows extends object>(
  cache: LRUCache<string, Promise<Rows>>,
  key: string,
  compute: () => Promise<Rows>,
): Promise<Rows> {
  const known = cache.get(key)
  if (known) return known
  const made = compute()
  cache.set(key, made)
  made.catch(() => cache.delete(key))
  return made
}

/** Parameters in the URL of a tile. */
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
    return refuse('This is no JSON.')
  }
  const parsed = schema.safeParse(value)
  if (!parsed.success) return refuse(parsed.error.issues[0]?.message ?? 'Invalid')
  return parsed.data as ReturnType<Schema['parse']>
}

/** A tile of zones with the values of their rows; null if it is empty. */
export async function drawRows(
  index: CurbIndex,
  at: number,
  rows: readonly { curb_zone_id: string; values: Readonly<Record<string, string | number | null>> }[],
  { z, x, y }: { z: number; x: number; y: number },
): Promise<Tile | null> {
  const zones = new Map(index.at(at).zones.map((zone) => [zone.id, zone]))
  const sources = rows.flatMap(({ curb_zone_id: id, values }) => {
    const zone = zones.get(id)
    if (!zone) return []
    const known = Object.entries(values).flatMap(([key, value]): [string, string][] =>
      value === null ? [] : [[key, String(value)]],
    )
    return tileSource(id, zone.geometry, {
      curb_zone_id: id,
      side: tileSide(zone),
      ...Object.fromEntries(known),
    })
  })
  return encodeTile(await drawTile(sources, z, x, y))
}
