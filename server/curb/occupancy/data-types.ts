import type { OccupancyKind, OccupancySource } from '#contract/curb-occupancy.ts'
import { bind, latest, sql } from '#server/stores/sql.ts'
import { readEstimatePlan } from './calibrations.ts'
import type { OccupancyReader } from './query-occupancy.ts'
import type { OccupancyStores } from './read-days.ts'

/** Reads the kinds of occupancy of a region, with their sources and days. */
export async function readDataTypes(
  { state, facts }: OccupancyStores,
  { scope, index, signal }: OccupancyReader,
) {
  const rows = await facts.rows<{
    kind: OccupancyKind
    sources: OccupancySource[]
    zones: string
    first: string
    last: string
  }>(
    scope,
    sql`
    select
      kind,
      arraySort(groupUniqArray(toString(source))) as sources,
      toString(uniqExact(zone_id)) as zones,
      toString(min(day)) as first,
      toString(max(day)) as last
    from ${latest('curb_occupancy_days')}
    where region_id = ${bind('String', index.regionId)}
      and source != ''
    group by kind
    order by kind`,
    { signal },
  )
  const storedTypes = rows.map(({ kind, sources, zones, first, last }) => ({
    kind,
    sources,
    zones: Number(zones),
    first_day: first as string | null,
    last_day: last as string | null,
  }))
  const { spans } = await readEstimatePlan(state.as(scope), index.regionId, 'estimated')
  const paid = storedTypes.find(({ kind }) => kind === 'paid')
  return {
    items: paid && spans.length ? [...storedTypes, { ...paid, kind: 'estimated' as const }] : storedTypes,
  }
}
