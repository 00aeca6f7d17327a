import { VehicleType } from '#contract/mobility.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, latest, sql } from '#server/stores/sql.ts'
import type { LiveSnapshot, SnapshotVehicle } from '../live-snapshot.ts'

interface SnapshotVehicleRow {
  operator: string
  feed: string
  at: string
  vehicle_id: string
  vehicle_type: string
  lon: number
  lat: number
  battery: string
  range: string
  available: number | null
  reserved: number | null
  disabled: number | null
  reported: string | null
}

/** Limits the result; no city has that many vehicles. */
const maxVehicles = 500_000

const toVehicle = (row: SnapshotVehicleRow): SnapshotVehicle => ({
  vehicleId: row.vehicle_id,
  vehicleType: VehicleType.safeParse(row.vehicle_type).data ?? 'other',
  lon: row.lon,
  lat: row.lat,
  battery: row.battery === 'nan' ? Number.NaN : Number(row.battery),
  range: row.range === 'nan' ? Number.NaN : Number(row.range),
  isReserved: row.reserved === 1,
  // A vehicle that is unavailable for an unknown reason is of no use to riders, like a disabled one.
  isDisabled: row.disabled === null ? row.available === 0 && row.reserved !== 1 : row.disabled === 1,
  lastReported: row.reported === null ? Number.NaN : Number(row.reported),
})

/**
 * Finds the newest snapshot of each feed of a region, and of each operator that has snapshot files, for the
 * live map at start. Stations are missing because they are not stored.
 */
export async function findLastSnapshots(
  facts: Facts,
  scope: Scope,
  regionId: string,
): Promise<LiveSnapshot[]> {
  const isOfRegion = sql`region_id = ${bind('String', regionId)}`
  const rows = await facts.rows<SnapshotVehicleRow>(
    scope,
    sql`
      select
        operator,
        feed_id as feed,
        toString(toUnixTimestamp64Milli(snapshot_time)) as at,
        vehicle_id, vehicle_type, lon, lat,
        toString(battery) as battery,
        toString(range_m) as range,
        is_available as available,
        is_reserved as reserved,
        is_disabled as disabled,
        if(
          last_reported is null,
          null,
          toString(toUnixTimestamp64Milli(assumeNotNull(last_reported)))
        ) as reported
      from ${latest('vehicle_snapshots')}
      where
        ${isOfRegion}
        and (operator, feed_id, snapshot_time) in (
          select operator, argMax(feed_id, (snapshot_time, feed_id)), max(snapshot_time)
          from ${latest('vehicle_snapshots')}
          where ${isOfRegion}
          group by operator, if(startsWith(feed_id, 'file:'), 'file:', feed_id)
        )
      order by operator, feed, vehicle_id
      limit ${bind('UInt32', maxVehicles)}`,
  )
  const snapshots = new Map<string, LiveSnapshot & { vehicles: SnapshotVehicle[] }>()
  for (const row of rows) {
    const key = `${row.operator} ${row.feed}`
    const snapshot = snapshots.get(key) ?? {
      regionId,
      operator: row.operator,
      feedId: row.feed,
      at: Number(row.at),
      vehicles: [],
      stations: [],
    }
    if (!snapshots.has(key)) snapshots.set(key, snapshot)
    snapshot.vehicles.push(toVehicle(row))
  }
  return [...snapshots.values()]
}
