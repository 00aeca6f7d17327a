import type { VehicleType } from '#contract/mobility.ts'
import type { Facts } from '#server/stores/facts.ts'
import { encodeLines, escapeField, formatNumberField, formatTimeField } from '#server/stores/row-text.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { LiveSnapshot } from '../live-snapshot.ts'
import { toDateTime } from '#server/stores/date-time.ts'
import { bind, facts as factTable, latest, sql } from '#server/stores/sql.ts'

/** A stored vehicle of a snapshot. NaN and null mean unknown. */
export interface SnapshotRow {
  vehicleId: string
  vehicleType: VehicleType
  lon: number
  lat: number
  /** Percent. */
  battery: number
  /** Meters. */
  range: number
  isAvailable: boolean | null
  isReserved: boolean | null
  isDisabled: boolean | null
  /** Milliseconds since 1970. */
  lastReported: number
}

/** What identifies a snapshot. `at` is its time, ms since 1970. */
interface SnapshotIdentity {
  regionId: string
  operator: string
  feedId: string
  at: number
}

const columns = [
  'region_id',
  'operator',
  'feed_id',
  'snapshot_time',
  'vehicle_id',
  'vehicle_type',
  'lon',
  'lat',
  'battery',
  'range_m',
  'is_available',
  'is_reserved',
  'is_disabled',
  'last_reported',
  'version',
] as const

function flagText(flag: boolean | null): string {
  if (flag === null) return '\\N'
  return flag ? '1' : '0'
}

/**
 * Stores vehicles of a snapshot and returns how many. Idempotent. If a vehicle is stored twice, the row with
 * the higher `version` counts, which is usually the time of receipt (ms).
 */
export async function storeSnapshotRows(
  facts: Facts,
  scope: Scope,
  { regionId, operator, feedId, at }: SnapshotIdentity,
  { rows, version }: { rows: readonly SnapshotRow[]; version: number },
): Promise<number> {
  if (!rows.length) return 0
  const prefix = `${regionId}\t${escapeField(operator)}\t${escapeField(feedId)}\t${formatTimeField(at)}`
  const lines = encodeLines(
    rows,
    (row) =>
      `${prefix}\t${escapeField(row.vehicleId)}\t${row.vehicleType}\t${formatNumberField(row.lon)}\t` +
      `${formatNumberField(row.lat)}\t${formatNumberField(row.battery)}\t${formatNumberField(row.range)}\t` +
      `${flagText(row.isAvailable)}\t${flagText(row.isReserved)}\t${flagText(row.isDisabled)}\t` +
      `${Number.isNaN(row.lastReported) ? '\\N' : formatTimeField(row.lastReported)}\t${version}\n`,
  )
  await facts.insert(scope, 'vehicle_snapshots', { columns, regionId, lines })
  return rows.length
}

/** Stores the vehicles of a live snapshot and returns how many. */
export const storeSnapshot = (
  facts: Facts,
  scope: Scope,
  snapshot: LiveSnapshot,
  version: number,
): Promise<number> =>
  storeSnapshotRows(facts, scope, snapshot, {
    rows: snapshot.vehicles.map((vehicle) => ({
      ...vehicle,
      isAvailable: !vehicle.isReserved && !vehicle.isDisabled,
    })),
    version,
  })

/** Finds the time (ms) of a feed's last stored snapshot less than `toleranceMs` from `at`, or null. */
export async function findSnapshotNear(
  facts: Facts,
  scope: Scope,
  { regionId, operator, feedId, at }: SnapshotIdentity,
  toleranceMs: number,
): Promise<number | null> {
  const [stored] = await facts.rows<{ row_count: string; at: string }>(
    scope,
    sql`
      select count() as row_count, toString(toUnixTimestamp64Milli(max(snapshot_time))) as at
      from ${factTable('vehicle_snapshots')}
      where
        region_id = ${bind('String', regionId)}
        and operator = ${bind('String', operator)}
        and feed_id = ${bind('String', feedId)}
        and snapshot_time > ${toDateTime(at - toleranceMs)}
        and snapshot_time < ${toDateTime(at + toleranceMs)}`,
  )
  return stored && Number(stored.row_count) > 0 ? Number(stored.at) : null
}

/** Removes all snapshots of a feed or file in a region and returns the number of rows. */
export async function removeSnapshots(
  facts: Facts,
  scope: Scope,
  regionId: string,
  feedId: string,
): Promise<number> {
  const isOfFeed = sql`region_id = ${bind('String', regionId)} and feed_id = ${bind('String', feedId)}`
  const [stored] = await facts.rows<{ row_count: string }>(
    scope,
    sql`select count() as row_count from ${latest('vehicle_snapshots')} where ${isOfFeed}`,
  )
  await facts.remove(scope, 'vehicle_snapshots', isOfFeed)
  return Number(stored?.row_count ?? 0)
}
