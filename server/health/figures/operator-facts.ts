import type { FeedStatus, HealthDay } from '#contract/health.ts'
import type { DayVehicles, FeedChecks, TripChecks } from '../day-facts.ts'

/** Records received from feeds. */
export interface Received {
  accepted: number
  setAside: number
  repeated: number
  skewed: number
}

/** Trips that feeds reported. */
export interface FeedTrips {
  count: number
  both: number
  reported: number
  withoutEvents: number
  withoutReport: number
  withoutEnd: number
  /** Of which report or end is missing. */
  withoutReportOrEnd: number
  impossible: number
}

/** The input of the figures of one operator. */
export interface OperatorFacts {
  statuses: readonly FeedStatus[]
  days: readonly HealthDay[]
  /** Records of the days with a known usual number, and that number; null without such days. */
  volume: { count: number; usual: number } | null
  checks: readonly FeedChecks[]
  trips: FeedTrips | null
  tripChecks: readonly TripChecks[]
  received: readonly Received[]
  vehicles: DayVehicles | null
}
