// Random fleets and MDS policies: overlapping rules, windows across midnight, limits reached to the minute.
import fc from 'fast-check'
import { mdsDays, type MdsRule } from '#contract/mds-policy.ts'
import { dayFromNumber, hourMs, minuteMs } from '#contract/period.ts'
import type { EventType, VehicleState } from '#contract/vehicle-states.ts'
import type { PlainCity, PlainPoint, PlainInterval, PlainVehicle } from './plain-city.ts'
import { plainClock } from './plain-clock.ts'
import { accuracy, areas, days, makeId, anyMoment, never, place } from './random-days.ts'

const operators = ['one', 'two']
const states: readonly VehicleState[] = [
  'available',
  'available',
  'available',
  'reserved',
  'on_trip',
  'non_operational',
  'removed',
  'missing',
]
const events: readonly EventType[] = ['trip_end', 'trip_start', 'provider_drop_off', 'battery_low']
/** Speeds, some exactly at a limit and some close to it. */
const speed = fc.constantFrom(0, 3.1, 25 / 3.6, 6.95, 6.7056, 6.7057, 12)

const anyOptionalSubset = <T>(values: readonly T[]): fc.Arbitrary<T[] | null> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.subarray([...values], { minLength: 1 }) },
  )
const anyLimits = (max: number) => {
  const bound = fc.option(fc.integer({ min: 0, max }), { freq: 2, nil: null })
  return fc
    .tuple(bound, bound)
    .map(([first, second]) =>
      first !== null && second !== null && first > second
        ? { minimum: second, maximum: first }
        : { minimum: first, maximum: second },
    )
}
const clockTime = fc.constantFrom(
  null,
  null,
  null,
  '00:00:00',
  '01:30:00',
  '02:15:00',
  '06:00:30',
  '12:00:00',
  '22:00:00',
  '23:59:59',
)

const anyRule = (n: number): fc.Arbitrary<MdsRule> => {
  const when = fc.constantFrom(null, null, 'out_of_bounds' as const, 'in_bounds' as const)
  const kind = fc.oneof(
    {
      weight: 4,
      arbitrary: anyLimits(3).map((bounds) => ({ rule_type: 'count', rule_units: 'devices', ...bounds })),
    },
    {
      weight: 3,
      arbitrary: fc
        .tuple(
          fc.oneof(
            anyLimits(4).map((bounds) => ({ rule_units: 'hours', ...bounds })),
            anyLimits(90).map((bounds) => ({ rule_units: 'minutes', ...bounds })),
            fc.constantFrom(1, 2, 3).map((maximum) => ({ rule_units: 'days', maximum })),
          ),
          when,
        )
        .map(([bounds, rate_applies_when]) => ({ rule_type: 'time', rate_applies_when, ...bounds })),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(
          fc.constantFrom(
            { rule_units: 'kph', maximum: 25 },
            { rule_units: 'mph', maximum: 15 },
            { rule_units: 'kph', minimum: 5, maximum: null },
          ),
          when,
        )
        .map(([bounds, rate_applies_when]) => ({ rule_type: 'speed', rate_applies_when, ...bounds })),
    },
    { weight: 1, arbitrary: fc.constant({ rule_type: 'user' }) },
  )
  const common = {
    rule_id: fc.constant(`rule-${n}`),
    name: fc.constant(`Rule ${n}`),
    geographies: fc.subarray(Object.keys(areas), { minLength: 1, maxLength: 2 }),
    states: fc.option(
      fc.dictionary(
        fc.constantFrom(...states),
        fc.oneof(
          { weight: 3, arbitrary: fc.constant<EventType[]>([]) },
          { weight: 1, arbitrary: fc.subarray([...events], { minLength: 1, maxLength: 3 }) },
        ),
        { maxKeys: 3, noNullPrototype: true },
      ),
      { freq: 1, nil: null },
    ),
    vehicle_types: anyOptionalSubset(['bicycle', 'scooter']),
    propulsion_types: anyOptionalSubset(['electric', 'human']),
    accessibility_options: fc.oneof(
      { weight: 6, arbitrary: fc.constant(null) },
      { weight: 1, arbitrary: fc.constant<string[]>(['wheelchair_accessible']) },
    ),
    days: anyOptionalSubset(mdsDays),
    start_time: clockTime,
    end_time: clockTime,
    inclusive_minimum: fc.constantFrom(null, true, false),
    inclusive_maximum: fc.constantFrom(null, true, false),
  }
  return fc.tuple(fc.record(common), kind).map(([rule, kindFields]): MdsRule => ({ ...rule, ...kindFields }))
}

const anyRules = fc
  .integer({ min: 1, max: 5 })
  .chain((count) => fc.tuple(...Array.from({ length: count }, (_, n) => anyRule(n + 1))))

export interface RandomRules {
  city: PlainCity
  days: string[]
  /** Start of the policies, in milliseconds. */
  from: number
  policies: MdsRule[][]
}

/** A city of two operators over some days; tests evaluate the last two. */
export const randomRules: fc.Arbitrary<RandomRules> = fc
  .constantFrom(...days)
  .chain(([timezone, changeDay]) => {
    const clock = plainClock(timezone)
    const [begin, end] = [clock.at(changeDay, 0), clock.at(changeDay + 2, 0)]
    const devices = Array.from({ length: 14 }, (_, n) => ({
      operator: operators[n % 2] as string,
      device: makeId(1, n + 1),
    }))
    const anyVehicle = ({ operator, device }: (typeof devices)[number]): fc.Arbitrary<PlainVehicle> =>
      fc.record({
        operator: fc.constant(operator),
        device: fc.constant(device),
        type: fc.constantFrom('bicycle', 'scooter_standing'),
        propulsion: fc.constantFrom(['electric'], ['human'], ['human', 'electric_assist'], []),
        accessibility: fc.constantFrom([], ['wheelchair_accessible', 'audio_cue']),
      })
    // Usually on these days, some long before, for vehicles without contact and for long time limits.
    const anyTime = fc.oneof(
      { weight: 5, arbitrary: anyMoment(begin - 6 * hourMs, end) },
      { weight: 2, arbitrary: anyMoment(begin - 80 * hourMs, begin) },
    )
    // Often at the same places, so that time limits continue across states.
    const where = fc.oneof(
      {
        weight: 2,
        arbitrary: fc.constantFrom({ lon: -74.985, lat: 37.015 }, { lon: -74.985, lat: 37.015_4 }),
      },
      { weight: 3, arbitrary: place },
    )
    const anyEvent = fc.record({
      who: fc.constantFrom(...devices),
      time: anyTime,
      state: fc.constantFrom(...states),
      types: fc.subarray([...events], { minLength: 1, maxLength: 2 }),
      where,
      accuracy,
    })
    const anyPoint = fc.record({
      who: fc.constantFrom(...devices),
      time: anyMoment(begin, end),
      where: place,
      speed,
      accuracy,
      isTrip: fc.constantFrom(true, true, true, false),
    })
    return fc
      .record({
        vehicles: fc.tuple(...devices.map(anyVehicle)),
        events: fc.array(anyEvent, { minLength: 60, maxLength: 120 }),
        points: fc.array(anyPoint, { minLength: 20, maxLength: 40 }),
        lostAfterHours: fc.constantFrom(5, 24, 48),
        from: fc.oneof(
          { weight: 3, arbitrary: fc.constant(begin - 1000 * hourMs) },
          { weight: 1, arbitrary: anyMoment(begin, begin + 20 * hourMs) },
        ),
        now: fc.constantFrom(end + hourMs, end - 5 * hourMs - 12_345),
        policies: fc.array(anyRules, { minLength: 4, maxLength: 4 }),
      })
      .map(({ vehicles, events: all, points, lostAfterHours, from, now, policies }): RandomRules => {
        const intervals = vehicles.flatMap(({ operator, device, type }) => {
          const own = [
            ...new Map(
              all.filter(({ who: vehicle }) => vehicle.device === device).map((event) => [event.time, event]),
            ).values(),
          ].toSorted((a, b) => a.time - b.time)
          return own.map((event, n): PlainInterval => ({
            operator,
            device,
            type,
            ...event.where,
            from: event.time,
            to: own[n + 1]?.time ?? never,
            state: event.state,
            types: event.types,
            accuracy: event.accuracy,
          }))
        })
        const typeless = points.filter(({ where: { lon }, time }) => !Number.isNaN(lon) && time < now)
        return {
          days: [dayFromNumber(changeDay), dayFromNumber(changeDay + 1)],
          from,
          policies,
          city: {
            region: {
              timezone,
              lostAfterHours,
              operatingHours: { from: '06:00', until: '22:00' },
              countsUncertain: false,
            },
            operators,
            vehicles,
            now,
            intervals: intervals.filter(({ from: at }) => at < now),
            parkingEvents: [],
            trips: [],
            events: [],
            points: typeless.map(({ who: vehicle, time, where: at, isTrip, ...point }, n): PlainPoint => ({
              ...vehicle,
              ...at,
              ...point,
              time: time - (time % minuteMs) + n,
              id: makeId(8, n + 1),
              tripId: isTrip ? makeId(4, n + 1) : null,
            })),
          },
        }
      })
  })
