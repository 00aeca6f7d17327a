import {
  bind,
  columnsWith,
  deletionColumns,
  facts,
  latest,
  type Sql,
  sql,
  versionValue,
} from '#server/stores/sql.ts'
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

/** Returns the first and last day of the staged rows. */
export const stagedDays = (staged: StagedImport): Sql => sql`
  select toString(min(day)) as first, toString(max(day)) as last
  from ${facts('curb_payments_staging')}
  where ${rowsOfImport(staged)}
  having count() > 0`

/** Returns the first or last day of the staged rows as a subquery. */
const stagedDay = (bound: 'min' | 'max', staged: StagedImport): Sql => sql`(
        select ${bound === 'min' ? sql`min(day)` : sql`max(day)`}
        from ${facts('curb_payments_staging')}
        where ${rowsOfImport(staged)}
      )`

/**
 * Returns staged rows with their final key. `duplicate_of` is 0 for a new payment, the number of the first
 * equal row of the file, or -1 for a payment that is already stored.
 */
const rowsWithFinalKey = (staged: StagedImport): Sql => sql`
  with
    -- staged rows with their number among the rows with the same key
    numbered_rows as (
      select *,
        row_number() over (partition by row_key order by row) as number,
        min(row) over (partition by row_key) as first_row,
        ${bind('UInt8', staged.countsRepeated ? 1 : 0)} = 1 and startsWith(row_key, concat(vendor, '#')) as counts_itself
      from ${facts('curb_payments_staging')}
      where ${rowsOfImport(staged)}
    ),
    -- keys of the vendor's payments from other imports near the days of the file
    stored_keys as (
      select row_key
      from ${latest('curb_payments')}
      where region_id = ${bind('String', staged.regionId)}
        and vendor = ${bind('String', staged.vendor)}
        and import_id != ${bind('UUID', staged.importId)}
        and day >= ${stagedDay('min', staged)} - ${bind('UInt8', sameRowDays)}
        and day <= ${stagedDay('max', staged)} + ${bind('UInt8', sameRowDays)}
    ),
    keyed_rows as (
      select *,
        if(counts_itself and number > 1, concat(row_key, '#', toString(number)), row_key) as final_key,
        number > 1 and not counts_itself as is_repeated,
        final_key in (select row_key from stored_keys) as is_stored
      from numbered_rows
    )
  select *,
    if(is_stored, -1, if(is_repeated, toInt64(first_row), 0)) as duplicate_of
  from keyed_rows`

/** Returns the sums of the staged rows by kind, separately for duplicates. */
export const stagedSums = (staged: StagedImport): Sql => sql`
  select
    kind,
    duplicate_of != 0 as is_duplicate,
    toString(count()) as rows,
    toString(sum(amount)) as total
  from (${rowsWithFinalKey(staged)})
  group by kind, is_duplicate`

/** Returns the rows of `curb_payment_rows` about duplicates. */
export const duplicateReports = (staged: StagedImport): Sql => sql`
  select
    region_id,
    import_id,
    row,
    'duplicate' as code,
    'set_aside' as effect,
    if(
      duplicate_of < 0,
      'The payment was imported before.',
      concat('Row ', toString(duplicate_of), ' has the same id or content.')
    ) as message,
    amount,
    '' as source
  from (${rowsWithFinalKey(staged)})
  where duplicate_of != 0`

/** Returns the rows of `curb_payment_rows` about payments that another vendor reports too. */
export const otherVendorReports = (staged: StagedImport): Sql => sql`
  with
    new_payments as (
      select *
      from (${rowsWithFinalKey(staged)})
      where duplicate_of = 0 and kind = 'counted' and location_id != ''
    ),
    stored_payments as (
      select location_id, amount, paid_time, vendor
      from ${latest('curb_payments')}
      where region_id = ${bind('String', staged.regionId)}
        and vendor != ${bind('String', staged.vendor)}
        and kind = 'counted'
        and location_id != ''
        and day >= ${stagedDay('min', staged)} - 1
        and day <= ${stagedDay('max', staged)} + 1
    )
  select
    any(new.region_id),
    any(new.import_id),
    new.row,
    'other_vendor' as code,
    'note' as effect,
    concat(
      'Another vendor, ', any(stored.vendor), ', reports a payment of the same amount at the same place and time.'
    ) as message,
    any(new.amount),
    '' as source
  from new_payments as new
  inner join stored_payments as stored on new.location_id = stored.location_id and new.amount = stored.amount
  where abs(toInt64(toUnixTimestamp(new.paid_time)) - toInt64(toUnixTimestamp(stored.paid_time)))
    <= ${bind('UInt8', sameMomentSeconds)}
  group by new.row`

/** Returns the rows of `curb_payment_rows` about locations without a curb zone, one per location. */
export const unlinkedReports = (staged: StagedImport, unlinked: readonly string[]): Sql => sql`
  select
    any(region_id),
    any(import_id),
    min(row) as first_row,
    'unknown_location' as code,
    'note' as effect,
    concat(
      'No curb zone is known for the location ', location_id, ', which has ', toString(count()), ' payments.'
    ) as message,
    null as amount,
    '' as source
  from ${facts('curb_payments_staging')}
  where ${rowsOfImport(staged)} and location_id in ${bind('Array(String)', unlinked)}
  group by location_id`

/** Returns the number of staged payments at some locations. */
export const unlinkedRows = (staged: StagedImport, unlinked: readonly string[]): Sql => sql`
  select toString(count()) as rows
  from ${facts('curb_payments_staging')}
  where ${rowsOfImport(staged)} and location_id in ${bind('Array(String)', unlinked)}`

/** Returns the number of staged rows with a finding. */
export const reportCounts = (staged: StagedImport, code: string): Sql => sql`
  select toString(uniqExact(row)) as rows
  from ${facts('curb_payment_rows')}
  where ${rowsOfImport(staged)} and code = ${bind('String', code)}`

const zoneColumn = (links: ReadonlyMap<string, string>): Sql => {
  if (!links.size) return sql`''`
  const locationIds = bind('Array(String)', [...links.keys()])
  const zoneIds = bind('Array(String)', [...links.values()])
  return sql`transform(toString(location_id), ${locationIds}, ${zoneIds}, '')`
}

/** Returns the payments of an import as rows of `curb_payments`. */
export const publishedRows = (
  staged: StagedImport,
  links: ReadonlyMap<string, string>,
  version: bigint,
): Sql => sql`
  select ${columnsWith(paymentTableColumns, {
    row_key: sql`final_key`,
    zone_id: zoneColumn(links),
    session_id: sql`if(session_id = '', '', final_key)`,
    is_deleted: sql`toUInt8(0)`,
    version: versionValue(version),
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

/** Returns the payments of an import as rows of `curb_payment_lanes`, from which sessions are stitched. */
export const publishedLanes = (staged: StagedImport, receivedSeconds: number, version: bigint): Sql => sql`
  select ${columnsWith(laneColumns, {
    row_key: sql`final_key`,
    received_time: sql`toDateTime(${bind('UInt32', receivedSeconds)}, 'UTC')`,
    session_id: sql`if(session_id = '', '', final_key)`,
    net_seconds: sql`purchased_seconds`,
    is_deleted: sql`toUInt8(0)`,
    version: versionValue(version),
  })}
  from (${rowsWithFinalKey(staged)})
  where duplicate_of = 0 and lane != '' and kind in ('counted', 'refund')`

/** Returns the deletion rows for the payments of an import. */
export const deletedPayments = (regionId: string, importId: string, version: bigint): Sql => sql`
  select ${deletionColumns(paymentTableColumns, version)}
  from ${latest('curb_payments')}
  where ${rowsOfImport({ regionId, importId })}`
/** Returns the deletion rows for the lanes of an import. */
export const deletedLanes = (regionId: string, importId: string, version: bigint): Sql => sql`
  select ${deletionColumns(laneColumns, version)}
  from ${latest('curb_payment_lanes')}
  where ${rowsOfImport({ regionId, importId })}`

/** Returns number, sum and times of the stored payments of an import. */
export const storedSums = (regionId: string, importId: string): Sql => sql`
  select
    toString(count()) as rows,
    toString(sum(amount)) as total,
    toString(toUnixTimestamp(min(paid_time))) as first,
    toString(toUnixTimestamp(max(paid_time))) as last
  from ${latest('curb_payments')}
  where ${rowsOfImport({ regionId, importId })}`
/** Returns the local days on which the stored payments of an import count, including deleted ones. */
export const storedDays = (regionId: string, importId: string): Sql => sql`
  select distinct toString(arrayJoin([day, parked_day])) as day
  from ${facts('curb_payments')}
  where ${rowsOfImport({ regionId, importId })}`

/** Returns the payments of locations with their new zones, as rows of `curb_payments`. */
export const relinkedRows = (
  regionId: string,
  links: ReadonlyMap<string, string>,
  version: bigint,
): Sql => sql`
  select ${columnsWith(paymentTableColumns, { zone_id: zoneColumn(links), version: versionValue(version) })}
  from ${latest('curb_payments')}
  where region_id = ${bind('String', regionId)}
    and location_id in ${bind('Array(String)', [...links.keys()])}`

/** Returns the table and condition of the rows of the report of an import. */
export const reportRows = (
  regionId: string,
  importId: string,
  { code, effect }: { code?: string | undefined; effect?: string | undefined },
): Sql => sql`
  ${facts('curb_payment_rows')}
  where ${rowsOfImport({ regionId, importId })}
    ${code === undefined ? sql`` : sql`and code = ${bind('String', code)}`}
    ${effect === undefined ? sql`` : sql`and effect = ${bind('String', effect)}`}`
