import type { LocalDay } from '#contract/period.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { State } from '#server/stores/state.ts'
import type { DayKind } from './day-facts.ts'
import type { HealthRegion } from './health-region.ts'
import { dayAfter } from './local-hours.ts'
import { moment } from '#server/health/span.ts'
import { bind, facts, type Sql, sql } from '#server/stores/sql.ts'

interface TouchedRow {
  day: string
  /** Newest receipt, ms. */
  received: string
}

/** A delivery that tells of more days than this tells of its last ones only. */
const mostDays = 800

/** Local days of which anything was received since a moment (ms). */
const touchedDays = (regionId: string, timezone: string, since: number): Sql => {
  const zone = bind('String', timezone)
  return sql`
    select toString(day) as day, toString(toUnixTimestamp64Milli(max(received_time))) as received
    from (
      select received_time, toDate(toTimeZone(last_time, ${zone})) - arrayJoin(range(0, least(${bind('UInt32', mostDays)}, toUInt32(greatest(0, dateDiff('day', first_time, last_time, ${zone}))) + 1))) as day
      from ${facts('feed_batches')}
      where region_id = ${bind('String', regionId)} and received_time >= ${moment(since)}
    )
    group by day`
}

/** How many deliveries of a region were received before a moment (ms). */
const batchesBefore = (regionId: string, before: number): Sql => sql`
  select toString(count()) as batches from ${facts('feed_batches')} where region_id = ${bind('String', regionId)} and received_time < ${moment(before)}`

/** What is received is written down, and derived, within this time, ms. */
const settleMs = 10 * 60_000
/** Looked for at most so often, ms. */
const everyMs = 15_000

/** Of which days a record of a day is part, before and after: the event before, the end of a trip, the last word of a vehicle. */
const reach: Readonly<Record<DayKind, { before: number; after: number }>> = {
  records: { before: 1, after: 0 },
  events: { before: 0, after: 2 },
  trips: { before: 1, after: 2 },
  vehicles: { before: 0, after: 15 },
}

/** The newest receipt (ms) that touches each kept day of a kind. */
function touching(touched: readonly TouchedRow[], kind: DayKind): Map<LocalDay, number> {
  const newest = new Map<LocalDay, number>()
  const { before, after } = reach[kind]
  for (const { day, received } of touched)
    for (let step = -before; step <= after; step++) {
      const other = dayAfter(day, step)
      newest.set(other, Math.max(newest.get(other) ?? 0, Number(received)))
    }
  return newest
}

/**
 * Marks kept days as stale of which something was received since the last look. What is read again keeps its old time of receipt: if
 * there are more deliveries of long ago than before, every day is stale.
 */
export async function lookForChanges(
  state: State,
  facts: Facts,
  { regionId, timezone, scope }: HealthRegion,
  at: number,
): Promise<void> {
  const store = state.as(scope)
  const last = await store
    .selectFrom('health_look')
    .select(['looked_time', 'batches'])
    .where('region_id', '=', regionId)
    .executeTakeFirst()
  const looked = last?.looked_time.getTime() ?? null
  if (looked !== null && at - looked < everyMs && at >= looked) return
  const count = async (before: number): Promise<number> =>
    Number((await facts.rows<{ batches: string }>(scope, batchesBefore(regionId, before)))[0]?.batches ?? 0)
  if (last && looked !== null) {
    if ((await count(looked - settleMs)) !== Number(last.batches))
      await store
        .updateTable('health_day')
        .set({ is_stale: true })
        .where('region_id', '=', regionId)
        .execute()
    else {
      const touched = await facts.rows<TouchedRow>(scope, touchedDays(regionId, timezone, looked - settleMs))
      const fresh = await store
        .selectFrom('health_day')
        .select(['kind', 'day', 'made_time'])
        .where('region_id', '=', regionId)
        .where('is_stale', '=', false)
        .execute()
      for (const kind of Object.keys(reach) as DayKind[]) {
        const newest = touching(touched, kind)
        const stale = fresh
          .filter(
            (row) =>
              row.kind === kind && row.made_time.getTime() < (newest.get(row.day) ?? -Infinity) + settleMs,
          )
          .map((row) => row.day)
        if (stale.length)
          await store
            .updateTable('health_day')
            .set({ is_stale: true })
            .where('region_id', '=', regionId)
            .where('kind', '=', kind)
            .where('day', 'in', stale)
            .execute()
      }
    }
  }
  const next = { looked_time: new Date(at), batches: await count(at - settleMs) }
  await store
    .insertInto('health_look')
    .values({ region_id: regionId, ...next })
    .onConflict((there) => there.column('region_id').doUpdateSet(next))
    .execute()
}
