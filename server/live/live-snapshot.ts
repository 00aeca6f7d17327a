import type { VehicleType } from '#contract/mobility.ts'

/** One vehicle of a snapshot (GBFS vehicle status): its id is good for this snapshot only. NaN: not known. */
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
  /** Ms since 1970. */
  lastReported: number
}

/** One station of a snapshot (GBFS station information and status). */
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

/** What a newer snapshot replaces: that of the same feed, or of the same operator in a file, which may have several. */
export const snapshotKey = ({ operator, feedId }: Pick<LiveSnapshot, 'operator' | 'feedId'>): string =>
  `${operator} ${feedId.startsWith('file:') ? 'file:' : feedId}`

/** All vehicles of an operator at one moment, from a GBFS feed or a snapshot file. A new one replaces the one before. */
export interface LiveSnapshot {
  regionId: string
  operator: string
  feedId: string
  /** Ms since 1970. */
  at: number
  vehicles: readonly SnapshotVehicle[]
  stations: readonly SnapshotStation[]
}
