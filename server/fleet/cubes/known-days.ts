import { civilClock } from '#contract/civil-clock.ts'
import type { State } from '#server/stores/state.ts'
import { floorToHour } from './cube-clock.ts'
import { cubeBasis, type CubeRegion } from './cube-region.ts'
import { dirtyBetween } from '#server/derived/dirty-spans.ts'
import { hourOfSpan, hourSpan, shapeSums } from './dirty-hours.ts'
import type { Span } from './shape-days.ts'

/** Which days of a time the cubes of a layer know, and which only the facts do: days since 1970. */
export interface KnownDays {
  cubed: Span[]
  facts: Span[]
}

/** Each is a question of its own to the facts. */
const maxFactSpans = 4

/** Splits days: those before `end` are known but for those that wait (ascending). Null where that is not worth it. */
export function splitDays({ from, until }: Span, end: number, waiting: readonly number[]): KnownDays | null {
  const facts: Span[] = []
  const add = (span: Span): void => {
    const last = facts.at(-1)
    if (last?.until === span.from) last.until = span.until
    else facts.push(span)
  }
  for (const day of waiting) if (day >= from && day < Math.min(end, until)) add({ from: day, until: day + 1 })
  if (end < until) add({ from: Math.max(from, end), until })
  if (facts.length > maxFactSpans) return null
  const begins = [from, ...facts.map((span) => span.until)]
  const ends = [...facts.map((span) => span.from), until]
  const cubed = begins
    .map((begin, at) => ({ from: begin, until: ends[at] as number }))
    .filter((span) => span.until > span.from)
  return cubed.length ? { cubed, facts } : null
}

/**
 * Which local days of a time (ms, from midnight to midnight) the cubes of a layer's content know: those that are over and have not changed since. Null
 * where they cannot be asked: the layer is not filled, or was for other settings of the region. To be called before anything is read.
 */
export async function knownDays(
  state: State,
  region: CubeRegion,
  layer: { layerId: string; contentHash: string },
  time: Span,
  now: number,
): Promise<KnownDays | null> {
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
    row.basis !== cubeBasis(region) ||
    row.missing.length > 0
  )
    return null
  const ended = await store
    .selectFrom('cube_region')
    .select('ended_until')
    .where('region_id', '=', regionId)
    .executeTakeFirst()
  if (!ended) return null
  const clock = civilClock(timezone)
  const dayOf = (ms: number): number => clock.local(ms).day
  const end = Math.min(floorToHour(now, shift), ended.ended_until.getTime())
  const dirty = await dirtyBetween(
    state,
    scope,
    { product: shapeSums, regionId, parts: ['', layer.layerId] },
    hourSpan(time.from),
    hourSpan(time.until - 1),
  )
  return splitDays({ from: dayOf(time.from), until: dayOf(time.until - 1) + 1 }, dayOf(end), [
    ...new Set(dirty.map((span) => dayOf(hourOfSpan(span)))),
  ])
}
