import type { LocalDay } from '#contract/period.ts'
import type { Facts } from '#server/stores/facts.ts'
import { instant } from '#server/stores/instant.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, latest, sql } from '#server/stores/sql.ts'
import { spanOfDays } from './session-fees.ts'

/** Payments or citations of a zone and month. */
export interface ZoneMonth {
  month: LocalDay
  /** Empty: of no zone. */
  zoneId: string
  quantity: number
  /** Minor units; null: no amount was reported. */
  amount: bigint | null
}

interface Place {
  scope: Scope
  regionId: string
  timezone: string
}
interface Days {
  start_date: LocalDay
  end_date: LocalDay
}
interface Row {
  month: LocalDay
  zone_id: string
  n: string
  amount_text: string | null
}

const monthOf = ({ month, zone_id: zoneId, n, amount_text: amount }: Row): ZoneMonth => ({
  month,
  zoneId,
  quantity: Number(n),
  amount: amount === null ? null : BigInt(amount),
})

/** Citations that were issued, as CDS events report them. */
export async function readCitations(
  facts: Facts,
  { scope, regionId, timezone }: Place,
  days: Days,
): Promise<ZoneMonth[]> {
  const { from, until } = spanOfDays(days, timezone)
  const rows = await facts.rows<Row>(
    scope,
    sql`
    select toString(toStartOfMonth(toTimeZone(event_time, ${bind('String', timezone)}))) as month, zone_id, toString(count()) as n, if(count(amount) = 0, null, toString(sum(amount))) as amount_text
    from ${latest('curb_events')}
    where region_id = ${bind('String', regionId)} and event_type = 'citation_issued' and superseded = 0 and event_time >= ${instant(from)} and event_time < ${instant(until)}
    group by month, zone_id`,
  )
  return rows.map(monthOf)
}

const received = sql`kind in ('counted', 'refund')`

/** Payments that were received, after refunds, by the zone that their location is linked to, on the day of the payment. */
export async function readMeterRevenue(
  facts: Facts,
  { scope, regionId }: Place,
  { start_date: first, end_date: last }: Days,
): Promise<ZoneMonth[]> {
  const rows = await facts.rows<Row>(
    scope,
    sql`
    select toString(toStartOfMonth(day)) as month, zone_id, toString(sum(payments)) as n, toString(sum(amount)) as amount_text
    from ${latest('curb_payment_places')}
    where region_id = ${bind('String', regionId)} and basis = 'paid' and ${received} and day between ${bind('Date', first)} and ${bind('Date', last)}
    group by month, zone_id`,
  )
  return rows.map(monthOf)
}

/** The same of all payments, one by one: what the sums by zone must add up to. */
export async function readReceived(
  facts: Facts,
  { scope, regionId }: Place,
  { start_date: first, end_date: last }: Days,
): Promise<bigint> {
  const [row] = await facts.rows<{ amount_text: string }>(
    scope,
    sql`select toString(sum(amount)) as amount_text from ${latest('curb_payments')} where region_id = ${bind('String', regionId)} and ${received} and day between ${bind('Date', first)} and ${bind('Date', last)}`,
  )
  return BigInt(row?.amount_text ?? '0')
}
