import fc from 'fast-check'
import { type MdsPolicy, type MdsRule, mdsDays } from '#contract/mds-policy.ts'
import { hourMs } from '#contract/period.ts'

export interface FleetVehicle {
  device_id: string
  provider_id: string
  vehicle_type: string
  propulsion_types: string[]
  mode_id?: string | null
}
export interface FleetEvent {
  device_id: string
  event_id: string
  vehicle_state: NonNullable<ReturnType<typeof getState>>
  event_types: string[]
  timestamp: number
  location: { lat: number; lng: number } | null
  speed?: number
}
export interface FleetCase {
  id: string
  clock: { now: number; timezone: string }
  policies: MdsPolicy[]
  geographies: {
    geography_id: string
    name: string
    geography_json: { type: 'Polygon'; coordinates: number[][][] }
  }[]
  vehicles: FleetVehicle[]
  events: FleetEvent[]
}

const states = [
  'available',
  'non_operational',
  'reserved',
  'on_trip',
  'removed',
  'elsewhere',
  'non_contactable',
] as const
const getState = (index: number) => states[index % states.length]
const eventTypes = [
  'trip_end',
  'trip_start',
  'provider_drop_off',
  'battery_low',
  'maintenance',
  'on_hours',
] as const

/** Positions are on a grid of 1/64 degree (over a kilometer), exact as doubles. */
const cell = 1 / 64
/** Some are this far off the grid (a few meters). */
const nudge = 1 / 65_536
const makeBox = (west: number, south: number, size: number): number[][] =>
  [
    [west, south],
    [west + size, south],
    [west + size, south + size],
    [west, south + size],
    [west, south],
  ].map(([x = 0, y = 0]) => [x * cell, y * cell])
/** Areas: one with a hole, one inside another, some adjacent. */
const areas: Record<string, number[][][]> = {
  all: [makeBox(0, 0, 8)],
  west: [makeBox(0, 0, 4)],
  east: [makeBox(4, 0, 4)],
  inner: [makeBox(1, 1, 2)],
  ring: [makeBox(0, 0, 8), makeBox(2, 2, 4)],
  slant: [
    [
      [0, 0],
      [8, 4],
      [4, 8],
      [0, 0],
    ].map(([x = 0, y = 0]) => [x * cell, y * cell]),
  ],
}

/** Moments around both clock changes of New York, and around midnight on an ordinary day. */
const moments = [
  Date.UTC(2026, 2, 8, 6),
  Date.UTC(2026, 2, 8, 7, 30),
  Date.UTC(2026, 10, 1, 5, 30),
  Date.UTC(2026, 10, 1, 6, 30),
  Date.UTC(2026, 6, 4, 3, 59),
  Date.UTC(2026, 6, 4, 4),
]
const clock = fc.record({
  now: fc
    .tuple(fc.constantFrom(...moments), fc.integer({ min: -90, max: 90 }))
    .map(([at, minutes]) => at + minutes * 60_000),
  timezone: fc.constantFrom('America/New_York', 'Asia/Kolkata', 'UTC'),
})

/** Usually absent, because rules with many conditions match nothing. */
const anyOptionalSubset = <T>(values: readonly T[]): fc.Arbitrary<T[] | null | undefined> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(null, undefined).map((none): T[] | null | undefined => none) },
    { weight: 1, arbitrary: fc.subarray([...values], { minLength: 1 }) },
  )
const time = fc.option(
  fc.constantFrom('00:00:00', '01:30:00', '02:15:00', '06:00:00', '12:00:00', '22:00:00', '23:59:59'),
  { freq: 1, nil: null },
)
const anyBound = (max: number): fc.Arbitrary<number | null> =>
  fc.option(fc.integer({ min: 0, max }), { freq: 2, nil: null })

const anyRule = (rule_id: string): fc.Arbitrary<MdsRule> => {
  const common = {
    rule_id: fc.constant(rule_id),
    name: fc.constant(rule_id),
    geographies: fc.subarray(Object.keys(areas), { minLength: 1, maxLength: 2 }),
    states: fc.option(
      fc.dictionary(
        fc.constantFrom(...states),
        fc.oneof(
          { weight: 2, arbitrary: fc.constant([]) },
          { weight: 1, arbitrary: fc.subarray([...eventTypes], { maxLength: 3 }) },
        ),
        { maxKeys: 4, noNullPrototype: true },
      ),
      { freq: 1, nil: null },
    ),
    vehicle_types: anyOptionalSubset(['bicycle', 'scooter_standing']),
    propulsion_types: anyOptionalSubset(['electric', 'human']),
    days: anyOptionalSubset(mdsDays),
    start_time: time,
    end_time: time,
    inclusive_minimum: fc.constantFrom(null, true, false),
    inclusive_maximum: fc.constantFrom(null, true, false),
  }
  const anyLimits = (most: number) =>
    fc
      .tuple(anyBound(most), anyBound(most))
      .map(([first, second]) =>
        first !== null && second !== null && first > second
          ? { minimum: second, maximum: first }
          : { minimum: first, maximum: second },
      )
  const when = fc.constantFrom(null, null, 'out_of_bounds' as const, 'in_bounds' as const)
  const kind = fc.oneof(
    {
      weight: 5,
      arbitrary: anyLimits(4).map((bounds) => ({ rule_type: 'count', rule_units: 'devices', ...bounds })),
    },
    {
      weight: 1,
      arbitrary: anyLimits(4).map((bounds) => ({
        rule_type: 'count',
        rule_units: 'devices',
        rate_applies_when: 'in_bounds' as const,
        ...bounds,
      })),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(anyLimits(5), fc.constantFrom('minutes', 'hours', 'days'), when)
        .map(([bounds, rule_units, rate_applies_when]) => ({
          rule_type: 'time',
          rule_units,
          rate_applies_when,
          ...bounds,
        })),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(anyLimits(25), fc.constantFrom('mph', 'kph'))
        .map(([bounds, rule_units]) => ({ rule_type: 'speed', rule_units, ...bounds })),
    },
    { weight: 1, arbitrary: fc.constant({ rule_type: 'user' }) },
  )
  return fc.tuple(fc.record(common), kind).map(([rule, kindFields]): MdsRule => ({ ...rule, ...kindFields }))
}

const anyPolicy = (policy_id: string, now: number): fc.Arbitrary<MdsPolicy> =>
  fc.record({
    policy_id: fc.constant(policy_id),
    name: fc.constant(policy_id),
    mode_id: fc.constantFrom(
      null,
      undefined,
      null,
      'micromobility',
      'micromobility',
      'micromobility',
      'micromobility',
      'car-share',
    ),
    start_date: fc.constantFrom(now - 100 * hourMs, now - 100 * hourMs, now, now + 1),
    end_date: fc.constantFrom(null, null, now, now + 1),
    prev_policies: fc.constantFrom(null, [], ['p0']),
    provider_ids: fc.constantFrom(null, [], ['o1'], ['o2', 'o1']),
    rules: fc
      .integer({ min: 0, max: 4 })
      .chain((count) =>
        fc.tuple(...Array.from({ length: count }, (_, index) => anyRule(`${policy_id}-${index}`))),
      ),
  })

const anyVehicle = (device_id: string): fc.Arbitrary<FleetVehicle> =>
  fc.record({
    device_id: fc.constant(device_id),
    provider_id: fc.constantFrom('o1', 'o2'),
    vehicle_type: fc.constantFrom('bicycle', 'scooter_standing', 'car'),
    propulsion_types: fc.constantFrom(['electric'], ['human'], ['human', 'electric_assist'], []),
    mode_id: fc.constantFrom(
      undefined,
      null,
      undefined,
      null,
      'micromobility',
      'micromobility',
      'micromobility',
      'car-share',
    ),
  })

const place = fc
  .record({
    lat: fc.integer({ min: -1, max: 9 }),
    lng: fc.integer({ min: -1, max: 9 }),
    beside: fc.integer({ min: 0, max: 2 }),
  })
  .map(({ lat, lng, beside }) => ({ lat: lat * cell, lng: lng * cell + beside * nudge }))
/** Ages of events in whole minutes: usually some hours, some at the limit after which vehicles are lost. */
const age = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 400 }) },
  { weight: 1, arbitrary: fc.integer({ min: 2878, max: 2882 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 8000 }) },
  { weight: 1, arbitrary: fc.integer({ min: -10, max: -1 }) },
)

const anyEvent = (now: number, ids: string[]): fc.Arbitrary<Omit<FleetEvent, 'event_id'>> =>
  fc.record({
    device_id: fc.constantFrom(...ids),
    vehicle_state: fc.oneof(
      { weight: 4, arbitrary: fc.constant('available' as const) },
      { weight: 5, arbitrary: fc.constantFrom(...states) },
    ),
    event_types: fc.subarray([...eventTypes], { minLength: 1, maxLength: 2 }),
    timestamp: age.map((minutes) => now - minutes * 60_000),
    location: fc.oneof(
      { weight: 8, arbitrary: fc.constant({ lat: 2 * cell, lng: 2 * cell }) },
      { weight: 12, arbitrary: place },
      { weight: 1, arbitrary: fc.constant(null) },
    ),
    speed: fc.constantFrom(0, 3.1, 6.7056, 7, 12),
  })

/** A city at a moment: rules of every kind, varied areas, two fleets, and events in any order. */
export const randomCase: fc.Arbitrary<FleetCase> = fc
  .tuple(clock, fc.integer({ min: 1, max: 14 }))
  .chain(([at, size]) => {
    const ids = Array.from({ length: size }, (_, index) => `d${index}`)
    return fc.record({
      id: fc.constant('random'),
      clock: fc.constant(at),
      policies: fc.tuple(anyPolicy('p0', at.now), anyPolicy('p1', at.now)),
      geographies: fc.constant(
        Object.entries(areas).map(([geography_id, coordinates]) => ({
          geography_id,
          name: geography_id,
          geography_json: { type: 'Polygon' as const, coordinates },
        })),
      ),
      vehicles: fc.tuple(...ids.map(anyVehicle)),
      events: fc
        .array(anyEvent(at.now, ids), { maxLength: 40, size: 'max' })
        .map((events) => events.map((event, index) => ({ ...event, event_id: `e${index}` }))),
    })
  })
