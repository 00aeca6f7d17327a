/** Tolerance when a trip report is compared with the events of the trip, in seconds and meters. */
export const agreementLimits = { seconds: 300, meters: 250 } as const
/** How far back the previous event is looked up, in hours; if there is none, the state is unknown. */
export const lookBackHours = 48
/** How far back the previous position is looked up, in hours. */
export const placeLookBackHours = 24
/** Shorter jumps are GPS noise. */
export const minJumpMeters = 500
/** Hours after which the end of a trip or its report is missing. */
export const tripTimeoutHours = 24
/**
 * Hours without a record after which a deployed vehicle counts as silent,
 * and the days in which its last event is looked up.
 */
export const silentAfterHours = 24
export const silentLookBackDays = 14
/** Number of past weeks that define the usual day. */
export const usualWeeks = 8
/** How many of these weeks must have data. */
export const minUsualWeeks = 2

/** Definition of a figure, with its unit and method, as shown to users. */
export interface FigureDefinition {
  name: string
  definition: string
  unit: string
  method: string
  /** Incremented when the method changes. */
  methodVersion: number
}

/** All figures of data health, by local days of the region. A record belongs to the day of its own time. */
export const healthFigures = {
  freshness: {
    name: 'Freshness',
    unit: 'minutes',
    methodVersion: 1,
    definition: "Time since a feed's newest record, compared with its limit in minutes.",
    method:
      'Now minus the time of the newest record received. With several feeds, the one furthest over its limit.',
  },
  gaps: {
    name: 'Hours without data',
    unit: 'hours',
    methodVersion: 1,
    definition:
      'Hours without any event or reported trip although the same hour of the same weekday typically has some.',
    method:
      "Local hours, counted once they and the feed's limit have passed. Typically: at least half of the last 8 weeks, where at least 2 are known.",
  },
  volume: {
    name: 'Volume',
    unit: 'percent of typical',
    methodVersion: 1,
    definition:
      'Events and reported trips in the period compared with what is typical for the same weekdays.',
    method:
      'For each day, records divided by the median of the same weekday in the last 8 weeks (at least 2 known). For today, only the hours that have passed are compared.',
  },
  illegal_transitions: {
    name: 'Illegal transitions',
    unit: 'percent of transitions',
    methodVersion: 1,
    definition:
      "Events that cannot follow the vehicle's previous event according to the MDS state machine of its mode.",
    method:
      'Consecutive events of a vehicle at most 48 hours apart. Event types are applied in order from the previous state to the reported one; feeds of MDS 1.2 are checked against its own state machine.',
  },
  orphan_trips: {
    name: 'Orphan trips',
    unit: 'percent of trips',
    methodVersion: 1,
    definition:
      'Incomplete trips: reported without events, found in events without a report, ended without a start, or started without an end.',
    method:
      'Trips that start in the period. A report or end is missing 24 hours after the start. Events are expected only from operators that send events, reports only from operators that report trips. For an end, the start is looked for in the 2 days before.',
  },
  silent_vehicles: {
    name: 'Silent vehicles',
    unit: 'vehicles',
    methodVersion: 1,
    definition:
      "Vehicles that should be on street and have sent nothing for 24 hours. Vehicles without a signal for longer than the region's limit for lost vehicles are counted separately.",
    method:
      'At the end of the period, or now: the newest event has a deployed state, and no event or telemetry has arrived since. Vehicles without a signal for 14 days are left out.',
  },
  impossible_speeds: {
    name: 'Impossible speeds',
    unit: 'percent of movements',
    methodVersion: 1,
    definition:
      'Movements between two consecutive locations of a vehicle faster than 100 km/h (62 mph), and trips faster than that on average.',
    method:
      'Straight lines over 500 m between locations of events and telemetry at most 24 hours apart. Trips with the quality flag impossible_speed are counted separately.',
  },
  schema_violations: {
    name: 'Schema violations',
    unit: 'percent of records',
    methodVersion: 1,
    definition:
      'Records that do not conform to the standard and were rejected, with the reason and the original record.',
    method: 'Rejected records divided by all records, by day of receipt.',
  },
  duplicates: {
    name: 'Duplicates',
    unit: 'percent of records',
    methodVersion: 1,
    definition: 'Records identical to ones received before. They change nothing.',
    method: 'Repeated events divided by all records that were stored, by the day of receipt.',
  },
  clock_skew: {
    name: 'Clock skew',
    unit: 'percent of records',
    methodVersion: 1,
    definition: 'Records dated after their receipt.',
    method:
      'Records found on receipt, divided by all records, by day of receipt. Stored events dated after their receipt are counted separately.',
  },
  late_arrival: {
    name: 'Late arrival',
    unit: 'seconds',
    methodVersion: 1,
    definition: 'Time between an event and its receipt: the median, and the time within which 95% arrive.',
    method:
      'Receipt minus event time, nearest rank, to the second below 10 minutes and to the minute above. If an event is received again, the latest receipt counts.',
  },
  agreement: {
    name: 'Trips and events agree',
    unit: 'percent of trips',
    methodVersion: 1,
    definition:
      'Trips that are both reported and found in events, and how many of those differ by more than 5 minutes or 250 m.',
    method:
      'Trips that start in the period. Report and events are compared by start and end, where both are known; events from 1 day before to 1 day after the day of the start.',
  },
} as const satisfies Record<string, FigureDefinition>

export type HealthFigureName = keyof typeof healthFigures
export const healthFigureNames = Object.keys(healthFigures) as [HealthFigureName, ...HealthFigureName[]]

/** Figures with rows that show positions of single vehicles; others have rows of hours, days and deliveries. */
export const personalFigures = [
  'illegal_transitions',
  'orphan_trips',
  'silent_vehicles',
  'impossible_speeds',
  'schema_violations',
  'clock_skew',
  'late_arrival',
  'agreement',
] as const satisfies readonly HealthFigureName[]
export const plainFigures = [
  'freshness',
  'gaps',
  'volume',
  'duplicates',
] as const satisfies readonly HealthFigureName[]
