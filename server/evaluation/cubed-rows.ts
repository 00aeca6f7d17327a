import { civilClock } from '#contract/civil-clock.ts'
import { appendTo } from '#contract/group-by.ts'
import { dayFromNumber, hourMs, hoursOfRange, isFullDay } from '#contract/period.ts'
import type { Layer } from '#contract/geography.ts'
import type { Region } from '#contract/regions.ts'
import { type CubeRegion, toCubeRegion } from '#server/fleet/cubes/cube-region.ts'
import { findCubedDays } from '#server/fleet/cubes/cubed-days.ts'
import type { ReadyLayers } from '#server/fleet/cubes/ready-layer.ts'
import { readShapeDays } from '#server/fleet/cubes/shape-days.ts'
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

/** Rows of a layer. Shape number n of the rows is `shapeIds[n - 1]`. */
interface LayerRows {
  rows: StoredRow[]
  shapeIds: readonly string[]
}

/** Returns the columns of cubes by which rows are grouped. */
function getCubeGroups(bucket: QueryContext['bucket'], byOperator: boolean): ('day' | 'hour' | 'operator')[] {
  if (bucket) return [bucket === 'day' ? 'day' : 'hour']
  return byOperator ? ['operator'] : []
}

/** Whether the days of a question start and end on hour boundaries of the region's cubes. */
const isAlignedWithCubeHours = ({ from, until, slices }: QueryTime, { shift }: CubeRegion): boolean =>
  slices.lengthMs === hourMs &&
  slices.shiftMs === shift &&
  (from + shift) % hourMs === 0 &&
  (until + shift) % hourMs === 0

/** Reads rows of maps from cubes by day and hour (decision 011), or from facts if these are not ready. */
export class CubedRows {
  readonly #state: State
  readonly #facts: Facts
  readonly #layers: ReadyLayers
  constructor(state: State, facts: Facts, layers: ReadyLayers) {
    this.#state = state
    this.#facts = facts
    this.#layers = layers
  }

  /** Returns the rows of `mode.query`; null if cubes lack them. Days from facts need the layer's index. */
  async read({
    scope,
    region: regionSettings,
    layer,
    mode,
    context,
    cubed: { sums: cubeSumByName, byOperator },
    signal,
  }: CubedQuestion): Promise<LayerRows | null> {
    const region = toCubeRegion(scope, regionSettings)
    const { time, filters, bucket } = context
    if (!isAlignedWithCubeHours(time, region)) return null
    // Read before the sums, so that a concurrent change makes the rows newer than this state, never older.
    const split = await findCubedDays(this.#state, region, {
      layer: { layerId: layer.shape_layer_uuid, contentHash: layer.content_hash },
      time,
      now: context.now,
    })
    const ready = split && (await this.#layers.load(region, layer))
    if (!ready) return null
    // Cubes are stored by geometry: shapes of a layer with equal geometry have the same key.
    const numbersByKey = new Map<string, number[]>()
    for (const { key, number } of ready.shapes) appendTo(numbersByKey, key, number)
    const cubeRows = readShapeDays(
      this.#facts,
      scope,
      {
        regionId: region.regionId,
        shapeKeys: [...numbersByKey.keys()],
        spans: split.cubeSpans,
        groupBy: getCubeGroups(bucket, byOperator),
        sums: [...new Set(Object.values(cubeSumByName))],
        operators: filters.operators,
        vehicleTypes: filters.vehicle_type ? [filters.vehicle_type] : (filters.vehicle_types ?? []),
        weekdays: time.days,
        hours: isFullDay(time.hours) ? [] : hoursOfRange(time.hours),
      },
      signal,
    )
    const clock = civilClock(region.timezone)
    const factRows = split.factSpans.map(async ({ from, until }) => {
      const spanContext: QueryContext = {
        ...context,
        filters: { ...filters, start_date: dayFromNumber(from), end_date: dayFromNumber(until - 1) },
        time: { ...time, from: clock.instant(from, 0).ms, until: clock.instant(until, 0).ms },
      }
      return this.#facts.rows<StoredRow>(
        scope,
        mode.query(spanContext, { indexes: await ready.indexes(), selected: null }),
        { limits, signal },
      )
    })
    // In parallel: the engine takes about as long to analyze each query as to run it.
    const [sumsByKey, ...rowsFromFacts] = await Promise.all([cubeRows, ...factRows])
    const rowsFromCubes: StoredRow[] = sumsByKey.flatMap(({ key, sums, ...groups }) => {
      const values = Object.entries(cubeSumByName).map(([name, cubeSum]): [string, number] => [
        name,
        sums[cubeSum] ?? 0,
      ])
      // The cube may have a row because of other sums. The query on facts returns no row in that case.
      if (values.every(([, sum]) => sum === 0)) return []
      return (numbersByKey.get(key) ?? []).map((shape) => ({
        shape,
        ...groups,
        ...Object.fromEntries(values),
      }))
    })
    return { rows: [...rowsFromCubes, ...rowsFromFacts.flat()], shapeIds: ready.shapeIds }
  }
}
