import type { LocalDay } from '#contract/period.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, columnsWith, facts as factTable, type Sql, sql, versionValue } from '#server/stores/sql.ts'
import { paymentTableColumns } from './payment-rows.ts'

/** The vendor of payments from CDS events. Sessions do not have the operators that reported them. */
const cdsVendor = 'CDS'
/** Payments of CDS events belong to no import. */
const noImport = '00000000-0000-0000-0000-000000000000'
const queryOptions = { limits: { seconds: 300, memory: 2 * 2 ** 30 } }

/**
 * Builds SQL for the rows of `curb_payments` for the sessions of CDS events that a derivation wrote. There is one
 * payment per session with an amount, so that amounts of the start and the end are not added up. Payments of
 * withdrawn sessions are deleted.
 */
const cdsPaymentRows = (
  regionId: string,
  { timezone, first, last, version }: { timezone: string; first: LocalDay; last: LocalDay; version: bigint },
): Sql => {
  const columns: Record<(typeof paymentTableColumns)[number], Sql> = {
    region_id: sql`region_id`,
    day: sql`toDate(local_time)`,
    hour: sql`toUInt8(toHour(local_time))`,
    paid_time: sql`toDateTime(from_time, 'UTC')`,
    row_key: sql`key`,
    vendor: sql`${bind('String', cdsVendor)}`,
    source: sql`'cds'`,
    kind: sql`multiIf(ifNull(amount, 0) = 0, 'zero', amount < 0, 'refund', 'counted') as payment_kind`,
    location_id: sql`''`,
    zone_id: sql`zone_id`,
    amount: sql`ifNull(amount, 0)`,
    payment_type: sql`channel`,
    start_time: sql`if(start_time is null, null, toDateTime(assumeNotNull(start_time), 'UTC'))`,
    end_time: sql`if(end_time is null, null, toDateTime(assumeNotNull(end_time), 'UTC'))`,
    parked_day: sql`toDate(local_time)`,
    parked_hour: sql`toUInt8(toHour(local_time))`,
    purchased_seconds: sql`if(has_both_ends, toUInt32(dateDiff('second', assumeNotNull(start_time), assumeNotNull(end_time))), null)`,
    rate: sql`null`,
    session_id: sql`if(payment_kind = 'counted' and has_both_ends, key, '')`,
    starts_session: sql`toUInt8(payment_kind = 'counted' and has_both_ends)`,
    import_id: sql`${bind('UUID', noImport)}`,
    is_deleted: sql`toUInt8(is_deleted = 1 or amount is null)`,
    version: versionValue(version),
  }
  return sql`
  with
    sessions as (
      select *,
        toTimeZone(from_time, ${bind('String', timezone)}) as local_time,
        concat('cds:', hex(sipHash64(lane, session_id))) as key,
        start_time is not null and end_time is not null and end_time >= start_time as has_both_ends
      from ${factTable('curb_sessions')}
      where region_id = ${bind('String', regionId)}
        and version = ${versionValue(version)}
        and type in ('parking', '')
        and from_time >= toDateTime(${bind('Date', first)}, 'UTC') - interval 9 day
        and from_time <= toDateTime(${bind('Date', last)}, 'UTC') + interval 3 day
        and (amount is not null or is_deleted = 1)
    )
  select ${columnsWith(paymentTableColumns, columns)}
  from sessions`
}

/** Stores the payments of the sessions that a derivation wrote. `days` are the days of these sessions. */
export async function storeCdsPayments(
  facts: Facts,
  scope: Scope,
  region: { regionId: string; timezone: string; version: bigint },
  days: ReadonlySet<LocalDay>,
): Promise<void> {
  const sortedDays = [...days].toSorted()
  const firstDay = sortedDays[0]
  const lastDay = sortedDays.at(-1)
  if (firstDay === undefined || lastDay === undefined) return
  await facts.add(scope, 'curb_payments', {
    columns: paymentTableColumns,
    rows: cdsPaymentRows(region.regionId, { ...region, first: firstDay, last: lastDay }),
    ...queryOptions,
  })
}
