// Random cities around clock changes, with policies of every type and facts on borders and limits.
import fc from 'fast-check'
import { dayFromNumber, dayMs, hourMs, minuteMs } from '#contract/period.ts'
import type { Area, Position } from '#contract/place.ts'
import { policyTypes } from '#contract/policy-types/list.ts'
import { sentPolicy } from '#contract/policy-types/sent-policy.ts'
import { PolicyFields, vehicleStateGroups } from '#contract/policy.ts'
import { vehicleStateNames } from '#contract/vehicle-states.ts'
import type {
  PlainCity,
  PlainEvent,
  PlainShape,
  PlainPoint,
  PlainParkingEvent,
  PlainRevision,
  PlainInterval,
  PlainTrip,
  PlainVehicle,
} from './plain-city.ts'
import { plainClock } from './plain-clock.ts'
import { positions } from '../positions.ts'

export const never = Date.UTC(2299, 11, 31)
/** Returns the n-th id of a kind. Different ids differ at the beginning. */
export const makeId = (kind: number, n: number): string =>
  `${((n * 2_654_435_761) % 2 ** 32).toString(16).padStart(8, '0')}-000${kind}-4000-8000-${n.toString(16).padStart(12, '0')}`

/** Days with clock changes of an hour or half an hour, and ordinary days. */
export const days: readonly [zone: string, day: number][] = [
  ['America/New_York', Date.UTC(2026, 2, 8)],
  ['America/New_York', Date.UTC(2026, 10, 1)],
  ['Australia/Lord_Howe', Date.UTC(2026, 3, 5)],
  ['Australia/Lord_Howe', Date.UTC(2026, 9, 4)],
  ['Asia/Kolkata', Date.UTC(2026, 6, 4)],
].map(([zone, ms]) => [zone as string, (ms as number) / dayMs])

/** Returns a coordinate on a grid with steps of 0.01 degrees (a kilometer). Steps of 0.01 are ten meters. */
const getCoordinate = (steps: number, from: number): number => Math.round((from + steps / 100) * 1e6) / 1e6
const toPosition = (x: number, y: number): Position => [getCoordinate(x, -75), getCoordinate(y, 37)]
const makeBox = (x: number, y: number, width: number, height = width): Position[] => [
  toPosition(x, y),
  toPosition(x + width, y),
  toPosition(x + width, y + height),
  toPosition(x, y + height),
  toPosition(x, y),
]
const makePolygon = (...coordinates: Position[][]): Area => ({ type: 'Polygon', coordinates })
/** Areas: adjacent, overlapping, with a hole and within it, in two parts, with diagonal borders. */
export const areas: Record<string, Area> = {
  west: makePolygon(makeBox(0, 0, 2)),
  east: makePolygon(makeBox(2, 0, 2)),
  over: makePolygon(makeBox(1, 1, 2)),
  ring: makePolygon(makeBox(0, 0, 4), makeBox(1, 1, 2)),
  inner: makePolygon(makeBox(1, 1, 2)),
  parts: {
    type: 'MultiPolygon',
    coordinates: [[makeBox(0, 0, 1)], [makeBox(2, 2, 2, 1), makeBox(2.25, 2.25, 0.5)], [makeBox(1, 1, 1)]],
  },
  slant: makePolygon([
    toPosition(0.137, -0.213),
    toPosition(4.391, 1.117),
    toPosition(1.703, 4.219),
    toPosition(0.137, -0.213),
  ]),
}
export const makeShape = (name: string): PlainShape => ({
  shape_uuid: makeId(5, Object.keys(areas).indexOf(name) + 1),
  name,
  areas: [areas[name] as Area],
})
const wholeRegion: PlainShape = {
  shape_uuid: null,
  name: 'City',
  areas: [makePolygon(makeBox(-1, -1, 4, 6)), makePolygon(makeBox(3, -1, 2, 3))],
  outline: makePolygon(
    positions('-1 -1, 5 -1, 5 2, 3 2, 3 5, -1 5, -1 -1').map(([x, y]) =>
      toPosition(x as number, y as number),
    ),
  ),
}

const lattice = fc.oneof(
  { weight: 2, arbitrary: fc.integer({ min: -1, max: 5 }) },
  { weight: 4, arbitrary: fc.integer({ min: -1, max: 4 }).map((n) => n + 0.5) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.integer({ min: 0, max: 4 }), fc.constantFrom(-0.01, 0.01))
      .map(([n, beside]) => n + beside),
  },
)
export const place = fc.oneof(
  {
    weight: 14,
    arbitrary: fc
      .tuple(lattice, lattice)
      .map(([x, y]) => ({ lon: toPosition(x, y)[0], lat: toPosition(x, y)[1] })),
  },
  { weight: 1, arbitrary: fc.constant({ lon: NaN, lat: NaN }) },
)
const known = place.filter(({ lon }) => !Number.isNaN(lon))
export const accuracy = fc.constantFrom(NaN, NaN, 0, 4, 40, 3000)
const operators = ['one', 'two', 'three']

const makeDeviceId = (n: number): string => makeId(1, n)
/** Devices, by operator in turn. The last one of each operator is not registered. */
const devices = Array.from({ length: 12 }, (_, n) => ({
  operator: operators[n % 3] as string,
  device: makeDeviceId(n + 1),
  isRegistered: n < 9,
}))
const anyVehicles = fc.tuple(
  ...devices
    .filter(({ isRegistered }) => isRegistered)
    .map(({ operator, device }): fc.Arbitrary<PlainVehicle> =>
      fc.record({
        operator: fc.constant(operator),
        device: fc.constant(device),
        type: fc.constantFrom('bicycle', 'scooter_standing'),
        propulsion: fc.constantFrom(['electric'], ['human'], ['human', 'electric_assist'], []),
      }),
    ),
)

/** Moments from before the first day on: full minutes, and within a millisecond of full and half hours. */
export const anyMoment = (from: number, until: number): fc.Arbitrary<number> =>
  fc
    .oneof(
      fc
        .integer({ min: Math.ceil(from / minuteMs), max: Math.floor((until - 1) / minuteMs) })
        .map((n) => n * minuteMs),
      fc
        .tuple(
          fc.integer({ min: Math.ceil(from / hourMs) * 2, max: Math.floor(until / hourMs) * 2 - 1 }),
          fc.constantFrom(-1, 0, 0, 1, 1001),
        )
        .map(([n, beside]) => (n * hourMs) / 2 + beside),
    )
    .filter((time) => time < until)

const device = fc.constantFrom(...devices.map(({ operator, device: id }) => ({ operator, device: id })))
const state = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('available' as const, 'on_trip' as const) },
  { weight: 2, arbitrary: fc.constantFrom(...vehicleStateNames) },
)
const types = fc
  .subarray(['provider_drop_off', 'trip_end', 'agency_drop_off', 'battery_low'] as const, {
    minLength: 1,
    maxLength: 2,
  })
  .map((types) => [...types])

/** Speeds, some of them exactly a limit. */
const speed = fc.constantFrom(NaN, NaN, 0, 3.1, 6.7056, 6.7057, 25 / 3.6, 7, 12)

/** When an operator usually sends records: hours of each week, and days of the test. */
interface Habits {
  hours: number[]
  weeks: number
  days: boolean[]
}

export interface RandomDays {
  city: PlainCity
  revisions: PlainRevision[]
  days: string[]
}

const time = fc.constantFrom(
  null,
  null,
  '00:00:00',
  '01:00:00',
  '02:00:00',
  '06:00:00',
  '12:00:00',
  '22:00:00',
)
const minuteTime = fc.oneof(time, fc.constantFrom('01:30:00', '02:15:00', '23:59:59'))
const count = fc.constantFrom(null, 0, 1, 1, 2, 3, 5)
const percent = fc.constantFrom(null, 10, 25, 50, 100)
const anyBounds = (values: fc.Arbitrary<number | null>) =>
  fc
    .tuple(values, values)
    .map(([first, second]) =>
      first !== null && second !== null && first > second
        ? { minimum: second, maximum: first }
        : { minimum: first, maximum: second },
    )

const anyPolicy: fc.Arbitrary<PolicyFields> = fc
  .constantFrom(...policyTypes)
  .chain((type) =>
    fc
      .record({
        policy_type: fc.constant(type.name),
        policy_name: fc.constant(type.name),
        allocation: fc.constantFrom(
          'vehicles_per_operator_per_shape',
          'percent_vehicles_per_operator_per_shape',
        ),
        limits:
          type.name === 'preferred_parking' || type.name === 'distribution'
            ? anyBounds(fc.oneof(count, percent))
            : type.name === 'slow_ride'
              ? fc.constantFrom(null, 15, 25, 25, 6).map((maximum) => ({ minimum: null, maximum }))
              : type.name === 'parking_time_limit'
                ? anyBounds(fc.constantFrom(null, 0, 1, 2, 30, 90))
                : anyBounds(count),
        unit: type.units ? fc.constantFrom(...type.units) : fc.constant(null),
        isCitywide: type.place === 'shapes_or_citywide' ? fc.boolean() : fc.constant(false),
        operators: fc.oneof(
          { weight: 3, arbitrary: fc.constant<string[]>([]) },
          { weight: 1, arbitrary: fc.subarray(operators, { minLength: 1 }) },
        ),
        vehicle_types: fc.oneof(
          { weight: 3, arbitrary: fc.constant([]) },
          { weight: 1, arbitrary: fc.subarray(['bicycle', 'scooter_standing', 'scooter', 'other']) },
        ),
        propulsion_types: fc.oneof(
          { weight: 4, arbitrary: fc.constant([]) },
          { weight: 1, arbitrary: fc.subarray(['electric', 'human', 'electric_assist'], { minLength: 1 }) },
        ),
        vehicle_states: fc.constantFrom(
          ...Object.values(vehicleStateGroups).map((states) => states && [...states]),
          ['non_operational', 'removed'],
        ),
        method: fc.constantFrom('max', 'sae_max', 'avg', 'daytime_avg', null),
        start_time: type.timeWindowUnit === 'minutes' ? minuteTime : time,
        end_time: type.timeWindowUnit === 'minutes' ? minuteTime : time,
        days: fc.oneof(
          { weight: 2, arbitrary: fc.constant<number[]>([]) },
          { weight: 1, arbitrary: fc.subarray([1, 2, 5, 6, 7]) },
        ),
      })
      .map(({ limits, isCitywide, method, ...fields }) =>
        sentPolicy(
          PolicyFields.parse({
            ...fields,
            ...limits,
            ...(isCitywide ? { shape_layer_uuid: 'citywide' } : { shape_layer_uuid: makeId(6, 1) }),
            fee_properties: { vehicle_count_method: method },
          }),
        ),
      ),
  )
  .filter(({ start_time: start, end_time: end }) => start === null || start !== end)

const wholeTypes = new Set(
  policyTypes.filter(({ place: where }) => where === 'region').map(({ name }) => name),
)

/** Revisions, usually in force all the time. Some begin or end within a day. */
const anyRevision = (begin: number, number: number): fc.Arbitrary<PlainRevision> =>
  fc
    .record({
      policy: anyPolicy,
      names: fc.subarray(Object.keys(areas), { minLength: 1, maxLength: 4 }),
      from: fc.oneof(
        { weight: 3, arbitrary: fc.constant(begin - 90 * dayMs) },
        { weight: 1, arbitrary: anyMoment(begin, begin + 3 * dayMs) },
      ),
      until: fc.oneof(
        { weight: 3, arbitrary: fc.constant(null) },
        { weight: 1, arbitrary: anyMoment(begin + 3 * hourMs, begin + 4 * dayMs) },
      ),
    })
    .filter(({ from, until }) => until === null || until > from)
    .map(({ policy, names, from, until }) => ({
      policy_uuid: makeId(7, number),
      policy,
      from,
      until,
      shapes:
        wholeTypes.has(policy.policy_type) || policy.shape_layer_uuid === 'citywide'
          ? [wholeRegion]
          : names.map(makeShape),
    }))

/** Derives the times of states from events that are in order and at different times. */
function deriveStays(events: readonly PlainEvent[], vehicles: readonly PlainVehicle[]): PlainInterval[] {
  return devices.flatMap(({ operator, device: id }) => {
    const line = events.filter((event) => event.device === id).toSorted((a, b) => a.time - b.time)
    const type = vehicles.find((vehicle) => vehicle.device === id)?.type ?? 'other'
    return line.map(({ time: from, lon, lat, state: now }, n): PlainInterval => ({
      operator,
      device: id,
      type,
      from,
      to: line[n + 1]?.time ?? never,
      state: now,
      lon,
      lat,
    }))
  })
}

/** Returns the events of a vehicle without a place, in the usual hours of the weeks before and on some days. */
function makeUsualEvents(
  habits: readonly Habits[],
  zone: string,
  firstDay: number,
  now: number,
): PlainEvent[] {
  const clock = plainClock(zone)
  let n = 0
  const makeEvent = (operator: string, time: number): PlainEvent => ({
    operator,
    device: makeId(1, 100 + operators.indexOf(operator)),
    id: makeId(2, 50_000 + n++),
    time,
    state: 'removed',
    types: ['maintenance_pick_up'],
    lon: NaN,
    lat: NaN,
  })
  return habits
    .flatMap(({ hours, weeks, days: active }, index) => {
      const operator = operators[index] as string
      const usual = Array.from({ length: weeks }, (_, week) =>
        active.map((_, day) => firstDay + day - 7 * (week + 1)),
      ).flat()
      return [
        ...usual.flatMap((day) => hours.map((hour) => makeEvent(operator, clock.at(day, hour * 3600 + 600)))),
        ...active.flatMap((isActive, day) =>
          isActive ? [makeEvent(operator, clock.at(firstDay + day, 45_000))] : [],
        ),
      ]
    })
    .filter(({ time: at }) => at < now)
}

/** Returns the last value of each key. */
const takeLast = <T>(all: readonly T[], key: (item: T) => string): T[] => [
  ...new Map(all.map((item) => [key(item), item])).values(),
]

/** A city during four days, with policies to evaluate. */
export const randomDays: fc.Arbitrary<RandomDays> = fc
  .tuple(fc.constantFrom(...days), fc.constantFrom(4 * 24, 4 * 24 - 7.5, 4 * 24 + 30))
  .chain(([[timezone, changeDay], nowHours]) => {
    const firstDay = changeDay - 1
    const begin = plainClock(timezone).at(firstDay, 0)
    const now = begin + nowHours * hourMs - 754_321
    const soon = anyMoment(begin - 30 * hourMs, now)
    const someDays = [0, 1, 2, 3].map((n) => dayFromNumber(firstDay + n))
    const anyEvent = fc.record({ who: device, time: soon, state, types, where: place })
    const anyRest = fc.record({
      who: device,
      from: soon,
      length: fc.oneof(
        fc.constantFrom(
          minuteMs,
          2 * minuteMs,
          hourMs,
          2 * hourMs,
          24 * hourMs,
          30 * hourMs,
          30 * minuteMs,
          90 * minuteMs,
        ),
        fc.integer({ min: 1, max: 3000 }).map((n) => n * 61_001),
      ),
      where: place,
      accuracy,
    })
    const anyRoute = fc.option(
      fc.array(fc.record({ where: known, seconds: fc.constantFrom(0, 1, 60, 600, 1800) }), {
        minLength: 2,
        maxLength: 5,
      }),
      { freq: 3, nil: null },
    )
    const anyTrip = fc.record({
      who: device,
      start: soon,
      length: fc.option(fc.integer({ min: 0, max: 200 }), { freq: 8, nil: null }),
      from: place,
      to: place,
      way: anyRoute,
      source: fc.constantFrom('file' as const, 'report' as const, 'events' as const, 'both' as const),
    })
    const anyPoints = fc.record({
      who: device,
      trip: fc.option(fc.integer({ min: 1, max: 4 }), { freq: 6, nil: null }),
      start: soon,
      points: fc.array(
        fc.record({
          after: fc.constantFrom(10_000, 60_000, 120_000, 300_000, 300_001),
          where: known,
          speed,
          accuracy,
        }),
        { minLength: 2, maxLength: 6 },
      ),
    })
    const anyHabits = fc.record({
      hours: fc.oneof(
        { weight: 3, arbitrary: fc.constant<number[]>([]) },
        { weight: 1, arbitrary: fc.subarray([0, 1, 2, 7, 12, 23]) },
      ),
      weeks: fc.integer({ min: 0, max: 4 }),
      days: fc.array(fc.constantFrom(true, true, true, false), { minLength: 4, maxLength: 4 }),
    })
    return fc
      .record({
        vehicles: anyVehicles,
        events: fc.array(anyEvent, { minLength: 60, maxLength: 120 }),
        parkingEvents: fc.array(anyRest, { minLength: 60, maxLength: 120 }),
        trips: fc.array(anyTrip, { minLength: 30, maxLength: 70 }),
        points: fc.array(anyPoints, { minLength: 20, maxLength: 40 }),
        habits: fc.tuple(anyHabits, anyHabits, anyHabits),
        lostAfterHours: fc.constantFrom(5, 24, 48),
        operatingHours: fc.constantFrom(
          { from: '06:00', until: '22:00' },
          { from: '21:30', until: '05:15' },
          { from: '00:00', until: '24:00' },
        ),
        countsUncertain: fc.boolean(),
        revisions: fc.tuple(...Array.from({ length: 12 }, (_, n) => anyRevision(begin, n + 1))),
      })
      .map(({ vehicles, events, parkingEvents, trips, points, habits, revisions, ...region }): RandomDays => {
        const getType = (id: string) => vehicles.find((vehicle) => vehicle.device === id)?.type ?? 'other'
        const distinctEvents = takeLast(
          events,
          ({ who: vehicle, time: at }) => `${vehicle.device} ${at}`,
        ).map(({ who: vehicle, where, ...event }, n): PlainEvent => ({
          ...vehicle,
          ...where,
          ...event,
          id: makeId(2, n + 1),
        }))
        return {
          revisions,
          days: someDays,
          city: {
            region: { timezone, ...region },
            operators,
            vehicles,
            now,
            intervals: deriveStays(distinctEvents, vehicles),
            events: [...distinctEvents, ...makeUsualEvents(habits, timezone, firstDay, now)],
            parkingEvents: takeLast(
              parkingEvents,
              ({ who: vehicle, from }) => `${vehicle.device} ${from}`,
            ).map(({ who: vehicle, from, length, where, accuracy: meters }): PlainParkingEvent => ({
              ...vehicle,
              ...where,
              type: getType(vehicle.device),
              from,
              to: from + length,
              accuracy: meters,
            })),
            trips: trips.map(({ who: vehicle, start, length, from, to, way, source }, n): PlainTrip => {
              let passed = 0
              const times =
                way?.map(({ where, seconds }, step) => ({
                  ...where,
                  time: start + (step === 0 ? 0 : (passed += seconds)) * 1000,
                })) ?? null
              // Files have their own vehicle ids.
              return {
                operator: vehicle.operator,
                device: source === 'file' ? `A-${n % 5}` : vehicle.device,
                tripId: makeId(3, n + 1),
                type: source === 'file' ? 'bicycle' : getType(vehicle.device),
                start,
                end: length === null ? null : start + length * minuteMs,
                startLon: from.lon,
                startLat: from.lat,
                endLon: to.lon,
                endLat: to.lat,
                route: source === 'file' ? null : times,
                source,
              }
            }),
            points: takeLast(
              points.flatMap(({ who: vehicle, trip, start, points: line }) => {
                let time = start
                return line.map(({ after, where, ...item }) => ({
                  ...vehicle,
                  ...where,
                  ...item,
                  tripId: trip === null ? null : makeId(4, trip),
                  time: (time += after),
                }))
              }),
              (point) => `${point.device} ${point.time}`,
            )
              .map((point, n): PlainPoint => ({ ...point, id: makeId(8, n + 1) }))
              .filter(({ time: at }) => at < now),
          },
        }
      })
  })
