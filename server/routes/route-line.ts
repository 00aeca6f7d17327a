import { formatTimeField } from '#server/stores/row-text.ts'
import { matchTrack } from './match-track.ts'
import { type Plane, createPlane, type Track } from './plane.ts'
import { simplifyTrack } from './simplify-track.ts'
import type { StreetGrid } from './street-grid.ts'
import type { TripTelemetry } from './telemetry-of-trips.ts'

export const routeColumns = [
  'region_id',
  'operator',
  'trip_id',
  'device_id',
  'vehicle_type',
  'start_time',
  'local_date',
  'local_hour',
  'lon',
  'lat',
  'seconds',
  'length_m',
  'points',
  'segments',
  'directions',
  'is_deleted',
  'version',
] as const

/** The maximum error of a simplified route: half the width of a narrow street. */
const toleranceMeters = 4

const measureTrack = ({ x, y }: Track): number => {
  let meters = 0
  for (let i = 1; i < x.length; i++)
    meters += Math.hypot((x[i] as number) - (x[i - 1] as number), (y[i] as number) - (y[i - 1] as number))
  return meters
}

/** Makes the fact store line of a trip's route: simplified, and matched to streets if there are any. */
export function makeRouteLine(
  trip: TripTelemetry,
  streets: StreetGrid | null,
  { regionId, version, lat }: { regionId: string; version: bigint; lat: number },
): string {
  const plane: Plane = streets?.plane ?? createPlane(lat)
  const track: Track = {
    x: Float64Array.from(trip.lon, (lon) => plane.x(lon)),
    y: Float64Array.from(trip.lat, (lat) => plane.y(lat)),
  }
  const pointIndexes = simplifyTrack(track, toleranceMeters)
  const matched = streets ? matchTrack(streets, track) : []
  const formatMillionths = (degrees: readonly number[]): string =>
    pointIndexes.map((index) => Math.round((degrees[index] ?? 0) * 1e6)).join(',')
  const segments = matched.map(({ segment }) => streets?.segments[segment]?.id).join(',')
  return (
    `${regionId}\t${trip.operator}\t${trip.trip_id}\t${trip.device_id}\t` +
    `${trip.vehicle_type}\t${formatTimeField(Number(trip.start))}\t${trip.local_date}\t` +
    `${trip.local_hour}\t[${formatMillionths(trip.lon)}]\t[${formatMillionths(trip.lat)}]\t` +
    `[${pointIndexes.map((index) => trip.seconds[index]).join(',')}]\t` +
    `${measureTrack(track).toFixed(1)}\t${trip.lon.length}\t[${segments}]\t` +
    `[${matched.map(({ direction }) => direction).join(',')}]\t0\t${version}\n`
  )
}
