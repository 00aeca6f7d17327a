/** Records of one feed by local hour of a day, 24 numbers; feed '' are reported trips. */
export interface DayRecords {
  operator: string
  feed: string
  hours: number[]
}

/** Checks of the events of one feed on a day. Stored as JSON in `health_day`. */
export interface FeedChecks {
  operator: string
  feed: string
  judged: number
  illegal: number
  /** Illegal transitions: state machine, state before, event types, state after, how often. */
  ways: [machine: string, before: string, types: string[], state: string, count: number][]
  /** Lateness of events: seconds, how many. */
  late: [seconds: number, count: number][]
  ahead: number
  moves: number
  jumps: number
}

/** Checks of the trips that events mention, by operator. */
export interface TripChecks {
  operator: string
  endsWithoutStart: number
  compared: number
  timeDiffers: number
  placeDiffers: number
  differs: number
}

/** Deployed vehicles of an operator at the end of a day, or now, and how many of them are silent or lost. */
export interface DayVehicles {
  operator: string
  deployed: number
  silent: number
  lost: number
}

/** What is counted once per local day and stored. */
export interface DayFacts {
  records: DayRecords[]
  events: FeedChecks[]
  trips: TripChecks[]
  vehicles: DayVehicles[]
}
export type DayKind = keyof DayFacts
export const dayKinds: readonly DayKind[] = ['records', 'events', 'trips', 'vehicles']
