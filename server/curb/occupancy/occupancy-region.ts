import type { LocalDay } from '#contract/period.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, latest, sql } from '#server/stores/sql.ts'
import type { Store } from '#server/stores/state.ts'

/** What the stored occupancy of a region was derived from. */
export interface OccupancyRegion {
  /** The version, time zone and rules, as JSON. */
  basis: string
  /** The first day with a payment, by zone. */
  first_paid: Record<string, LocalDay>
}

const queryOptions = { limits: { seconds: 600, memory: 4 * 2 ** 30 } }

/** Reads the sources of the stored occupancy of a region; undefined if none is stored. */
export async function readOccupancyRegion(
  store: Store,
  regionId: string,
): Promise<OccupancyRegion | undefined> {
  const row = await store
    .selectFrom('curb_occupancy_region')
    .select(['basis', 'first_paid'])
    .where('region_id', '=', regionId)
    .executeTakeFirst()
  return row as OccupancyRegion | undefined
}

export async function writeOccupancyRegion(
  store: Store,
  regionId: string,
  region: OccupancyRegion,
): Promise<void> {
  const row = { basis: region.basis, first_paid: JSON.stringify(region.first_paid) }
  await store
    .insertInto('curb_occupancy_region')
    .values({ region_id: regionId, ...row })
    .onConflict((conflict) => conflict.column('region_id').doUpdateSet(row))
    .execute()
}

/** Reads the days from `firstDay` on with stored occupancy. */
export async function readOccupancyDays(
  facts: Facts,
  scope: Scope,
  regionId: string,
  firstDay: LocalDay,
): Promise<LocalDay[]> {
  const rows = await facts.rows<{ name: LocalDay }>(
    scope,
    sql`
    select distinct toString(day) as name
    from ${latest('curb_occupancy_days')}
    where region_id = ${bind('String', regionId)}
      and day >= ${bind('Date', firstDay)}`,
    queryOptions,
  )
  return rows.map(({ name }) => name)
}

/** Reads days with derived sessions: those for which a region without occupancy needs it. */
export async function readSessionDays(facts: Facts, scope: Scope, regionId: string): Promise<LocalDay[]> {
  const rows = await facts.rows<{ name: LocalDay }>(
    scope,
    sql`
    select distinct toString(day) as name
    from ${latest('curb_day_hours')}
    where region_id = ${bind('String', regionId)}`,
    queryOptions,
  )
  return rows.map(({ name }) => name)
}
