import { civilClock } from '#contract/civil-clock.ts'
import type { State } from '#server/stores/state.ts'
import { listDirtyBetween } from '#server/derived/dirty-spans.ts'
import { floorToHour } from './cube-clock.ts'
import { getCubeBasis, type CubeRegion } from './cube-region.ts'
import { parseHourSpan, toHourSpan, shapeSums } from './dirty-hours.ts'
import type { Span } from './shape-days.ts'

/** Spans of days since 1970: with sums in the cubes of a layer, and to be read from facts. */
export interface CubedDays {
  cubeSpans: Span[]
  factSpans: Span[]
}

/** The maximum number of spans of facts, because each takes a query of its own. */
const maxFactSpans = 4

/**
 * Splits a span of days: those before `end` are in the cubes, except for dirty ones (in ascending order).
 * Null if the cubes have none of them, or if facts would take too many queries.
 */
export function splitDays(
  { from, until }: Span,
  end: number,
  dirtyDays: readonly number[],
): CubedDays | null {
  const factSpans: Span[] = []
  const addFactSpan = (span: Span): void => {
    const previousSpan = factSpans.at(-1)
    if (previousSpan?.until === span.from) previousSpan.until = span.until
    else factSpans.push(span)
  }
  for (const day of dirtyDays)
    if (day >= from && day < Math.min(end, until)) addFactSpan({ from: day, until: day + 1 })
  if (end < until) addFactSpan({ from: Math.max(from, end), until })
  if (factSpans.length > maxFactSpans) return null
  // The cubes cover the gaps between the spans of facts.
  const begins = [from, ...factSpans.map((span) => span.until)]
  const ends = [...factSpans.map((span) => span.from), until]
  const cubeSpans = begins
    .map((begin, index) => ({ from: begin, until: ends[index] as number }))
    .filter((span) => span.until > span.from)
  return cubeSpans.length ? { cubeSpans, factSpans } : null
}

/**
 * Finds the local days of a time range (ms, from midnight to midnight) that the cubes of a layer cover: those
 * that have ended and are not dirty. Null if the layer is not filled, was filled for other contents or
 * settings, or `splitDays` returns null. Must be called before the sums are read.
 */
export async function findCubedDays(
  state: State,
  region: CubeRegion,
  { layer, time, now }: { layer: { layerId: string; contentHash: string }; time: Span; now: number },
): Promise<CubedDays | null> {
  const { regionId, scope, shift, timezone } = region
  const store = state.as(scope)
  const row = await store
    .selectFrom('cube_layer')
    .select(['status', 'content_hash', 'basis', 'missing'])
    .where('layer_id', '=', layer.layerId)
    .executeTakeFirst()
  if (
    row?.status !== 'ready' ||
    row.content_hash !== layer.contentHash ||
    row.basis !== getCubeBasis(region) ||
    row.missing.length > 0
  )
    return null
  const cubeRegionRow = await store
    .selectFrom('cube_region')
    .select('ended_until')
    .where('region_id', '=', regionId)
    .executeTakeFirst()
  if (!cubeRegionRow) return null
  const clock = civilClock(timezone)
  const toLocalDay = (ms: number): number => clock.local(ms).day
  const end = Math.min(floorToHour(now, shift), cubeRegionRow.ended_until.getTime())
  const dirtyHours = await listDirtyBetween(
    state,
    scope,
    { product: shapeSums, regionId, parts: ['', layer.layerId] },
    { first: toHourSpan(time.from), last: toHourSpan(time.until - 1) },
  )
  const dirtyDays = [...new Set(dirtyHours.map((span) => toLocalDay(parseHourSpan(span))))]
  const days = { from: toLocalDay(time.from), until: toLocalDay(time.until - 1) + 1 }
  return splitDays(days, toLocalDay(end), dirtyDays)
}
