import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { VehicleType } from '#contract/mobility.ts'
import { dayFromNumber } from '#contract/period.ts'
import { regionScope } from '#server/identity/scope.ts'
import { type Facts, createFacts } from '#server/stores/facts.ts'
import { migrateFacts } from '#server/stores/open-facts.ts'
import { bind, facts as tableOf, sql } from '#server/stores/sql.ts'
import { engineKinds } from '../../../test/engines/open-stores.ts'
import { anyMapping, anyRow, header } from '../../../test/engines/random-rows.ts'
import { escapeField, formatNumberField, RowWriter, unescapeField } from '#server/stores/row-text.ts'
import { importedTripColumns } from '#server/fleet/trip-columns.ts'
import { writeTrip } from './trip-lines.ts'
import { setAsideReasons, type TripRow } from './trip-row.ts'
import { civilClock } from '#contract/civil-clock.ts'
import { createTripReader } from './read-trip.ts'

const center = { lon: -74, lat: 40.7 }
const clock = civilClock('America/New_York')
const importId = randomUUID()

test('A trip line has any text escaped in one field', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(escapeField(text)).not.toMatch(/[\t\n\r\0]/)
      expect(unescapeField(escapeField(text))).toBe(text)
    }),
  )
})

test('A trip line has times with three decimals', () => {
  const rows = new RowWriter()
  rows
    .dateTime('2026-05-01', 0)
    .dateTime('1999-12-31', 86_399_999)
    .dateTime('2026-11-01', 29_130_070)
    .endRow()
  expect(rows.take().toString()).toBe(
    '2026-05-01 00:00:00.000\t1999-12-31 23:59:59.999\t2026-11-01 08:05:30.070\n',
  )
})

test('A trip line has the same bytes as joined text, whatever its fields', () => {
  const long = fc.string({ minLength: 30_000, maxLength: 40_000 })
  const field = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ maxLength: 3 }),
    { weight: 1, arbitrary: long },
    fc.double(),
    fc.constant(null),
  )
  const formatField = (value: string | number | null): string =>
    value === null ? '\\N' : typeof value === 'number' ? formatNumberField(value) : escapeField(value)
  fc.assert(
    fc.property(fc.array(fc.array(field, { minLength: 1, maxLength: 8 }), { maxLength: 6 }), (table) => {
      const rows = new RowWriter()
      for (let time = 0; time < 2; time++) {
        for (const fields of table) {
          for (const field of fields) {
            if (field === null) rows.none()
            else if (typeof field === 'number') rows.number(field)
            else rows.text(field)
          }
          rows.endRow()
        }
        expect(
          rows
            .take()
            .equals(Buffer.from(table.map((fields) => `${fields.map(formatField).join('\t')}\n`).join(''))),
        ).toBe(true)
      }
    }),
    { numRuns: Number(process.env['FUZZ_RUNS'] ?? 20) },
  )
})

test('Any row becomes a trip or a reason, and any trip one line with a field for every column', () => {
  let trips = 0
  const writer = new RowWriter()
  fc.assert(
    fc.property(anyMapping, fc.array(anyRow, { minLength: 1, maxLength: 30 }), (mapping, rows) => {
      const read = createTripReader({
        header,
        mapping,
        getDateOrder: () => mapping.date_order ?? 'ymd',
        regionId: 'r',
        clock,
        center,
      })
      for (const row of rows) {
        const trip = read(row)
        expect(read(row)).toEqual(trip)
        expect('reason' in trip ? trip.reason in setAsideReasons : true).toBe(true)
        if ('reason' in trip) continue
        trips++
        expect(VehicleType.options).toContain(trip.vehicleType)
        expect(trip.operator).toMatch(/^[a-z0-9][a-z0-9-]{0,59}$/)
        expect([
          trip.hour >= 0 && trip.hour < 24,
          trip.quality < 2 ** 16,
          Number.isInteger(trip.day),
        ]).toEqual([true, true, true])
        for (const more of [[], [JSON.stringify(row)]]) {
          writeTrip(writer, trip, { regionId: 'r', importId, chunk: 3, line: 7 }, more)
          const line = writer.take().toString()
          expect(line.endsWith('\n') && line.indexOf('\n') === line.length - 1).toBe(true)
          expect(line.split('\t')).toHaveLength(importedTripColumns.length + more.length)
        }
      }
    }),
    { numRuns: 300 },
  )
  expect(trips).toBeGreaterThan(100)
})

test('A trip line is written without an exception, whatever the columns hold', () => {
  fc.assert(
    fc.property(anyMapping, fc.array(fc.string({ unit: 'binary' }), { maxLength: 15 }), (mapping, row) => {
      const read = createTripReader({
        header,
        mapping,
        getDateOrder: () => mapping.date_order ?? 'ymd',
        regionId: 'r',
        clock,
        center,
      })
      expect(() => read(row)).not.toThrow()
    }),
    { numRuns: Number(process.env['FUZZ_RUNS'] ?? 100) },
  )
})

describe.each(engineKinds)('$name takes', ({ open }) => {
  let facts: Facts
  let close: () => Promise<void>
  beforeAll(async () => {
    const { store, close: end } = await open()
    close = end
    await migrateFacts(store)
    facts = createFacts(store)
  })
  afterAll(() => close())

  it('thousands of odd trips, each unchanged', async () => {
    // The store retains one of several trips with the same id.
    const latestTrips = new Map<string, TripRow>()
    for (const [index, mapping] of fc.sample(anyMapping, { numRuns: 12, seed: 11 }).entries()) {
      const read = createTripReader({
        header,
        mapping,
        getDateOrder: () => mapping.date_order ?? 'ymd',
        regionId: 'r',
        clock,
        center,
      })
      for (const row of fc.sample(anyRow, { numRuns: 1000, seed: index })) {
        const trip = read(row)
        if (!('reason' in trip)) latestTrips.set(trip.tripId, trip)
      }
    }
    const trips = [...latestTrips.values()]
    expect(trips.length).toBeGreaterThan(2500)
    const scope = regionScope(randomUUID(), 'r')
    const rows = new RowWriter()
    for (const [line, trip] of trips.entries())
      writeTrip(rows, trip, { regionId: 'r', importId, chunk: 0, line })
    await facts.insert(scope, 'trips', { columns: importedTripColumns, regionId: 'r', lines: rows.take() })
    const stored = await facts.rows<Record<string, string | number | null>>(
      scope,
      sql`select line, toString(trip_id) as trip_id, operator, vehicle_type, hex(vehicle_id) as vehicle, toUnixTimestamp64Milli(start_time) as start, toUnixTimestamp64Milli(end_time) as end, local_date as day, local_hour as hour,
        toString(start_lon) as start_lon, toString(start_lat) as start_lat, toString(end_lon) as end_lon, toString(end_lat) as end_lat, toString(distance_m) as distance, toString(duration_s) as duration, quality
        from ${tableOf('trips')} where import_id = ${bind('UUID', importId)} order by line`,
    )
    const same = (text: string | number | null | undefined, value: number): boolean =>
      Object.is(Number(text === 'nan' ? NaN : text) + 0, value + 0)
    const wrong = trips.filter((trip, line) => {
      const row = stored[line] ?? {}
      return !(
        Number(row['line']) === line &&
        row['trip_id'] === trip.tripId &&
        row['operator'] === trip.operator &&
        row['vehicle_type'] === trip.vehicleType &&
        row['vehicle'] === Buffer.from(trip.vehicleId).toString('hex').toUpperCase() &&
        Number(row['start']) === trip.startMs &&
        (row['end'] === null ? Number.isNaN(trip.endMs) : Number(row['end']) === trip.endMs) &&
        row['day'] === dayFromNumber(trip.day) &&
        row['hour'] === trip.hour &&
        row['quality'] === trip.quality &&
        same(row['start_lon'], trip.startLon) &&
        same(row['start_lat'], trip.startLat) &&
        same(row['end_lon'], trip.endLon) &&
        same(row['end_lat'], trip.endLat) &&
        same(row['distance'], trip.distanceM) &&
        same(row['duration'], trip.durationS)
      )
    })
    expect(wrong).toEqual([])
    expect(stored).toHaveLength(trips.length)
  }, 60_000)
})
