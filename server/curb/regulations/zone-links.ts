import { appendTo } from '#contract/group-by.ts'
import type { Store } from '#server/stores/state.ts'

/** Half-open span in ms; `to` is null if it has no end. */
interface Span {
  from: number
  to: number | null
}

/** Returns the parts of the time from `from` on that no span covers. */
export function findGaps(from: number, spans: readonly Span[]): Span[] {
  const gaps: Span[] = []
  let next = from
  for (const span of spans.toSorted((a, b) => a.from - b.from)) {
    if (span.to !== null && span.to <= next) continue
    if (span.from > next) gaps.push({ from: next, to: span.from })
    if (span.to === null) return gaps
    next = span.to
  }
  return [...gaps, { from: next, to: null }]
}

/** Zones in one statement. */
const chunkRows = 2000

interface LinkEnd {
  regionId: string
  policyIds: readonly string[]
  end: Date
  /** The zones with links to end; all zones of the policies if it is missing. */
  zoneIds?: readonly string[]
}

/** Ends links at a time, or at their start if they begin later. Returns the ids of affected zones. */
export async function endLinks(
  store: Store,
  { regionId, policyIds, end, zoneIds }: LinkEnd,
): Promise<string[]> {
  if (!policyIds.length) return []
  const zones = new Set<string>()
  for (let from = 0; from < (zoneIds?.length ?? 1); from += chunkRows) {
    const rows = await store
      .updateTable('curb_zone_policy')
      // Undoing an import must not restore links that a user ended.
      .set((eb) => ({
        end_time: eb.fn<Date>('greatest', ['start_time', eb.val(end)]),
        previous_end: null,
        ended_by: null,
      }))
      .where('region_id', '=', regionId)
      .where('curb_policy_id', 'in', policyIds)
      .where((where) => where.or([where('end_time', 'is', null), where('end_time', '>', end)]))
      .$if(zoneIds !== undefined, (query) =>
        query.where('curb_zone_id', 'in', zoneIds?.slice(from, from + chunkRows) ?? []),
      )
      .returning('curb_zone_id')
      .execute()
    for (const { curb_zone_id: id } of rows) zones.add(id)
  }
  return [...zones]
}

/** Makes a policy apply to zones from a time on, where it does not yet. Returns the changed zone ids. */
export async function beginLinks(
  store: Store,
  {
    regionId,
    policyId,
    zoneIds,
    begin,
  }: { regionId: string; policyId: string; zoneIds: readonly string[]; begin: Date },
): Promise<string[]> {
  const links = await store
    .selectFrom('curb_zone_policy')
    .select(['curb_zone_id', 'start_time', 'end_time'])
    .where('region_id', '=', regionId)
    .where('curb_policy_id', '=', policyId)
    .where((where) => where.or([where('end_time', 'is', null), where('end_time', '>', begin)]))
    .execute()
  const spansByZone = new Map<string, Span[]>()
  for (const { curb_zone_id: id, start_time: start, end_time: end } of links) {
    const span = { from: start.getTime(), to: end?.getTime() ?? null }
    // A link that was ended at its start never applied.
    if (span.to !== span.from) appendTo(spansByZone, id, span)
  }
  const newLinks = zoneIds.flatMap((id) =>
    findGaps(begin.getTime(), spansByZone.get(id) ?? []).map((gap) => ({
      region_id: regionId,
      curb_zone_id: id,
      curb_policy_id: policyId,
      start_time: new Date(gap.from),
      end_time: gap.to === null ? null : new Date(gap.to),
    })),
  )
  for (let from = 0; from < newLinks.length; from += chunkRows)
    await store
      .insertInto('curb_zone_policy')
      .values(newLinks.slice(from, from + chunkRows))
      .onConflict((conflict) =>
        conflict
          .columns(['region_id', 'curb_zone_id', 'curb_policy_id', 'start_time'])
          .doUpdateSet((set) => ({
            end_time: set.ref('excluded.end_time'),
            previous_end: null,
            ended_by: null,
          })),
      )
      .execute()
  return [...new Set(newLinks.map(({ curb_zone_id: id }) => id))]
}

/** Marks zones as updated, because the policies that apply to them changed. */
export async function markZonesUpdated(
  store: Store,
  regionId: string,
  zoneIds: readonly string[],
  at: Date,
): Promise<void> {
  for (let from = 0; from < zoneIds.length; from += chunkRows)
    await store
      .updateTable('curb_zone')
      .set({ updated_time: at })
      .where('region_id', '=', regionId)
      .where('curb_zone_id', 'in', zoneIds.slice(from, from + chunkRows))
      .execute()
}
