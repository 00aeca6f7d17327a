/** Tolerance when a trip report is compared with the events of the trip, in seconds and meters. */
export const agreementLimits = { seconds: 300, metres: 250 } as const
/**
 * How far back the previous event is looked up, in hours. After a longer silence the state of a vehicle is
 * unknown.
 */
export const lookBackHours = 48
/** How far back the previous position is looked up, in hours. */
export const placeLookBackHours = 24
/** Shorter jumps are GPS noise, in meters. */
export const minJumpMeters = 500
/** Hours after which the end of a trip or its report is missing. */
export const tripTimeoutHours = 24
/**
 * Hours without a record after which a deployed vehicle counts as silent, and the days in which its last
 * event is looked up.
 */
export const silentAfterHours = 24
export const silentLookBackDays = 14
/** Number of past weeks that define the usual day, and how many of them must have data. */
export const usualWeeks = 8
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

/**
 * All figures of data health. Periods are local days of the region, both included; unless stated otherwise a
 * record belongs to the day of its own time.
 */
export const healthFigures = {
  freshness: {
    name: 'Freshness',
    unit: 'minutes',
    methodVersion: 1,
    definition:
      'Time since the newest record of a feed, against the minutes within which its data are promised.',
    method:
      'Now minus the time of the newest record that was received. Of several feeds the one that is latest against its promise.',
  },
  gaps: {
    name: 'Hours without data',
    unit: 'hours',
    methodVersion: 1,
    definition:
      'Hours without a single event or reported trip in which the same hour of the same weekday usually has some.',
    method:
      'Local hours, judged once they and the promised minutes have passed. Usually: at least half of the last 8 weeks, where at least 2 are known.',
  },
  volume: {
    name: 'Volume',
    unit: 'percent of the usual',
    methodVersion: 1,
    definition: 'Events and reported trips of the period against what the same weekdays usually have.',
    method:
      'For each day the records divided by the median of the same weekday in the last 8 weeks (at least 2 known); of today only the hours that have passed, on both sides.',
  },
  illegal_transitions: {
    name: 'Illegal transitions',
    unit: 'percent of transitions',
    methodVersion: 1,
    definition:
      'Events that cannot follow the event before of the same vehicle by the state machine of its mode in MDS.',
    method:
      'Consecutive events of a vehicle at most 48 hours apart. Event types are applied in order from the previous state to the reported one; feeds of MDS 1.2 are checked against its own state machine.',
  },
  orphan_trips: {
    name: 'Orphan trips',
    unit: 'percent of trips',
    methodVersion: 1,
    definition:
      'Incomplete trips: reported without events, seen in events without a report, ended without a start, or started without an end.',
    method:
      'Trips that start in the period. A report or an end is missed 24 hours after the start; events only of operators that send events, reports only of operators that report trips. For an end the start is looked for in the 2 days before.',
  },
  silent_vehicles: {
    name: 'Silent vehicles',
    unit: 'vehicles',
    methodVersion: 1,
    definition:
      "Vehicles that should be on the street and of which nothing was heard for 24 hours; apart from them those silent for longer than the region's limit for lost vehicles.",
    method:
      'At the end of the period, or now: the newest event tells a deployed state, and neither event nor telemetry came since. Vehicles not heard of for 14 days are left out.',
  },
  impossible_speeds: {
    name: 'Impossible speeds',
    unit: 'percent of movements',
    methodVersion: 1,
    definition:
      'Movements between two places of a vehicle, one after the other, faster than 100 km/h, and trips faster than that on average.',
    method:
      'Straight lines over 500 m between places of events and telemetry at most 24 hours apart; trips with the quality flag impossible_speed are counted apart.',
  },
  schema_violations: {
    name: 'Schema violations',
    unit: 'percent of records',
    methodVersion: 1,
    definition:
      'Records that break the standard and were set aside, with the reason and the record as it came.',
    method: 'Set-aside records divided by all records, by the day of receipt.',
  },
  duplicates: {
    name: 'Duplicates',
    unit: 'percent of records',
    methodVersion: 1,
    definition: 'Records that were received before, the same. They change nothing.',
    method: 'Repeated events divided by all records that were stored, by the day of receipt.',
  },
  clock_skew: {
    name: 'Clock skew',
    unit: 'percent of records',
    methodVersion: 1,
    definition: 'Records with a time after their receipt.',
    method:
      'Records found so when they were read, divided by all records, by the day of receipt. Stored events with a time after their receipt are counted apart.',
  },
  late_arrival: {
    name: 'Late arrival',
    unit: 'seconds',
    methodVersion: 1,
    definition:
      'How long after it happened an event was received: the median, and the time within which 95 of 100 came.',
    method:
      'Receipt minus event time, nearest rank, to the second below 10 minutes and to the minute above. Of an event received again the newest receipt counts.',
  },
  agreement: {
    name: 'Trips and events agree',
    unit: 'percent of trips',
    methodVersion: 1,
    definition:
      'Trips that are both reported and seen in events, and how many of those differ by more than 5 minutes or 250 m.',
    method:
      'Trips that start in the period. Report and events are compared by start and end, where both are known; events from 1 day before to 1 day after the day of the start.',
  },
} as const satisfies Record<string, FigureDefinition>

export type HealthFigureName = keyof typeof healthFigures
export const healthFigureNames = Object.keys(healthFigures) as [HealthFigureName, ...HealthFigureName[]]

/**
 * Figures with rows that show the positions of single vehicles; the other figures have rows for hours, days
 * and deliveries.
 */
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
