// Compares all figures of data health with the reference implementation.
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { healthRowOrders } from '#contract/health.ts'
import { hourMs } from '#contract/period.ts'
import { countEvents } from '#server/health/count-day.ts'
import { computeQuantile } from '#server/health/figures/quantile.ts'
import { rowPageSql, type RowOrder } from '#server/health/rows/row-page.ts'
import { type FoundRow, rowColumns } from '#server/health/queries/row-columns.ts'
import { silentCountsSql, type SilentRow } from '#server/health/queries/silent-vehicles.ts'
import {
  endsWithoutStartSql,
  tripEventCountsSql,
  type TripEventsRow,
} from '#server/health/queries/trip-events.ts'
import { tripCountsSql, type TripCountRow } from '#server/health/queries/trip-counts.ts'
import { regionScope } from '#server/identity/scope.ts'
import { deriveTrips } from '#server/fleet/events/derive-trips.ts'
import {
  noRecords,
  type TelemetryPoint,
  type TripReport,
  type VehicleEvent,
} from '#server/fleet/events/feed-records.ts'
import type { StateMachine } from '#server/fleet/events/state-machine.ts'
import { storeRecords } from '#server/fleet/events/store-records.ts'
import type { Facts } from '#server/stores/facts.ts'
import { bind, sql } from '#server/stores/sql.ts'
import {
  plainLateness,
  plainMoves,
  plainSilent,
  plainReportedTrips,
  type PlainReport,
  plainTransitions,
} from '../city/plain-health.ts'
import { plainTrips } from '../city/plain-trips.ts'
import { useFacts } from './use-stores.ts'
import { testUuid } from '../uuid.ts'
import { runOptions } from './run-options.ts'

const begin = Date.UTC(2026, 2, 6)
const span = { from: begin + 60 * hourMs, until: begin + 84 * hourMs }
const received = begin + 90 * hourMs
const place = { timezone: 'America/Los_Angeles', lon: -122.67, lat: 45.52 }
const feeds = ['11111111-0000-4000-8000-000000000001', '22222222-0000-4000-8000-000000000002'] as const

// Some events have two versions. Times differ by the index of the record, because the order within a
// millisecond is tested elsewhere.
const anyTime = fc.oneof(
  fc.integer({ min: 0, max: 5 * 24 * 4 }).map((quarter) => begin + quarter * 900_000),
  fc.integer({ min: -30, max: 90 }).map((minute) => span.from + minute * 60_000),
)
const anyPlace = {
  lon: fc.constantFrom(-122.67, -122.671, -122.2, NaN),
  lat: fc.constantFrom(45.52, 45.523, 45.9),
}
const anyTrips = fc.array(fc.integer({ min: 1, max: 8 }).map(testUuid), { maxLength: 2 })
const anyEvent = fc.record({
  vehicle: fc.integer({ min: 1, max: 4 }),
  time: anyTime,
  tripIds: anyTrips,
  ...anyPlace,
  state: fc.constantFrom(
    'on_trip',
    'available',
    'non_operational',
    'removed',
    'elsewhere',
    'non_contactable',
    'missing' as const,
  ),
  types: fc.array(
    fc.constantFrom(
      'trip_start',
      'trip_end',
      'trip_cancel',
      'battery_low',
      'maintenance',
      'provider_drop_off',
      'comms_lost',
      'not_located',
      'located' as const,
    ),
    { minLength: 1, maxLength: 3 },
  ),
})
const anyPoint = fc.record({ vehicle: fc.integer({ min: 1, max: 4 }), time: anyTime, ...anyPlace })
const anyReport = fc.record({
  trip: fc.integer({ min: 1, max: 8 }),
  time: anyTime,
  minutes: fc.constantFrom(3, 5, 15, 60),
  ...anyPlace,
  distance: fc.constantFrom(1000, 200_000),
})

const getVehicle = (vehicle: number) => ({
  operator: vehicle % 2 ? 'one' : 'two',
  deviceId: testUuid(vehicle),
})
const makeEvents = (
  given: readonly {
    vehicle: number
    time: number
    state: VehicleEvent['state']
    types: VehicleEvent['types']
    tripIds: string[]
    lon: number
    lat: number
  }[],
): VehicleEvent[] =>
  given.map(({ vehicle, time, ...rest }, index) => ({
    ...getVehicle(vehicle),
    eventId: testUuid(1000 + (index % 45)),
    time: time + index * 1000,
    accuracy: NaN,
    battery: NaN,
    published: 0,
    ...rest,
  }))

describe('figures of data health', () => {
  let facts: Facts
  useFacts((opened) => void (facts = opened))

  it('returns rows in every sort order, each on exactly one page, with missing values last', async () => {
    // 60 rows. Some have the same time, id and part, and some have no value.
    const rows = sql`
      select ${rowColumns({
        feed: sql`feed`,
        time: sql`fromUnixTimestamp64Milli(toInt64(${bind('Int64', begin)} + intDiv(n, 20) * 1000))`,
        id: sql`toString(intDiv(n, 30))`,
        part: sql`if(n % 3 = 0, 'a', 'b')`,
        value: sql`if(n % 4 = 0, nan, toFloat64(n % 7))`,
        raw: sql`toString(n)`,
      })}
      from (select arrayJoin(range(60)) as n, if(n % 2 = 0, 'one', 'two') as operator, toString(n % 5) as feed)`
    const scope = regionScope(randomUUID(), 'r')
    const read = (order: RowOrder, offset: number, size: number) =>
      facts.rows<FoundRow & { total: string }>(scope, rowPageSql(rows, { filters: {}, order, offset, size }))
    for (const key of healthRowOrders)
      for (const order of [key, `-${key}` as const]) {
        const allRows = await read(order, 0, 1000)
        expect([order, new Set(allRows.map(({ raw }) => raw)).size]).toEqual([order, 60])
        const values = allRows.map((row) => row[key])
        const known = values.filter((value) => value !== null)
        expect([order, values.slice(known.length).every((value) => value === null)]).toEqual([order, true])
        const sorted = known.toSorted((a, b) => (a < b ? -1 : Number(a > b)))
        expect([order, known]).toEqual([order, order === key ? sorted : sorted.toReversed()])
        const pages: FoundRow[] = []
        for (let offset = 0; offset < 60; offset += 7) pages.push(...(await read(order, offset, 7)))
        expect([order, pages]).toEqual([order, allRows])
      }
  })

  it('equal the plain reference by vehicle and trip', async () => {
    let version = 0n
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyEvent, { maxLength: 60 }),
        fc.array(anyPoint, { maxLength: 20 }),
        fc.array(anyReport, { maxLength: 8 }),
        fc.boolean(),
        async (givenEvents, givenPoints, givenReports, isStoredTwice) => {
          const regionId = `r-${randomUUID().slice(0, 8)}`
          const scope = regionScope(randomUUID(), regionId)
          const events = makeEvents(givenEvents)
          const telemetry = givenPoints.map(({ vehicle, time, lon, lat }, index): TelemetryPoint => ({
            ...getVehicle(vehicle),
            telemetryId: testUuid(5000 + index),
            time: time + 500_000 + index * 1000,
            tripIds: [],
            lon,
            lat,
            speed: NaN,
            heading: NaN,
            accuracy: NaN,
            battery: NaN,
          }))
          const trips = [...new Map(givenReports.map((report) => [report.trip, report])).values()].map(
            (report, index): TripReport => ({
              operator: 'one',
              tripId: testUuid(report.trip),
              deviceId: testUuid(1),
              startTime: report.time + index,
              endTime: report.time + report.minutes * 60_000,
              startLon: report.lon,
              startLat: report.lat,
              endLon: report.lon,
              endLat: report.lat,
              distance: report.distance,
              duration: report.minutes * 60,
              published: 0,
              attributes: '',
            }),
          )
          const machines = ['micromobility', 'car-share'] as const
          const vehicles = [1, 2, 3, 4].map((vehicle) => ({
            ...getVehicle(vehicle),
            vehicleId: `V${vehicle}`,
            vehicleType: 'other' as const,
            mode: machines[vehicle > 2 ? 1 : 0],
            propulsionTypes: [],
            attributes: '{}',
          }))
          const runs: string[] = []
          // One feed per operator; the feed of 'two' is MDS 1.2. Storing the same records again changes nothing.
          for (const times of isStoredTwice ? [1, 2] : [1])
            for (const [index, operator] of (['one', 'two'] as const).entries()) {
              const filterOwnRecords = <T extends { operator: string }>(all: readonly T[]): T[] =>
                all.filter((row) => row.operator === operator)
              const records = {
                ...noRecords(),
                events: filterOwnRecords(events),
                telemetry: filterOwnRecords(telemetry),
                trips: filterOwnRecords(trips),
              }
              const { runId } = await storeRecords(
                facts,
                scope,
                {
                  organizationId: '',
                  regionId,
                  operator,
                  feedId: feeds[index]!,
                  stream: 's',
                  windowStart: begin,
                  received,
                  records,
                },
                { newVehicles: { vehicles: times === 1 ? filterOwnRecords(vehicles) : [], retyped: [] } },
              )
              if (runId) runs.push(runId)
            }
          await deriveTrips(
            facts,
            scope,
            { regionId, runIds: runs, version: ++version, lostAfterHours: 48 },
            place,
          )

          const region = { regionId, organizationId: '', timezone: 'UTC', lostAfterHours: 48, scope }
          const eventCounts = await countEvents(
            { facts, region, earlierFeeds: [feeds[1]], at: received },
            { regionId, ...span },
          )
          const getMode = (event: VehicleEvent): StateMachine =>
            event.operator === 'two'
              ? '1.2'
              : (vehicles.find(({ deviceId }) => deviceId === event.deviceId)?.mode ?? 'micromobility')
          for (const operator of ['one', 'two']) {
            const operatorEvents = events.filter((event) => event.operator === operator)
            const operatorRows = eventCounts.filter((row) => row.operator === operator)
            const sum = (getValue: (row: (typeof operatorRows)[number]) => number): number =>
              operatorRows.reduce((total, row) => total + getValue(row), 0)
            const transitions = plainTransitions(operatorEvents, span, getMode)
            expect([sum((row) => row.judged), sum((row) => row.illegal)]).toEqual([
              transitions.judged,
              transitions.illegal.length,
            ])
            const moves = plainMoves(
              operatorEvents,
              telemetry.filter((point) => point.operator === operator),
              span,
            )
            expect([sum((row) => row.moves), sum((row) => row.jumps)]).toEqual([moves.moves, moves.jumps])
            const expectedLateness = plainLateness(operatorEvents, received, span)
            const lateness = operatorRows.flatMap((row) => row.late)
            expect([computeQuantile(lateness, 0.5), computeQuantile(lateness, 0.95)]).toEqual(
              [0.5, 0.95].map(
                (share) =>
                  expectedLateness[Math.max(1, Math.ceil(share * expectedLateness.length)) - 1] ?? null,
              ),
            )
          }

          const silent = await facts.rows<SilentRow>(scope, silentCountsSql(regionId, span.until, 48))
          for (const operator of ['one', 'two']) {
            const row = silent.find((row) => row.operator === operator)
            expect({
              deployed: Number(row?.deployed ?? 0),
              silent: Number(row?.silent ?? 0),
              lost: Number(row?.lost ?? 0),
            }).toEqual(
              plainSilent(
                events.filter((event) => event.operator === operator),
                telemetry,
                span.until,
                48,
              ),
            )
          }

          const reported = (
            await facts.rows<TripEventsRow>(scope, tripEventCountsSql({ regionId, ...span }))
          ).find((row) => row.operator === 'one')
          const reports = trips.map((trip) => ({
            tripId: trip.tripId,
            start: trip.startTime,
            end: trip.endTime,
            places: [trip.startLon, trip.startLat, trip.endLon, trip.endLat] as PlainReport['places'],
          }))
          const plain = plainReportedTrips(
            events.filter((event) => event.operator === 'one'),
            reports,
            span,
          )
          expect([
            Number(reported?.ends_without_start ?? 0),
            Number(reported?.compared ?? 0),
            Number(reported?.time_differs ?? 0),
            Number(reported?.place_differs ?? 0),
          ]).toEqual([plain.endsWithoutStart.length, plain.compared, plain.timeDiffers, plain.placeDiffers])
          const unmatchedEnds = await facts.rows<{ operator: string; trip_id: string }>(
            scope,
            endsWithoutStartSql({ regionId, ...span }),
          )
          expect(
            unmatchedEnds
              .filter(({ operator }) => operator === 'one')
              .map(({ trip_id }) => trip_id)
              .toSorted(),
          ).toEqual(plain.endsWithoutStart.toSorted())

          const tripsOfSpan = plainTrips(events, trips, place).filter(
            (trip) => trip.operator === 'one' && trip.start >= span.from && trip.start < span.until,
          )
          const row = (
            await facts.rows<TripCountRow>(scope, tripCountsSql({ regionId, ...span }, received))
          ).find((row) => row.operator === 'one')
          const olderTrips = tripsOfSpan.filter((trip) => trip.start < received - 24 * hourMs)
          const expected = {
            trips: tripsOfSpan.length,
            both: tripsOfSpan.filter(({ source }) => source === 'both').length,
            without_events: olderTrips.filter(({ source }) => source === 'report').length,
            without_report: olderTrips.filter(({ source }) => source === 'events').length,
            without_end: olderTrips.filter(({ end }) => end === null).length,
            without_report_or_end: olderTrips.filter(({ source, end }) => source === 'events' || end === null)
              .length,
            impossible: tripsOfSpan.filter(({ quality }) => quality & 32).length,
          }
          expect(
            Object.fromEntries(
              Object.keys(expected).map((name) => [name, Number(row?.[name as keyof TripCountRow] ?? 0)]),
            ),
          ).toEqual(expected)
        },
      ),
      runOptions('HEALTH', { runs: 4, seed: 4870 }),
    )
  })
})
