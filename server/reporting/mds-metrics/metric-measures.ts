import { vehicleTypeTexts } from '#contract/mobility.ts'
import { eventTypes, type VehicleState, vehicleStateNames } from '#contract/vehicle-states.ts'
import type { MdsVersion } from '#server/feeds/mds/mds-context.ts'

const stateStatistics = ['avg', 'min', 'max', 'duration.sum'] as const
const tripStatistics = ['avg', 'med', 'std', 'sum'] as const
const docklessMeasures = [
  'deployed.avg',
  'deployed.avg.min',
  'deployed.min',
  'deployed.avg.max',
  'deployed.max',
  'active.count',
  'inactive.count',
  'utilization.idle.percent',
  'utilization.active.percent',
  'utilization.trips_per_vehicle.avg',
] as const

export type DocklessMeasure = (typeof docklessMeasures)[number]

export type MetricMeasure =
  | { family: 'vehicles'; state: string; statistic: (typeof stateStatistics)[number] }
  /** `event`: the stored event type. */
  | { family: 'events'; event: string }
  | { family: 'trips'; end: 'start' | 'end'; quantity: 'count' }
  | {
      family: 'trips'
      end: 'start' | 'end'
      quantity: 'duration' | 'distance'
      statistic: (typeof tripStatistics)[number]
    }
  | { family: 'dockless'; measure: DocklessMeasure }

/** Names of states, events and vehicle types in a version of MDS. */
export interface MetricWords {
  states: Readonly<Record<VehicleState, string>>
  /** The version's states of vehicles in the public right of way. */
  deployed: readonly string[]
  /** Those of vehicles on a trip. */
  riding: readonly string[]
  /** Stored event types by the version's name. */
  events: Readonly<Record<string, string>>
  /** The version's vehicle types by stored type. */
  types: Readonly<Record<string, string>>
}

/** MDS 2.0 has one vehicle type for all bicycles, whatever their propulsion. */
const types = {
  ...Object.fromEntries(Object.keys(vehicleTypeTexts).map((type) => [type, type])),
  pedal_bicycle: 'bicycle',
  scooter: 'scooter_standing',
}
const earlierTypes = {
  ...types,
  scooter: 'scooter',
  scooter_standing: 'scooter',
  scooter_seated: 'scooter',
  delivery_robot: 'other',
}
const states = Object.fromEntries(vehicleStateNames.map((state) => [state, state])) as Record<
  VehicleState,
  string
>
/** Events that MDS 1.2 does not have. */
const eventsSince2: readonly string[] = [
  'charging_end',
  'charging_start',
  'customer_cancellation',
  'driver_cancellation',
  'fueling_end',
  'fueling_start',
  'maintenance_end',
  'not_located',
  'order_drop_off',
  'order_pick_up',
  'passenger_cancellation',
  'provider_cancellation',
  'recommission',
  'recommissioned',
  'remote_end',
  'remote_start',
  'reservation_stop',
  'service_end',
  'service_start',
  'system_start',
  'trip_pause',
  'trip_resume',
  'trip_stop',
]
/** Maps names to themselves. */
const mapToThemselves = (names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, name]))

export const metricWords: Readonly<Record<MdsVersion, MetricWords>> = {
  '2.0': {
    states,
    deployed: ['available', 'non_operational', 'reserved', 'on_trip', 'stopped', 'non_contactable'],
    riding: ['on_trip', 'stopped'],
    events: mapToThemselves(eventTypes),
    types,
  },
  // MDS 1.2 has one state for lost contact, and a pause is part of its trip.
  '1.2': {
    states: { ...states, stopped: 'on_trip', non_contactable: 'unknown', missing: 'unknown' },
    deployed: ['available', 'non_operational', 'reserved', 'on_trip', 'unknown'],
    riding: ['on_trip'],
    events: {
      ...mapToThemselves(eventTypes.filter((type) => !eventsSince2.includes(type))),
      missing: 'not_located',
    },
    types: earlierTypes,
  },
}

const vehiclesPattern = /^vehicles\.([a-z_]+)\.([a-z.]+)$/
const eventsPattern = /^events\.([a-z_]+)\.count$/
const tripsPattern = /^trips\.(start|end)(?:_loc)?(?:\.count|[._](duration|distance)\.([a-z]+))$/
/** Names in the standard's methodology, which was written for MDS 0.4. */
const earliestStates: Readonly<Record<string, string>> = { trip: 'on_trip', unavailable: 'non_operational' }
const earliestEvents: Readonly<Record<string, string>> = {
  reserve: 'reservation_start',
  cancel_reservation: 'reservation_cancel',
  trip_enter: 'trip_enter_jurisdiction',
  trip_leave: 'trip_leave_jurisdiction',
  deregister: 'decommissioned',
}

const findWord = <T extends string>(list: readonly T[], text: string | undefined): T | null =>
  list.find((candidate) => candidate === text) ?? null

/**
 * Parses the name of a measure; null if there is no such measure. The documents of the standard disagree on
 * some names (`trips.start_loc_duration.avg`, `trips.start.count`, `dockless.active.avg`), so all of them are
 * accepted.
 */
export function findMetricMeasure(name: string, version: MdsVersion): MetricMeasure | null {
  const words = metricWords[version]
  const [vehiclesMatch, stateName = '', stateStatistic] = vehiclesPattern.exec(name) ?? []
  if (vehiclesMatch) {
    const state = earliestStates[stateName] ?? stateName
    const statistic = findWord(stateStatistics, stateStatistic)
    return statistic && Object.values(words.states).includes(state)
      ? { family: 'vehicles', state, statistic }
      : null
  }
  const [eventsMatch, eventName = ''] = eventsPattern.exec(name) ?? []
  if (eventsMatch) {
    const event = earliestEvents[eventName] ?? eventName
    const storedType = Object.hasOwn(words.events, event) ? words.events[event] : undefined
    return storedType ? { family: 'events', event: storedType } : null
  }
  const [tripsMatch, tripEnd, tripValue, tripStatistic] = tripsPattern.exec(name) ?? []
  if (tripsMatch) {
    const end = tripEnd === 'end' ? 'end' : 'start'
    const value = findWord(['duration', 'distance'], tripValue)
    if (!value) return { family: 'trips', end, quantity: 'count' }
    const statistic = findWord(tripStatistics, tripStatistic)
    return statistic && { family: 'trips', end, quantity: value, statistic }
  }
  const dockless = findWord(
    docklessMeasures,
    name.replace(/^dockless\./, '').replace(/^(in)?active\.avg$/, (text) => text.replace('avg', 'count')),
  )
  return name.startsWith('dockless.') && dockless ? { family: 'dockless', measure: dockless } : null
}

/** Whether the values of a measure are integers. */
export const isWholeNumber = (measure: MetricMeasure): boolean =>
  measure.family === 'events' ||
  (measure.family === 'trips' && measure.quantity === 'count') ||
  (measure.family === 'vehicles' && (measure.statistic === 'min' || measure.statistic === 'max')) ||
  (measure.family === 'dockless' &&
    (['deployed.min', 'deployed.max', 'active.count', 'inactive.count'] as string[]).includes(
      measure.measure,
    ))

/** Returns all names of measures of a version, as GET /metrics lists them. */
export function listMetricNames(version: MdsVersion): string[] {
  const words = metricWords[version]
  return [
    ...[...new Set(Object.values(words.states))].flatMap((state) =>
      stateStatistics.map((statistic) => `vehicles.${state}.${statistic}`),
    ),
    ...Object.keys(words.events)
      .toSorted()
      .map((event) => `events.${event}.count`),
    ...['start_loc', 'end_loc'].flatMap((end) => [
      `trips.${end}.count`,
      ...['duration', 'distance'].flatMap((value) =>
        tripStatistics.map((statistic) => `trips.${end}.${value}.${statistic}`),
      ),
    ]),
    ...docklessMeasures.map((measure) => `dockless.${measure}`),
  ]
}
