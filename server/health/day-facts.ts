/** Records of one feed by local hour of a day, 24 numbers; feed '' are reported trips. */
export interface DayRecords {
  operator: string
  feed: string
  hours: number[]
}

/** What was found of one feed's events of a day. */
export interface FeedChecks {
  operator: string
  feed: string
  judged: number
  illegal: number
  /** The illegal ways: machine, state before, event types, state told, how often. */
  ways: [machine: string, before: string, types: string[], state: string, count: number][]
  /** How late events came: seconds, how many. */
  late: [seconds: number, count: number][]
  ahead: number
  moves: number
  jumps: number
}

/** What events of a day tell of trips, by operator. */
export interface TripChecks {
  operator: string
  endsWithoutStart: number
  compared: number
  timeDiffers: number
  placeDiffers: number
  differs: number
}

/** Deployed vehicles of an operator at the end of a day, or now, and how many of them nothing was heard of. */
export interface DayVehicles {
  operator: string
  deployed: number
  silent: number
  lost: number
}

/** What is counted once for a local day and kept. */
export interface DayFacts {
  records: DayRecords[]
  events: FeedChecks[]
  trips: TripChecks[]
  vehicles: DayVehicles[]
}
export type DayKind = keyof DayFacts
