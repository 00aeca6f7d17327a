import type { VehicleType } from '#contract/mobility.ts'
import type { LiveStation } from '#contract/vehicles.ts'

/** A vehicle of a snapshot (GBFS vehicle status). Its id is valid in this snapshot only. NaN: unknown. */
export interface SnapshotVehicle {
  vehicleId: string
  vehicleType: VehicleType
  lon: number
  lat: number
  /** Percent. */
  battery: number
  /** Meters. */
  range: number
  isReserved: boolean
  isDisabled: boolean
  /** Milliseconds since 1970. */
  lastReported: number
}

/** A station of a snapshot (GBFS station information and status). */
export interface SnapshotStation {
  stationId: string
  name: string
  lon: number
  lat: number
  capacity: number
  vehiclesAvailable: number
  docksAvailable: number
  isRenting: boolean
}

/** The key under which newer snapshots replace older ones; one per operator for files. */
export const getSnapshotKey = ({ operator, feedId }: Pick<LiveSnapshot, 'operator' | 'feedId'>): string =>
  `${operator} ${feedId.startsWith('file:') ? 'file:' : feedId}`

/** All vehicles of an operator at one moment, from a GBFS feed or a snapshot file. */
export interface LiveSnapshot {
  regionId: string
  operator: string
  feedId: string
  /** Milliseconds since 1970. */
  at: number
  vehicles: readonly SnapshotVehicle[]
  stations: readonly SnapshotStation[]
}

/** Lists the stations of snapshots of the given operators (null: all). */
export const listVisibleStations = (
  snapshots: readonly LiveSnapshot[],
  operators: readonly string[] | null,
): LiveStation[] =>
  snapshots
    .filter(({ operator }) => !operators || operators.includes(operator))
    .flatMap(({ operator, at, stations }) =>
      stations.map(
        ({ stationId, name, lon, lat, capacity, vehiclesAvailable, docksAvailable, isRenting }) => ({
          operator,
          station_id: stationId,
          name,
          lon,
          lat,
          capacity,
          vehicles_available: vehiclesAvailable,
          docks_available: docksAvailable,
          is_renting: isRenting,
          seen: at,
        }),
      ),
    )
