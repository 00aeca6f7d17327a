import type { VehicleType } from '#contract/mobility.ts'
import type { Facts } from '#server/stores/facts.ts'
import { encodeLines, escapeField, numberText, timeText } from '#server/stores/row-text.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { LiveSnapshot } from '../live-snapshot.ts'
import { instant } from '#server/stores/instant.ts'
import { bind, facts, latest, sql } from '#server/stores/sql.ts'

/** One vehicle of a snapshot as it is stored. NaN and null: not known. */
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
  /** Ms since 1970. */
  lastReported: number
}

/** Which snapshot: its operator, its source and its time (ms). */
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

const flagText = (flag: boolean | null): string => (flag === null ? '\\N' : flag ? '1' : '0')

/** Stores rows of a snapshot; `version`: of two rows of one vehicle the higher counts, as a rule when they were received, ms. Stored again, nothing changes. */
export async function storeSnapshotRows(
  store: Facts,
  scope: Scope,
  { regionId, operator, feedId, at }: SnapshotIdentity,
  rows: readonly SnapshotRow[],
  version: number,
): Promise<number> {
  if (!rows.length) return 0
  const begin = `${regionId}\t${escapeField(operator)}\t${escapeField(feedId)}\t${timeText(at)}`
  const lines = encodeLines(
    rows,
    (row) =>
      `${begin}\t${escapeField(row.vehicleId)}\t${row.vehicleType}\t${numberText(row.lon)}\t${numberText(row.lat)}\t${numberText(row.battery)}\t${numberText(row.range)}\t${flagText(row.isAvailable)}\t${flagText(row.isReserved)}\t${flagText(row.isDisabled)}\t${Number.isNaN(row.lastReported) ? '\\N' : timeText(row.lastReported)}\t${version}\n`,
  )
  await store.insert(scope, 'vehicle_snapshots', columns, regionId, lines)
  return rows.length
}

/** Stores the vehicles of a live snapshot. Answers how many. */
export const storeSnapshot = (
  store: Facts,
  scope: Scope,
  snapshot: LiveSnapshot,
  version: number,
): Promise<number> =>
  storeSnapshotRows(
    store,
    scope,
    snapshot,
    snapshot.vehicles.map((vehicle) => ({
      ...vehicle,
      isAvailable: !vehicle.isReserved && !vehicle.isDisabled,
    })),
    version,
  )

/** The time (ms) of the last stored snapshot of a feed within some ms of a moment; null if there is none. */
export async function findSnapshotNear(
  store: Facts,
  scope: Scope,
  { regionId, operator, feedId, at }: SnapshotIdentity,
  within: number,
): Promise<number | null> {
  const [found] = await store.rows<{ n: string; at: string }>(
    scope,
    sql`select count() as n, toString(toUnixTimestamp64Milli(max(snapshot_time))) as at from ${facts('vehicle_snapshots')}
      where region_id = ${bind('String', regionId)} and operator = ${bind('String', operator)} and feed_id = ${bind('String', feedId)}
        and snapshot_time > ${instant(at - within)} and snapshot_time < ${instant(at + within)}`,
  )
  return found && Number(found.n) > 0 ? Number(found.at) : null
}

/** Removes all snapshots of one feed or file of a region; answers how many rows they had. */
export async function removeSnapshots(
  store: Facts,
  scope: Scope,
  regionId: string,
  feedId: string,
): Promise<number> {
  const those = sql`region_id = ${bind('String', regionId)} and feed_id = ${bind('String', feedId)}`
  const [found] = await store.rows<{ n: string }>(
    scope,
    sql`select count() as n from ${latest('vehicle_snapshots')} where ${those}`,
  )
  await store.remove(scope, 'vehicle_snapshots', those)
  return Number(found?.n ?? 0)
}
