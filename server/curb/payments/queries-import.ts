import type { LocalDay } from '#contract/period.ts'
import { bind, facts, identifier, joinSql, latest, type Sql, sql } from '#server/stores/sql.ts'
import { paymentTableColumns } from './payment-rows.ts'

/** Duplicates of the same vendor are searched within this many days of the payments of a file. */
const sameRowDays = 14
/** Payments of the same amount that two vendors report at a location within this time are noted. */
const sameMomentSeconds = 60

/** An import with rows in the staging table. */
export interface StagedImport {
  regionId: string
  importId: string
  vendor: string
  /** Whether rows without an id that equal an earlier row are further payments, rather than duplicates. */
  countsRepeated: boolean
}

const rowsOfImport = ({ regionId, importId }: Pick<StagedImport, 'regionId' | 'importId'>): Sql =>
  sql`region_id = ${bind('String', regionId)} and import_id = ${bind('UUID', importId)}`

/** The first and last day of the staged rows. */
export const stagedDays = (staged: StagedImport): Sql => sql`
  select toString(min(day)) as first, toString(max(day)) as last
  from ${facts('curb_payments_staging')}
  where ${rowsOfImport(staged)}
  having count() > 0`

/**
 * Staged rows with their final key. `duplicate_of` is 0 for a new payment, the number of the first equal row
 * of the file, or -1 for a payment that is already stored.
 */
const rowsWithFinalKey = (staged: StagedImport): Sql => sql`
  select *, if(is_stored, -1, if(is_repeated, toInt64(first_row), 0)) as duplicate_of
  from (
    select *, if(counts_itself and number > 1, concat(row_key, '#', toString(number)), row_key) as final_key,
      number > 1 and not counts_itself as is_repeated,
      final_key in (
        select row_key from ${latest('curb_payments')}
        where region_id = ${bind('String', staged.regionId)} and vendor = ${bind('String', staged.vendor)} and import_id != ${bind('UUID', staged.importId)}
          and day >= (select min(day) from ${facts('curb_payments_staging')} where ${rowsOfImport(staged)}) - ${bind('UInt8', sameRowDays)}
          and day <= (select max(day) from ${facts('curb_payments_staging')} where ${rowsOfImport(staged)}) + ${bind('UInt8', sameRowDays)}
      ) as is_stored
    from (
      select *, row_number() over (partition by row_key order by row) as number, min(row) over (partition by row_key) as first_row,
        ${bind('UInt8', staged.countsRepeated ? 1 : 0)} = 1 and startsWith(row_key, concat(vendor, '#')) as counts_itself
      from ${facts('curb_payments_staging')}
      where ${rowsOfImport(staged)}
    )
  )`

/** Sums of the staged rows by kind, separately for duplicates. */
export const stagedSums = (staged: StagedImport): Sql => sql`
  select kind, duplicate_of != 0 as is_duplicate, toString(count()) as rows, toString(sum(amount)) as total
  from (${rowsWithFinalKey(staged)})
  group by kind, is_duplicate`

/** Rows of `curb_payment_rows` about duplicates. */
export const duplicateReports = (staged: StagedImport): Sql => sql`
  select region_id, import_id, row, 'duplicate', 'set_aside',
    if(duplicate_of < 0, 'The payment was imported before.', concat('Row ', toString(duplicate_of), ' has the same id or content.')), amount, ''
  from (${rowsWithFinalKey(staged)})
  where duplicate_of != 0`

/** Rows of `curb_payment_rows` about payments that another vendor reports too. */
export const otherVendorReports = (staged: StagedImport): Sql => sql`
  select any(own.region_id), any(own.import_id), own.row, 'other_vendor', 'note',
    concat('Another vendor, ', any(other.vendor), ', reports a payment of the same amount at the same place and time.'), any(own.amount), ''
  from (select * from (${rowsWithFinalKey(staged)}) where duplicate_of = 0 and kind = 'counted' and location_id != '') as own
  inner join (
    select location_id, amount, paid_time, vendor from ${latest('curb_payments')}
    where region_id = ${bind('String', staged.regionId)} and vendor != ${bind('String', staged.vendor)} and kind = 'counted' and location_id != ''
      and day >= (select min(day) from ${facts('curb_payments_staging')} where ${rowsOfImport(staged)}) - 1
      and day <= (select max(day) from ${facts('curb_payments_staging')} where ${rowsOfImport(staged)}) + 1
  ) as other on own.location_id = other.location_id and own.amount = other.amount
  where abs(toInt64(toUnixTimestamp(own.paid_time)) - toInt64(toUnixTimestamp(other.paid_time))) <= ${bind('UInt8', sameMomentSeconds)}
  group by own.row`

/** Rows of `curb_payment_rows` about locations without a curb zone, one per location. */
export const unlinkedReports = (staged: StagedImport, unlinked: readonly string[]): Sql => sql`
  select any(region_id), any(import_id), min(row) as first_row, 'unknown_location', 'note',
    concat('No curb zone is known for the location ', location_id, ', which has ', toString(count()), ' payments.'), null, ''
  from ${facts('curb_payments_staging')}
  where ${rowsOfImport(staged)} and location_id in ${bind('Array(String)', unlinked)}
  group by location_id`

export const unlinkedRows = (staged: StagedImport, unlinked: readonly string[]): Sql => sql`
  select toString(count()) as rows
  from ${facts('curb_payments_staging')}
  where ${rowsOfImport(staged)} and location_id in ${bind('Array(String)', unlinked)}`

export const reportCounts = (staged: StagedImport, code: string): Sql => sql`
  select toString(uniqExact(row)) as rows
  from ${facts('curb_payment_rows')}
  where ${rowsOfImport(staged)} and code = ${bind('String', code)}`

/** The zone of a payment by its location. */
const zoneColumn = (links: ReadonlyMap<string, string>): Sql =>
  links.size
    ? sql`transform(toString(location_id), ${bind('Array(String)', [...links.keys()])}, ${bind('Array(String)', [...links.values()])}, '')`
    : sql`''`

/** The columns of `curb_payments` with some replaced by expressions. */
const columnsWith = (changes: Readonly<Record<string, Sql>>): Sql =>
  joinSql(
    paymentTableColumns.map((name) => changes[name] ?? identifier(name)),
    ', ',
  )

/** The payments of an import as rows of `curb_payments`. */
export const publishedRows = (
  staged: StagedImport,
  links: ReadonlyMap<string, string>,
  version: bigint,
): Sql => sql`
  select ${columnsWith({
    row_key: sql`final_key`,
    zone_id: zoneColumn(links),
    session_id: sql`if(session_id = '', '', final_key)`,
    is_deleted: sql`toUInt8(0)`,
    version: sql`${bind('UInt64', String(version))}`,
  })}
  from (${rowsWithFinalKey(staged)})
  where duplicate_of = 0`

export const laneColumns = [
  'region_id',
  'lane',
  'paid_time',
  'row_key',
  'kind',
  'start_time',
  'end_time',
  'purchased_seconds',
  'hint',
  'is_cumulative',
  'day',
  'import_id',
  'received_time',
  'session_id',
  'starts_session',
  'net_seconds',
  'is_deleted',
  'version',
] as const

/** The payments of an import as rows of `curb_payment_lanes`, from which sessions are stitched. */
export const publishedLanes = (staged: StagedImport, receivedSeconds: number, version: bigint): Sql => sql`
  select region_id, lane, paid_time, final_key, kind, start_time, end_time, purchased_seconds, hint, is_cumulative, day, import_id,
    toDateTime(${bind('UInt32', receivedSeconds)}, 'UTC'), if(session_id = '', '', final_key), starts_session, purchased_seconds, toUInt8(0), ${bind('UInt64', String(version))}
  from (${rowsWithFinalKey(staged)})
  where duplicate_of = 0 and lane != '' and kind in ('counted', 'refund')`

/** Deletion rows for the payments of an import. */
export const deletedPayments = (regionId: string, importId: string, version: bigint): Sql => sql`
  select ${columnsWith({ is_deleted: sql`toUInt8(1)`, version: sql`${bind('UInt64', String(version))}` })}
  from ${latest('curb_payments')}
  where ${rowsOfImport({ regionId, importId })}`
export const deletedLanes = (regionId: string, importId: string, version: bigint): Sql => sql`
  select ${joinSql(
    laneColumns.map((name) =>
      name === 'is_deleted'
        ? sql`toUInt8(1)`
        : name === 'version'
          ? sql`${bind('UInt64', String(version))}`
          : identifier(name),
    ),
    ', ',
  )}
  from ${latest('curb_payment_lanes')}
  where ${rowsOfImport({ regionId, importId })}`

/** Number, sum and times of the stored payments of an import. */
export const storedSums = (regionId: string, importId: string): Sql => sql`
  select toString(count()) as rows, toString(sum(amount)) as total, toString(toUnixTimestamp(min(paid_time))) as first, toString(toUnixTimestamp(max(paid_time))) as last
  from ${latest('curb_payments')}
  where ${rowsOfImport({ regionId, importId })}`
/** The local days on which the stored payments of an import count, including deleted ones. */
export const storedDays = (regionId: string, importId: string): Sql => sql`
  select distinct toString(arrayJoin([day, parked_day])) as day
  from ${facts('curb_payments')}
  where ${rowsOfImport({ regionId, importId })}`

/** The payments of locations with their new zones, as rows of `curb_payments`. */
export const relinkedRows = (
  regionId: string,
  links: ReadonlyMap<string, string>,
  days: { first: LocalDay; last: LocalDay } | null,
  version: bigint,
): Sql => sql`
  select ${columnsWith({ zone_id: zoneColumn(links), version: sql`${bind('UInt64', String(version))}` })}
  from ${latest('curb_payments')}
  where region_id = ${bind('String', regionId)} and location_id in ${bind('Array(String)', [...links.keys()])}
    ${days ? sql`and day between ${bind('Date', days.first)} and ${bind('Date', days.last)}` : sql``}`

/** Rows of the report of an import, in the order of the file. */
export const reportRows = (
  regionId: string,
  importId: string,
  { code, effect }: { code?: string | undefined; effect?: string | undefined },
): Sql => sql`
  ${facts('curb_payment_rows')}
  where ${rowsOfImport({ regionId, importId })}
    ${code === undefined ? sql`` : sql`and code = ${bind('String', code)}`}
    ${effect === undefined ? sql`` : sql`and effect = ${bind('String', effect)}`}`
