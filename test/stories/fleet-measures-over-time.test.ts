import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import {
  type FleetMethod as FleetMethods,
  getMedianTripDistance,
  getNonOperationalSummary,
  getTripsByTimePeriod,
  getVehiclesByHour,
  getVehiclesByTimePeriod,
  listNonOperationalEvents,
} from '#contract/fleet-figures.ts'
import { queryMetrics } from '#contract/metrics.ts'
import { listParkingEvents } from '#contract/parking.ts'
import { getParkingSessionsByMakeModel, listCurbParkingEvents } from '#contract/parking-sessions.ts'
import { hourMs } from '#contract/period.ts'
import type { VehicleState } from '#contract/vehicle-states.ts'
import { call, openTestApp, readProblem, send, type TestApp } from '../app.ts'
import { makeCity, storeFleet } from '../city.ts'
import { fleetEvents, fleetPeriod, fleetVehicles, plainFleetFacts } from '../city/fleet.ts'
import { type PlainInterval, plainFleetSize } from '../city/plain-fleet-size.ts'
import { cityTrips } from '../city/trips.ts'

let app: TestApp
let city: Awaited<ReturnType<typeof makeCity>>
const params = { region_id: 'alder' }
/** Attributes as in MDS 2.0, as in MDS 1.2, and none. */
const makes = [
  { make: 'Acme', model: 'One', attributes: { vehicle_attributes: { make: 'Acme', model: 'One' } } },
  { make: 'Boreal', model: '', attributes: { mfgr: 'Boreal' } },
  { make: '', model: '', attributes: {} },
]
const madeVehicles = fleetVehicles.map((vehicle, n) => ({
  ...vehicle,
  attributes: JSON.stringify(makes[n % makes.length]?.attributes),
}))
beforeAll(async () => {
  app = await openTestApp()
  city = await makeCity(app)
  await storeFleet(app, city, fleetEvents, madeVehicles)
})
afterAll(() => app.close())

const { intervals } = plainFleetFacts(fleetEvents, 48)
const operators = ['alder-bikes', 'birch-scoot', 'cargo-co']
const listIntervals = (operator: string | null = null, state: VehicleState | null = null): PlainInterval[] =>
  intervals
    .filter(
      (interval) =>
        (operator === null || interval.operator === operator) && (state === null || interval.state === state),
    )
    .map((interval) => ({
      operator: interval.operator,
      from: interval.from,
      to: interval.to,
      state: interval.state as VehicleState,
    }))
const getFleetSize = (method: FleetMethod, intervals: PlainInterval[], from: number, until: number): number =>
  plainFleetSize(method, intervals, {
    from,
    until,
    timezone: 'America/New_York',
    operatingFrom: '06:00',
    operatingUntil: '22:00',
    lostAfterHours: 48,
  })
type FleetMethod = (typeof FleetMethods)['options'][number]

const closeTo = (value: number | null): unknown => (value === null ? null : expect.closeTo(value, 6))

/** Returns the start of a local day of March 2026 in New York, where the clocks change on the 8th. */
const getMidnight = (day: number): number => Date.UTC(2026, 2, day, day > 8 ? 4 : 5)

describe('fleet size over time', () => {
  it('equals a count minute by minute for each hour, and its states add up', async () => {
    const { items } = await call(app, city.viewer, getVehiclesByHour, {
      params,
      query: { start_date: '2026-03-07', end_date: '2026-03-09' },
    })
    expect(items.some(({ day, hour }) => day === '2026-03-08' && hour === 2)).toBe(false)
    for (const operator of operators)
      for (let at = getMidnight(7); at < getMidnight(10); at += 5 * hourMs) {
        const local = new Date(at - (at >= Date.UTC(2026, 2, 8, 7) ? 4 : 5) * hourMs)
        const item = items.find(
          (row) =>
            row.operator === operator &&
            row.day === local.toISOString().slice(0, 10) &&
            row.hour === local.getUTCHours(),
        )
        expect(item?.vehicles ?? 0).toBeCloseTo(
          getFleetSize('avg', listIntervals(operator), at, at + hourMs),
          6,
        )
        expect(Object.values(item?.states ?? {}).reduce((sum, value) => sum + value, 0)).toBeCloseTo(
          item?.vehicles ?? 0,
          9,
        )
      }
    expect(
      readProblem(
        await send(app, city.viewer, getVehiclesByHour, {
          params,
          query: { start_date: '2025-01-01', end_date: '2026-03-07' },
        }),
      ).detail,
    ).toBe('A response contains at most 92 days. Choose fewer days.')
  })

  it.each(['avg', 'max', 'sae_max', 'daytime_avg'] as const)(
    'fleet size is returned by day, by %s',
    async (method) => {
      const { items, method: how } = await call(app, city.viewer, getVehiclesByTimePeriod, {
        params,
        query: { start_date: '2026-03-07', end_date: '2026-03-09', method },
      })
      expect(how.name).toBe(method)
      for (const day of [7, 8, 9])
        for (const operator of [null, ...operators]) {
          const item = items.find((item) => item.operator === operator && item.start === `2026-03-0${day}`)
          expect(item?.vehicles ?? 0).toBeCloseTo(
            getFleetSize(method, listIntervals(operator), getMidnight(day), getMidnight(day + 1)),
            6,
          )
        }
    },
  )

  it('is limited to the period by week, for one type', async () => {
    const { items } = await call(app, city.viewer, getVehiclesByTimePeriod, {
      params,
      query: { ...fleetPeriod, period: 'week', vehicle_type: 'bicycle' },
    })
    expect(items.filter(({ operator }) => operator === null).map(({ start }) => start)).toEqual([
      '2026-03-04',
      '2026-03-09',
    ])
    expect(items.find(({ operator }) => operator === 'alder-bikes')?.vehicles).toBeCloseTo(
      getFleetSize('avg', listIntervals('alder-bikes'), getMidnight(4), getMidnight(9)),
      6,
    )
    expect(items.some(({ operator }) => operator === 'birch-scoot')).toBe(false)
    expect(
      readProblem(
        await send(app, city.viewer, getVehiclesByTimePeriod, {
          params,
          query: { start_date: '0001-01-01', end_date: '9999-12-31' },
        }),
      ).detail,
    ).toContain('A response contains at most 100 periods')
  })
})

test('non-operational vehicles are measured by number, share, frequency and duration', async () => {
  const { items } = await call(app, city.viewer, getNonOperationalSummary, { params, query: fleetPeriod })
  expect(items.map(({ operator }) => operator)).toEqual(operators)
  const [from, until] = [getMidnight(4), getMidnight(14)]
  const started = intervals
    .filter(
      (interval) => interval.state === 'non_operational' && interval.from >= from && interval.from < until,
    )
    .toSorted((a, b) => b.from - a.from)
  for (const { operator, vehicles, share, events, average_minutes } of items) {
    const ours = started.filter((interval) => interval.operator === operator)
    expect(vehicles).toBeCloseTo(
      getFleetSize('avg', listIntervals(operator, 'non_operational'), from, until),
      6,
    )
    expect(share).toBeCloseTo((100 * vehicles) / getFleetSize('avg', listIntervals(operator), from, until), 6)
    expect(events).toBe(ours.length)
    expect(average_minutes).toBeCloseTo(
      ours.reduce((sum, interval) => sum + Math.min(interval.to - interval.from, 48 * hourMs), 0) /
        ours.length /
        60_000,
      6,
    )
  }
  const list = await call(app, city.viewer, listNonOperationalEvents, {
    params,
    query: { ...fleetPeriod, operators: 'alder-bikes,cargo-co' },
  })
  expect(list.items.map(({ operator, from: at, to, lon }) => [operator, at, to, lon])).toEqual(
    started
      .filter(({ operator }) => operator !== 'birch-scoot')
      .map(({ operator, from: at, to, lon }) => [
        operator,
        at,
        Math.min(to, at + 48 * hourMs),
        Number.isNaN(lon) ? null : lon,
      ]),
  )
  expect(list.items.find(({ operator }) => operator === 'alder-bikes')?.vehicle_id).toMatch(/^F\d+$/)
  expect(list.items.find(({ operator }) => operator === 'cargo-co')?.vehicle_id).toMatch(/^[0-9a-f-]{36}$/)
})

describe('trips over time', () => {
  const computeMedian = (values: number[]): number | null => {
    const sorted = values.toSorted((a, b) => a - b)
    const [low, high] = [
      sorted[Math.floor((sorted.length - 1) / 2)],
      sorted[Math.ceil((sorted.length - 1) / 2)],
    ]
    return low === undefined || high === undefined ? null : (low + high) / 2
  }
  const getMedian = (trips: typeof cityTrips): number | null =>
    computeMedian(trips.flatMap(({ measured, meters }) => (measured && meters !== null ? [meters] : [])))
  // The trips of the fleet have no distance, so days of trip files are used.
  const march = cityTrips.filter(
    ({ day, vehicleType }) => day >= '2026-03-16' && day <= '2026-04-05' && vehicleType === 'moped',
  )
  const query = { start_date: '2026-03-16', end_date: '2026-04-05', vehicle_type: 'moped' as const }

  it.each([
    ['day', (day: string) => day],
    [
      'week',
      (day: string) => (day < '2026-03-23' ? '2026-03-16' : day < '2026-03-30' ? '2026-03-23' : '2026-03-30'),
    ],
    ['month', (day: string) => (day < '2026-04-01' ? '2026-03-16' : '2026-04-01')],
  ] as const)('trips over time are returned by %s', async (period, getStart) => {
    const { items } = await call(app, city.viewer, getTripsByTimePeriod, {
      params,
      query: { ...query, period },
    })
    const groups = new Map<string, typeof march>()
    for (const trip of march) {
      const key = `${getStart(trip.day)} ${trip.operator}`
      groups.set(key, [...(groups.get(key) ?? []), trip])
    }
    expect(
      items.map(({ start, operator, trips, median_distance_m }) => [
        `${start} ${operator}`,
        trips,
        median_distance_m,
      ]),
    ).toEqual(
      [...groups]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, trips]) => [key, trips.length, closeTo(getMedian(trips))]),
    )
  })

  it('have a median distance without outliers', async () => {
    const sane = march.filter(({ measured, meters }) => measured && meters !== null)
    expect(await call(app, city.viewer, getMedianTripDistance, { params, query })).toEqual({
      median_distance_m: closeTo(getMedian(march)),
      n: sane.length,
      method: { name: 'median', version: 1 },
    })
    expect(
      await call(app, city.viewer, getMedianTripDistance, {
        params,
        query: { ...query, operators: 'nobody' },
      }),
    ).toMatchObject({ median_distance_m: null, n: 0 })
    expect(readProblem(await send(app, city.stranger, getMedianTripDistance, { params, query })).status).toBe(
      404,
    )
  })
})

describe('fleet measures', () => {
  beforeAll(() => app.derivation.idle(['report_days']))

  it('equal the calls for fleets and trips, by day and operator', async () => {
    const methods = ['avg', 'max', 'sae_max', 'daytime_avg'] as const
    const response = await call(app, city.viewer, queryMetrics, {
      params,
      body: {
        measures: [...methods.map((method) => `fleet_${method}` as const), 'trips', 'distance_median'],
        dimensions: ['day', 'operator'],
        ...fleetPeriod,
        compare_start_date: '2026-02-22',
        compare_end_date: '2026-03-03',
      },
    })
    const found = new Map(response.period.rows.map(({ keys, values }) => [keys.join(' '), values]))
    for (const [at, method] of methods.entries()) {
      const { items } = await call(app, city.viewer, getVehiclesByTimePeriod, {
        params,
        query: { ...fleetPeriod, method },
      })
      const own = items.filter(({ operator }) => operator !== null)
      expect(own.length).toBeGreaterThan(20)
      for (const { start, operator, vehicles } of own)
        expect([start, operator, found.get(`${start} ${operator}`)?.[at]?.toFixed(6)]).toEqual([
          start,
          operator,
          vehicles.toFixed(6),
        ])
    }
    const { items } = await call(app, city.viewer, getTripsByTimePeriod, { params, query: fleetPeriod })
    for (const { start, operator, trips, median_distance_m: median } of items) {
      const values = found.get(`${start} ${operator}`)
      expect([start, operator, values?.[4], values?.[5]?.toFixed(2)]).toEqual([
        start,
        operator,
        trips,
        median?.toFixed(2),
      ])
    }
    expect(response.period.totals[4]).toBe(items.reduce((sum, { trips }) => sum + trips, 0))
    expect(response.comparison).toMatchObject({ start_date: '2026-02-22', end_date: '2026-03-03' })
    expect(response).toMatchObject({ pending_days: 0, unfinished_day: null })
    const findFirstTripDay = (operator?: string) =>
      cityTrips.flatMap((trip) => (operator && trip.operator !== operator ? [] : trip.day)).toSorted()[0]
    expect(response.first_day).toBe(findFirstTripDay())
    const body = { measures: ['trips' as const], ...fleetPeriod, operators: ['cargo-co'] }
    const ofOperator = await call(app, city.viewer, queryMetrics, { params, body })
    expect(ofOperator.first_day).toBe(findFirstTripDay('cargo-co'))
    expect(response.methods.map(({ measure, version }) => [measure, version])).toContainEqual([
      'fleet_max',
      1,
    ])
    expect(response.newest_fact).toMatch(/^2026-03-1/)
  })

  it('are unknown, not zero, where there are no facts', async () => {
    const body = { measures: ['trips', 'fleet_avg'] as ('trips' | 'fleet_avg')[], ...fleetPeriod }
    const later = { start_date: '2031-01-01', end_date: '2031-01-02' }
    const response = await call(app, city.viewer, queryMetrics, { params, body: { ...body, ...later } })
    expect([response.period.rows, response.period.totals]).toEqual([[], [null, null]])
    const unknown = readProblem(
      await send(app, city.viewer, queryMetrics, { params, body: { ...body, operators: ['no-one'] } }),
    )
    expect([unknown.status, unknown.detail]).toEqual([
      422,
      "operators: There is no operator 'no-one' in this region.",
    ])
  })

  it.each([
    [{ start_date: '2026-03-14' }, 'The last day is before the first'],
    [{ start_date: '2020-03-04' }, 'A period has at most five years'],
    [{ measures: ['trips', 'happiness'] }, 'body.measures.1'],
    [{ measures: [] }, 'body.measures'],
    [{ compare_start_date: '2026-03-01' }, 'A compared period has both days'],
    [{ dimensions: ['day', 'day'] }, 'Each dimension may occur only once'],
    [{ dimensions: ['day', 'week', 'month'] }, 'At most two dimensions of time'],
    [{ days: [0] }, 'body.days.0'],
    [{ hour_filters: [7, 24] }, 'body.hour_filters.1'],
  ])('fleet measures that are invalid are rejected with the reason: %o', async (wrong, reason) => {
    const problem = readProblem(
      await send(app, city.viewer, queryMetrics, {
        params,
        body: { measures: ['trips'], ...fleetPeriod, ...wrong } as never,
      }),
    )
    expect(problem.status).toBe(422)
    expect(JSON.stringify(problem)).toContain(reason)
  })
})

describe('parking sessions by make and model', () => {
  const query = { start_date: '2026-03-05', end_date: '2026-03-12' }
  /** Counts sessions and minutes of vehicles of a make by operator. */
  const plain = (make: string) => {
    const named = new Map(
      madeVehicles.map(({ deviceId }, n) => [deviceId, makes[n % makes.length]?.make ?? '']),
    )
    const own = fleetEvents.filter(({ deviceId }) => (named.get(deviceId) ?? '') === make)
    const found = new Map<string, { sessions: number; minutes: number }>()
    for (const { operator, type, from, to } of plainFleetFacts(own, 48).parkingEvents) {
      if (from < getMidnight(5) || from >= getMidnight(13)) continue
      const key = `${operator} ${type}`
      const sums = found.get(key) ?? { sessions: 0, minutes: 0 }
      found.set(key, { sessions: sums.sessions + 1, minutes: sums.minutes + (to - from) / 60_000 })
    }
    return found
  }
  it('list those without make or model separately in JSON', async () => {
    const response = await call(app, city.viewer, getParkingSessionsByMakeModel, {
      params,
      query: { ...query, format: 'json' },
    })
    for (const make of ['Acme', 'Boreal', '']) {
      const rows = make ? response.items.filter((item) => item.make === make) : response.without_make_model
      const expected = plain(make)
      expect(rows.length).toBe(expected.size)
      for (const row of rows) {
        const sums = expected.get(`${row.operator} ${row.vehicle_type}`)
        expect(row.parking_sessions).toBe(sums?.sessions)
        expect(row.total_parked_duration).toBeCloseTo(sums?.minutes ?? NaN, 3)
      }
    }
    expect(response.items.find(({ make }) => make === 'Acme')?.model).toBe('One')
  })
  it('are returned as CSV by default, for one operator', async () => {
    const file = await send(app, city.viewer, getParkingSessionsByMakeModel, {
      params,
      query: { ...query, operators: 'alder-bikes' },
    })
    expect(file.headers['content-type']).toBe('text/csv; charset=utf-8')
    const [header, ...lines] = file.body.trim().split('\n')
    expect(header).toBe(
      'operator,vehicle_type,make,model,parking_sessions,total_parked_duration,average_parked_duration',
    )
    expect(lines.length).toBe(3)
    expect(lines.every((line) => line.startsWith('alder-bikes,bicycle,'))).toBe(true)
    expect(lines.at(-1)).toMatch(/^alder-bikes,bicycle,,,/)
  })
  it('are also found under the address of curbs', async () => {
    const request = { params, query: { startDate: query.start_date, endDate: query.end_date } }
    const places = await call(app, city.viewer, listCurbParkingEvents, request)
    expect(places.data.length).toBeGreaterThan(10)
    expect(places).toEqual(await call(app, city.viewer, listParkingEvents, request))
  })
})
