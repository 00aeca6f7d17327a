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

/** A measure of MDS Metrics: what is counted, and how. */
export type MetricMeasure =
  | { family: 'vehicles'; state: string; statistic: (typeof stateStatistics)[number] }
  /** `event`: the stored event type. */
  | { family: 'events'; event: string }
  | { family: 'trips'; end: 'start' | 'end'; of: 'count' }
  | {
      family: 'trips'
      end: 'start' | 'end'
      of: 'duration' | 'distance'
      statistic: (typeof tripStatistics)[number]
    }
  | { family: 'dockless'; measure: DocklessMeasure }

/** What a version of MDS calls states, events and vehicle types. */
export interface MetricWords {
  states: Readonly<Record<VehicleState, string>>
  /** The states of vehicles in the public right of way. */
  deployed: readonly string[]
  riding: readonly string[]
  /** Stored event types by the version's word. */
  events: Readonly<Record<string, string>>
  /** By stored vehicle type. */
  types: Readonly<Record<string, string>>
}

/** The vehicle type of MDS does not say what moves a bicycle. */
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
const newEvents: readonly string[] = [
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
const named = (names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, name]))

export const metricWords: Readonly<Record<MdsVersion, MetricWords>> = {
  '2.0': {
    states,
    deployed: ['available', 'non_operational', 'reserved', 'on_trip', 'stopped', 'non_contactable'],
    riding: ['on_trip', 'stopped'],
    events: named(eventTypes),
    types,
  },
  // Lost contact is one state there, and a pause belongs to its trip.
  '1.2': {
    states: { ...states, stopped: 'on_trip', non_contactable: 'unknown', missing: 'unknown' },
    deployed: ['available', 'non_operational', 'reserved', 'on_trip', 'unknown'],
    riding: ['on_trip'],
    events: { ...named(eventTypes.filter((type) => !newEvents.includes(type))), missing: 'not_located' },
    types: earlierTypes,
  },
}

/** Words of the methodology, which was written for MDS 0.4. */
const earliestStates: Readonly<Record<string, string>> = { trip: 'on_trip', unavailable: 'non_operational' }
const earliestEvents: Readonly<Record<string, string>> = {
  reserve: 'reservation_start',
  cancel_reservation: 'reservation_cancel',
  trip_enter: 'trip_enter_jurisdiction',
  trip_leave: 'trip_leave_jurisdiction',
  deregister: 'decommissioned',
}

const oneOf = <T extends string>(list: readonly T[], text: string | undefined): T | null =>
  list.find((each) => each === text) ?? null

/**
 * The measure of a name; null: there is none. The texts of the standard differ in some names (`trips.start_loc_duration.avg`,
 * `trips.start.count`, `dockless.active.avg`): all of them are read.
 */
export function metricMeasure(name: string, version: MdsVersion): MetricMeasure | null {
  const words = metricWords[version]
  const state = /^vehicles\.([a-z_]+)\.([a-z.]+)$/.exec(name)
  if (state) {
    const word = earliestStates[state[1] ?? ''] ?? state[1] ?? ''
    const statistic = oneOf(stateStatistics, state[2])
    return statistic && Object.values(words.states).includes(word)
      ? { family: 'vehicles', state: word, statistic }
      : null
  }
  const event = /^events\.([a-z_]+)\.count$/.exec(name)
  if (event) {
    const word = earliestEvents[event[1] ?? ''] ?? event[1] ?? ''
    const stored = Object.hasOwn(words.events, word) ? words.events[word] : undefined
    return stored ? { family: 'events', event: stored } : null
  }
  const trip = /^trips\.(start|end)(?:_loc)?(?:\.count|[._](duration|distance)\.([a-z]+))$/.exec(name)
  if (trip) {
    const end = trip[1] === 'end' ? 'end' : 'start'
    const value = oneOf(['duration', 'distance'], trip[2])
    if (!value) return { family: 'trips', end, of: 'count' }
    const statistic = oneOf(tripStatistics, trip[3])
    return statistic && { family: 'trips', end, of: value, statistic }
  }
  const dockless = oneOf(
    docklessMeasures,
    name.replace(/^dockless\./, '').replace(/^(in)?active\.avg$/, (text) => text.replace('avg', 'count')),
  )
  return name.startsWith('dockless.') && dockless ? { family: 'dockless', measure: dockless } : null
}

/** Whether values of a measure are whole numbers. */
export const isWholeNumber = (measure: MetricMeasure): boolean =>
  measure.family === 'events' ||
  (measure.family === 'trips' && measure.of === 'count') ||
  (measure.family === 'vehicles' && (measure.statistic === 'min' || measure.statistic === 'max')) ||
  (measure.family === 'dockless' &&
    (['deployed.min', 'deployed.max', 'active.count', 'inactive.count'] as string[]).includes(
      measure.measure,
    ))

/** All names of a version, as its discovery lists them. */
export function metricNames(version: MdsVersion): string[] {
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
