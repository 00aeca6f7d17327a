import { civilClock } from '#contract/civil-clock.ts'
import { dayFromNumber, hoursOfRange, isFullDay } from '#contract/period.ts'
import type { Layer } from '#contract/geography.ts'
import type { Region } from '#contract/regions.ts'
import { hourMs } from '#server/fleet/cubes/cube-clock.ts'
import { type CubeRegion, cubeRegion } from '#server/fleet/cubes/cube-region.ts'
import { knownDays } from '#server/fleet/cubes/known-days.ts'
import type { ReadyLayers } from '#server/fleet/cubes/ready-layer.ts'
import { shapeDays } from '#server/fleet/cubes/shape-days.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import type { CubeQuery, Mode, QueryContext, StoredRow } from './modes/mode.ts'
import type { QueryTime } from './query-time.ts'

/** A question about all shapes of a layer without a buffer. */
export interface CubedQuestion {
  scope: Scope
  region: Region
  layer: Layer
  mode: Mode
  context: QueryContext
  cubed: CubeQuery
  signal: AbortSignal
}

const limits = { seconds: 60 }

/** Rows of a layer, with its shapes in the order of their numbers. */
interface FoundRows {
  rows: StoredRow[]
  shapeIds: readonly string[]
}

/** Whether the days of a question consist of whole hours of the region's cubes. */
const isAlignedWithCubeHours = ({ from, until, slices }: QueryTime, { shift }: CubeRegion): boolean =>
  slices.length === hourMs &&
  slices.shift === shift &&
  (from + shift) % hourMs === 0 &&
  (until + shift) % hourMs === 0

/**
 * Reads the rows of maps from the cubes by day and local hour (decision 011). Days that are dirty or not over are read from
 * the facts.
 */
export class CubedRows {
  readonly #state: State
  readonly #facts: Facts
  readonly #layers: ReadyLayers
  constructor(state: State, facts: Facts, layers: ReadyLayers) {
    this.#state = state
    this.#facts = facts
    this.#layers = layers
  }

  /** The rows as `mode.query` returns them; null if only the facts can answer. Points are looked up only for days without sums. */
  async read({
    scope,
    region: settings,
    layer,
    mode,
    context,
    cubed: { sums, byOperator },
    signal,
  }: CubedQuestion): Promise<FoundRows | null> {
    const region = cubeRegion(scope, settings)
    const { time, filters, bucket } = context
    if (!isAlignedWithCubeHours(time, region)) return null
    // Read first, so that a later change makes the rows newer than the state, never older.
    const known = await knownDays(
      this.#state,
      region,
      { layerId: layer.shape_layer_uuid, contentHash: layer.content_hash },
      time,
      context.now,
    )
    const ready = known && (await this.#layers.load(region, layer))
    if (!ready) return null
    const numbers = new Map<string, number[]>()
    for (const { key, number } of ready.shapes) numbers.set(key, [...(numbers.get(key) ?? []), number])
    const cubeRows = shapeDays(
      this.#facts,
      scope,
      {
        regionId: region.regionId,
        shapeKeys: [...numbers.keys()],
        spans: known.cubed,
        by: bucket === 'day' ? ['day'] : bucket ? ['hour'] : byOperator ? ['operator'] : [],
        sums: [...new Set(Object.values(sums))],
        operators: filters.operators,
        vehicleTypes: filters.vehicle_type ? [filters.vehicle_type] : (filters.vehicle_types ?? []),
        weekdays: time.days,
        hours: isFullDay(time.hours) ? [] : hoursOfRange(time.hours),
      },
      signal,
    )
    const clock = civilClock(region.timezone)
    const factRows = known.facts.map(async ({ from, until }) => {
      const part: QueryContext = {
        ...context,
        filters: { ...filters, start_date: dayFromNumber(from), end_date: dayFromNumber(until - 1) },
        time: { ...time, from: clock.instant(from, 0).ms, until: clock.instant(until, 0).ms },
      }
      return this.#facts.rows<StoredRow>(
        scope,
        mode.query(part, { indexes: await ready.indexes(), selected: null }),
        { limits, signal },
      )
    })
    // At once: either takes the engine about as long to analyze as to run.
    const [dayRows, ...parts] = await Promise.all([cubeRows, ...factRows])
    const namedSums = Object.entries(sums)
    const rows: StoredRow[] = dayRows.flatMap(({ key, sums: cubeSums, ...row }) => {
      const named = namedSums.map(([name, cubeSum]): [string, number] => [name, cubeSums[cubeSum] ?? 0])
      // A row may exist for other sums; the facts have none then.
      if (named.every(([, sum]) => sum === 0)) return []
      return (numbers.get(key) ?? []).map((shape) => ({ shape, ...row, ...Object.fromEntries(named) }))
    })
    return { rows: [...rows, ...parts.flat()], shapeIds: ready.shapeIds }
  }
}
