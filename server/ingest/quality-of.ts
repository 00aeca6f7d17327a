import { qualityFlags } from '#contract/mobility.ts'
import { impossibleMetres, impossibleMetresPerSecond, regionReachKm } from '#server/mobility/trip-limits.ts'
import type { TripRow } from './trip-row.ts'

const bit = (flag: keyof typeof qualityFlags): number => 1 << qualityFlags[flag].bit

const dayMs = 86_400_000

/** Kilometres between two places, on a sphere. */
export function kilometres(lon1: number, lat1: number, lon2: number, lat2: number): number {
  const rad = Math.PI / 180
  const h = Math.sin(((lat2 - lat1) * rad) / 2) ** 2 + Math.cos(lat1 * rad) * Math.cos(lat2 * rad) * Math.sin(((lon2 - lon1) * rad) / 2) ** 2
  return 12742.0176 * Math.asin(Math.min(1, Math.sqrt(h)))
}

/** Whether a place lies on earth. */
export const isOnEarth = (lon: number, lat: number): boolean => Math.abs(lon) <= 180 && Math.abs(lat) <= 90

/** Whether a place lies within reach of the center of its region. */
export const isWithinReach = (lon: number, lat: number, centre: { lon: number; lat: number }): boolean =>
  isOnEarth(lon, lat) && kilometres(lon, lat, centre.lon, centre.lat) <= regionReachKm

/** The quality flags of a trip (metrics.md, Trips). */
export function qualityOf(trip: Omit<TripRow, 'quality' | 'tripId'>, centre: { lon: number; lat: number }, skipped: boolean): number {
  let bits = skipped ? bit('skipped_hour') : 0
  if (Number.isNaN(trip.endMs)) bits |= bit('no_end_time')
  else if (trip.endMs < trip.startMs) bits |= bit('ends_before_start')
  else if (trip.endMs - trip.startMs > dayMs) bits |= bit('over_24_hours')
  if (trip.distanceM === 0) bits |= bit('zero_distance')
  if (trip.distanceM < 0 || trip.distanceM > impossibleMetres) bits |= bit('impossible_distance')
  if (trip.durationS === 0) bits |= bit('zero_duration')
  if (trip.durationS > 0 && trip.distanceM / trip.durationS > impossibleMetresPerSecond) bits |= bit('impossible_speed')
  if (Number.isNaN(trip.startLon + trip.startLat)) bits |= bit('no_origin')
  else if (!(kilometres(trip.startLon, trip.startLat, centre.lon, centre.lat) <= regionReachKm)) bits |= bit('origin_outside_region')
  if (Number.isNaN(trip.endLon + trip.endLat)) bits |= bit('no_destination')
  else if (!(kilometres(trip.endLon, trip.endLat, centre.lon, centre.lat) <= regionReachKm)) bits |= bit('destination_outside_region')
  return bits
}
