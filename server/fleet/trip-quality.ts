import { qualityFlags } from '#contract/mobility.ts'
import { isWithinReach } from '#server/regions/region-reach.ts'
import { impossibleMeters, impossibleMetersPerSecond } from './trip-limits.ts'

/** Returns the number in which only the bit of a flag is set. */
const bit = (flag: keyof typeof qualityFlags): number => 1 << qualityFlags[flag].bit

const dayMs = 86_400_000

/** The values that the quality flags of a trip depend on. NaN: unknown. */
export interface TripFacts {
  startMs: number
  endMs: number
  startLon: number
  startLat: number
  endLon: number
  endLat: number
  distanceM: number
  durationS: number
}

/**
 * Computes the quality flags (bits) of a trip in a file (docs/metrics.md, Trips). `isInSkippedHour`: a local
 * time of the trip does not exist, because clocks skip its hour. `qualitySql` in events/queries/trips.ts
 * applies the same rules to trips of feeds.
 */
export function computeQuality(
  trip: TripFacts,
  center: { lon: number; lat: number },
  isInSkippedHour: boolean,
): number {
  let bits = isInSkippedHour ? bit('skipped_hour') : 0
  if (Number.isNaN(trip.endMs)) bits |= bit('no_end_time')
  else if (trip.endMs < trip.startMs) bits |= bit('ends_before_start')
  else if (trip.endMs - trip.startMs > dayMs) bits |= bit('over_24_hours')
  if (trip.distanceM === 0) bits |= bit('zero_distance')
  if (trip.distanceM < 0 || trip.distanceM > impossibleMeters) bits |= bit('impossible_distance')
  if (trip.durationS === 0) bits |= bit('zero_duration')
  if (trip.durationS > 0 && trip.distanceM / trip.durationS > impossibleMetersPerSecond)
    bits |= bit('impossible_speed')
  if (Number.isNaN(trip.startLon + trip.startLat)) bits |= bit('no_origin')
  else if (!isWithinReach(trip.startLon, trip.startLat, center)) bits |= bit('origin_outside_region')
  if (Number.isNaN(trip.endLon + trip.endLat)) bits |= bit('no_destination')
  else if (!isWithinReach(trip.endLon, trip.endLat, center)) bits |= bit('destination_outside_region')
  return bits
}
