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

const importCondition = ({ regionId, importId }: Pick<StagedImport, 'regionId' | 'importId'>): Sql =>
  sql`region_id = ${bind('String', regionId)} and import_id = ${bind('UUID', importId)}`

/** Builds SQL for the first and last day of the staged rows. */
export const stagedDaysSql = (staged: StagedImport): Sql => sql`
  select toString(min(day)) as first, toString(max(day)) as last
  from ${facts('curb_payments_staging')}
  where ${importCondition(staged)}
  having count() > 0`

/** Builds a subquery for the first or last day of the staged rows. */
const stagedDaySql = (bound: 'min' | 'max', staged: StagedImport): Sql => sql`(
        select ${bound === 'min' ? sql`min(day)` : sql`max(day)`}
        from ${facts('curb_payments_staging')}
        where ${importCondition(staged)}
      )`

/**
 * Builds SQL for staged rows with their final key. `duplicate_of` is 0 for a new payment, the number of the
 * first equal row of the file, or -1 for a payment that is already stored.
 */
const rowsWithFinalKeySql = (staged: StagedImport): Sql => sql`
  with
    -- staged rows with their number among the rows with the same key
    numbered_rows as (
      select *,
        row_number() over (partition by row_key order by row) as number,
        min(row) over (partition by row_key) as first_row,
        ${bind('UInt8', staged.countsRepeated ? 1 : 0)} = 1 and startsWith(row_key, concat(vendor, '#')) as counts_itself
      from ${facts('curb_payments_staging')}
      where ${importCondition(staged)}
    ),
    -- keys of the vendor's payments from other imports near the days of the file
    stored_keys as (
      select row_key
      from ${latest('curb_payments')}
      where region_id = ${bind('String', staged.regionId)}
        and vendor = ${bind('String', staged.vendor)}
        and import_id != ${bind('UUID', staged.importId)}
        and day >= ${stagedDaySql('min', staged)} - ${bind('UInt8', sameRowDays)}
        and day <= ${stagedDaySql('max', staged)} + ${bind('UInt8', sameRowDays)}
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

/** Builds SQL for the sums of the staged rows by kind, separately for duplicates. */
export const stagedSumsSql = (staged: StagedImport): Sql => sql`
  select
    kind,
    duplicate_of != 0 as is_duplicate,
    toString(count()) as rows,
    toString(sum(amount)) as total
  from (${rowsWithFinalKeySql(staged)})
  group by kind, is_duplicate`

/** Builds SQL for the rows of `curb_payment_rows` about duplicates. */
export const duplicateReportRows = (staged: StagedImport): Sql => sql`
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
  from (${rowsWithFinalKeySql(staged)})
  where duplicate_of != 0`

/** Builds SQL for the rows of `curb_payment_rows` about payments that another vendor reports too. */
export const otherVendorReportRows = (staged: StagedImport): Sql => sql`
  with
    new_payments as (
      select *
      from (${rowsWithFinalKeySql(staged)})
      where duplicate_of = 0 and kind = 'counted' and location_id != ''
    ),
    stored_payments as (
      select location_id, amount, paid_time, vendor
      from ${latest('curb_payments')}
      where region_id = ${bind('String', staged.regionId)}
        and vendor != ${bind('String', staged.vendor)}
        and kind = 'counted'
        and location_id != ''
        and day >= ${stagedDaySql('min', staged)} - 1
        and day <= ${stagedDaySql('max', staged)} + 1
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

/** Builds SQL for the rows of `curb_payment_rows` about locations without a curb zone, one per location. */
export const unlinkedReportRows = (staged: StagedImport, unlinked: readonly string[]): Sql => sql`
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
  where ${importCondition(staged)} and location_id in ${bind('Array(String)', unlinked)}
  group by location_id`

/** Builds SQL that counts the staged payments at locations without a curb zone. */
export const countUnlinkedSql = (staged: StagedImport, unlinked: readonly string[]): Sql => sql`
  select toString(count()) as rows
  from ${facts('curb_payments_staging')}
  where ${importCondition(staged)} and location_id in ${bind('Array(String)', unlinked)}`

/** Builds SQL that counts the staged rows with a finding. */
export const countReportedSql = (staged: StagedImport, code: string): Sql => sql`
  select toString(uniqExact(row)) as rows
  from ${facts('curb_payment_rows')}
  where ${importCondition(staged)} and code = ${bind('String', code)}`

/** Builds SQL for the zone to which the location of a row is linked. */
const zoneColumn = (links: ReadonlyMap<string, string>): Sql => {
  if (!links.size) return sql`''`
  const locationIds = bind('Array(String)', [...links.keys()])
  const zoneIds = bind('Array(String)', [...links.values()])
  return sql`transform(toString(location_id), ${locationIds}, ${zoneIds}, '')`
}

/** Builds SQL for the payments of an import as rows of `curb_payments`. */
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
  from (${rowsWithFinalKeySql(staged)})
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

/** Builds SQL for the payments of an import as rows of `curb_payment_lanes`, which are stitched to sessions. */
export const publishedLaneRows = (staged: StagedImport, receivedSeconds: number, version: bigint): Sql => sql`
  select ${columnsWith(laneColumns, {
    row_key: sql`final_key`,
    received_time: sql`toDateTime(${bind('UInt32', receivedSeconds)}, 'UTC')`,
    session_id: sql`if(session_id = '', '', final_key)`,
    net_seconds: sql`purchased_seconds`,
    is_deleted: sql`toUInt8(0)`,
    version: versionValue(version),
  })}
  from (${rowsWithFinalKeySql(staged)})
  where duplicate_of = 0 and lane != '' and kind in ('counted', 'refund')`

/** Builds SQL for the deletion rows for the payments of an import. */
export const paymentDeletionRows = (regionId: string, importId: string, version: bigint): Sql => sql`
  select ${deletionColumns(paymentTableColumns, version)}
  from ${latest('curb_payments')}
  where ${importCondition({ regionId, importId })}`
/** Builds SQL for the deletion rows for the lanes of an import. */
export const laneDeletionRows = (regionId: string, importId: string, version: bigint): Sql => sql`
  select ${deletionColumns(laneColumns, version)}
  from ${latest('curb_payment_lanes')}
  where ${importCondition({ regionId, importId })}`

/** Builds SQL for number, sum and times of the stored payments of an import. */
export const storedSumsSql = (regionId: string, importId: string): Sql => sql`
  select
    toString(count()) as rows,
    toString(sum(amount)) as total,
    toString(toUnixTimestamp(min(paid_time))) as first,
    toString(toUnixTimestamp(max(paid_time))) as last
  from ${latest('curb_payments')}
  where ${importCondition({ regionId, importId })}`
/** Builds SQL for the local days on which the payments of an import count, including deleted ones. */
export const storedDaysSql = (regionId: string, importId: string): Sql => sql`
  select distinct toString(arrayJoin([day, parked_day])) as day
  from ${facts('curb_payments')}
  where ${importCondition({ regionId, importId })}`

/** Builds SQL for the payments of locations with their new zones, as rows of `curb_payments`. */
export const relinkedRows = (
  regionId: string,
  links: ReadonlyMap<string, string>,
  version: bigint,
): Sql => sql`
  select ${columnsWith(paymentTableColumns, { zone_id: zoneColumn(links), version: versionValue(version) })}
  from ${latest('curb_payments')}
  where region_id = ${bind('String', regionId)}
    and location_id in ${bind('Array(String)', [...links.keys()])}`

/** Builds the `from` and `where` clauses for the report rows of an import. */
export const reportRows = (
  regionId: string,
  importId: string,
  { code, effect }: { code?: string | undefined; effect?: string | undefined },
): Sql => sql`
  ${facts('curb_payment_rows')}
  where ${importCondition({ regionId, importId })}
    ${code === undefined ? sql`` : sql`and code = ${bind('String', code)}`}
    ${effect === undefined ? sql`` : sql`and effect = ${bind('String', effect)}`}`
