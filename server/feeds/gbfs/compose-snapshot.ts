import { VehicleType } from '#contract/mobility.ts'
import type { LiveSnapshot } from '#server/live/live-snapshot.ts'
import { readVehicleType } from '#server/fleet/read-vehicle-type.ts'
import type { GbfsContent, GbfsVehicle } from './gbfs-part.ts'

/** The newest file of each kind of content of a feed. */
export type GbfsParts = { [Kind in GbfsContent['kind']]?: Extract<GbfsContent, { kind: Kind }> }

interface SnapshotFeed {
  regionId: string
  operator: string
  feedId: string
  settings: Readonly<Record<string, unknown>>
}

/** Combines a feed's files to a snapshot; null before the first file of vehicles or station states. */
export function composeSnapshot(
  { regionId, operator, feedId, settings }: SnapshotFeed,
  parts: GbfsParts,
): LiveSnapshot | null {
  const { vehicles, status } = parts
  if (!vehicles && !status) return null
  const types = new Map(parts.types?.types.map(({ id, vehicleType }) => [id, vehicleType]))
  const stations = new Map(parts.stations?.stations.map((station) => [station.stationId, station]))
  const defaultType = VehicleType.safeParse(settings['vehicle_type'])
  // According to GBFS, the vehicles of a feed without types are bicycles without a motor.
  const fallbackType = defaultType.success ? defaultType.data : 'pedal_bicycle'
  const getType = ({ typeId, typeWord }: GbfsVehicle): VehicleType => {
    if (typeId) return types.get(typeId) ?? 'other'
    return typeWord ? readVehicleType(typeWord) : fallbackType
  }
  const snapshotVehicles: LiveSnapshot['vehicles'] = (vehicles?.vehicles ?? []).flatMap((vehicle) => {
    // A vehicle without a position is at its station.
    const station = Number.isNaN(vehicle.lon + vehicle.lat) ? stations.get(vehicle.stationId) : undefined
    const { lon, lat } = station ?? vehicle
    if (Number.isNaN(lon + lat)) return []
    const { vehicleId, battery, range, isReserved, isDisabled, lastReported } = vehicle
    const vehicleType = getType(vehicle)
    return [{ vehicleId, vehicleType, lon, lat, battery, range, isReserved, isDisabled, lastReported }]
  })
  const statusByStation = new Map(
    status?.statuses.map((stationStatus) => [stationStatus.stationId, stationStatus]),
  )
  return {
    regionId,
    operator,
    feedId,
    at: Math.max(vehicles?.at ?? 0, status?.at ?? 0),
    vehicles: snapshotVehicles,
    stations: [...stations.values()].map(({ isVirtual: _isVirtual, ...station }) => {
      const {
        vehiclesAvailable = Number.NaN,
        docksAvailable = Number.NaN,
        isRenting = false,
      } = statusByStation.get(station.stationId) ?? {}
      return { ...station, vehiclesAvailable, docksAvailable, isRenting }
    }),
  }
}
