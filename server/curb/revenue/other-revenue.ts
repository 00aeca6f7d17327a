import type { LocalDay } from '#contract/period.ts'
import type { Facts } from '#server/stores/facts.ts'
import { toDateTime } from '#server/stores/date-time.ts'
import { bind, latest, sql } from '#server/stores/sql.ts'
import { getSpanOfDays, type LocalDays, type ScopedRegion } from './session-fees.ts'

/** Payments or citations in a zone and month. */
export interface ZoneMonth {
  month: LocalDay
  /** Empty if they belong to no zone. */
  zoneId: string
  quantity: number
  /** Minor units; null if no amount was reported. */
  amount: bigint | null
}

interface ZoneMonthRow {
  month: LocalDay
  zone_id: string
  quantity: string
  amount_text: string | null
}

const toZoneMonth = ({ month, zone_id: zoneId, quantity, amount_text: amount }: ZoneMonthRow): ZoneMonth => ({
  month,
  zoneId,
  quantity: Number(quantity),
  amount: amount === null ? null : BigInt(amount),
})

/** Reads citations issued, as reported by CDS events, by month and zone. */
export async function readCitations(
  facts: Facts,
  { scope, regionId, timezone }: ScopedRegion,
  days: LocalDays,
): Promise<ZoneMonth[]> {
  const { from, until } = getSpanOfDays(days, timezone)
  const rows = await facts.rows<ZoneMonthRow>(
    scope,
    sql`
    select
      toString(toStartOfMonth(toTimeZone(event_time, ${bind('String', timezone)}))) as month,
      zone_id,
      toString(count()) as quantity,
      if(count(amount) = 0, null, toString(sum(amount))) as amount_text
    from ${latest('curb_events')}
    where region_id = ${bind('String', regionId)}
      and event_type = 'citation_issued'
      and superseded = 0
      and event_time >= ${toDateTime(from)}
      and event_time < ${toDateTime(until)}
    group by month, zone_id`,
  )
  return rows.map(toZoneMonth)
}

/** Condition for payments that count as received. */
const isReceived = sql`kind in ('counted', 'refund')`

/** Reads payments received minus refunds, by month, and by the zone to which the location is linked. */
export async function readMeterRevenue(
  facts: Facts,
  { scope, regionId }: ScopedRegion,
  { start_date: first, end_date: last }: LocalDays,
): Promise<ZoneMonth[]> {
  const rows = await facts.rows<ZoneMonthRow>(
    scope,
    sql`
    select
      toString(toStartOfMonth(day)) as month,
      zone_id,
      toString(sum(payments)) as quantity,
      toString(sum(amount)) as amount_text
    from ${latest('curb_payment_places')}
    where region_id = ${bind('String', regionId)}
      and basis = 'paid'
      and ${isReceived}
      and day between ${bind('Date', first)} and ${bind('Date', last)}
    group by month, zone_id`,
  )
  return rows.map(toZoneMonth)
}

/** Reads payments minus refunds from single payments. Sums of `readMeterRevenue` must add up to it. */
export async function readReceived(
  facts: Facts,
  { scope, regionId }: ScopedRegion,
  { start_date: first, end_date: last }: LocalDays,
): Promise<bigint> {
  const [row] = await facts.rows<{ amount_text: string }>(
    scope,
    sql`
    select toString(sum(amount)) as amount_text
    from ${latest('curb_payments')}
    where region_id = ${bind('String', regionId)}
      and ${isReceived}
      and day between ${bind('Date', first)} and ${bind('Date', last)}`,
  )
  return BigInt(row?.amount_text ?? '0')
}
