import type { FeedStatus, HealthDay } from '#contract/health.ts'
import type { DayVehicles, FeedChecks, TripChecks } from '../day-facts.ts'

/** The number of records received from a feed. `skewed`: with a time after their receipt. */
export interface Received {
  accepted: number
  setAside: number
  repeated: number
  skewed: number
}

/** The number of trips of an operator that are known from reports, events or both. */
export interface FeedTrips {
  count: number
  reportedWithEvents: number
  reported: number
  withoutEvents: number
  withoutReport: number
  withoutEnd: number
  /** Trips that lack a report, an end or both. */
  withoutReportOrEnd: number
  /** Trips that are too fast on average. */
  impossible: number
}

/** The input of the figures of one operator. */
export interface OperatorFacts {
  statuses: readonly FeedStatus[]
  days: readonly HealthDay[]
  /** The records of days with a known usual number, and that number; null if there are none. */
  volume: { count: number; usual: number } | null
  checks: readonly FeedChecks[]
  trips: FeedTrips | null
  tripChecks: readonly TripChecks[]
  received: readonly Received[]
  vehicles: DayVehicles | null
}
