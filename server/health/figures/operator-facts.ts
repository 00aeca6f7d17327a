import type { FeedStatus, HealthDay } from '#contract/health.ts'
import type { DayVehicles, FeedChecks, TripChecks } from '#server/health/day-facts.ts'

/** What feeds brought, by record. */
export interface Received {
  accepted: number
  setAside: number
  repeated: number
  skewed: number
}

/** Trips that feeds told of. */
export interface FeedTrips {
  trips: number
  both: number
  reported: number
  withoutEvents: number
  withoutReport: number
  withoutEnd: number
  /** Of which report or end is missing. */
  withoutReportOrEnd: number
  impossible: number
}

/** All that the figures of one operator are made of. */
export interface OperatorFacts {
  standings: readonly FeedStatus[]
  days: readonly HealthDay[]
  /** Records of the days whose usual is known, and that; null where none is. */
  volume: { count: number; usual: number } | null
  checks: readonly FeedChecks[]
  trips: FeedTrips | null
  told: readonly TripChecks[]
  received: readonly Received[]
  vehicles: DayVehicles | null
}
