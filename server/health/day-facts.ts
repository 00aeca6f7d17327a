/** The number of records of a feed in each of the 24 local hours of a day. Feed '' has the reported trips. */
export interface DayRecords {
  operator: string
  feed: string
  hours: number[]
}

/** Results of the checks of a feed's events on a day. Stored as JSON in `health_day`: names are permanent. */
export interface FeedChecks {
  operator: string
  feed: string
  /** The number of checked state transitions, and of illegal ones. */
  judged: number
  illegal: number
  /** The illegal transitions with the number of their occurrences. */
  ways: [machine: string, before: string, types: string[], state: string, count: number][]
  /** A histogram of the lateness of events: seconds from event to receipt, number of events. */
  late: [seconds: number, count: number][]
  /** The number of events with a time after their receipt: the operator's clock is ahead. */
  ahead: number
  /** The number of movements between two positions, and of those that are too fast for a vehicle. */
  moves: number
  jumps: number
}

/** Results of the checks of an operator's trips in events. Stored as JSON in `health_day`. */
export interface TripChecks {
  operator: string
  endsWithoutStart: number
  /** Trips with both a report and events. The next counts are of those with different times or places. */
  compared: number
  timeDiffers: number
  placeDiffers: number
  differs: number
}

/** Deployed vehicles of an operator at the end of a day (or now), and how many are silent or lost. */
export interface DayVehicles {
  operator: string
  deployed: number
  silent: number
  lost: number
}

/** The counts that are stored per local day, by kind. */
export interface DayFacts {
  records: DayRecords[]
  events: FeedChecks[]
  trips: TripChecks[]
  vehicles: DayVehicles[]
}
export type DayKind = keyof DayFacts
export const dayKinds: readonly DayKind[] = ['records', 'events', 'trips', 'vehicles']
