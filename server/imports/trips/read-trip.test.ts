import { describe, expect, it } from 'vitest'
import { TripMapping } from '#contract/imports.ts'
import { toQualityFlags, type QualityFlag } from '#contract/mobility.ts'
import { dayNumber } from '#contract/period.ts'
import type { RejectedRow, TripRow } from './trip-row.ts'
import { civilClock } from '#contract/civil-clock.ts'
import { createTripReader } from './read-trip.ts'

const header = [
  'id',
  'operator',
  'type',
  'vehicle',
  'start',
  'end',
  'slon',
  'slat',
  'elon',
  'elat',
  'meters',
  'seconds',
]
const mapping = TripMapping.parse({
  columns: {
    trip_id: 'id',
    operator: 'operator',
    vehicle_type: 'type',
    vehicle_id: 'vehicle',
    start_time: 'start',
    end_time: 'end',
    start_lon: 'slon',
    start_lat: 'slat',
    end_lon: 'elon',
    end_lat: 'elat',
    distance: 'meters',
    duration: 'seconds',
  },
})
const good: Record<string, string> = {
  id: 't1',
  operator: 'Lark Rides',
  type: 'scooter',
  vehicle: 'v-1',
  start: '2026-06-01 08:10:00',
  end: '2026-06-01 08:20:00',
  slon: '-74',
  slat: '40.7',
  elon: '-74.01',
  elat: '40.71',
  meters: '1500',
  seconds: '590',
}
const clock = civilClock('America/New_York')
const center = { lon: -74, lat: 40.7 }
const makeReader = (overrides: Partial<TripMapping> = {}, regionId = 'r') =>
  createTripReader({
    header,
    mapping: { ...mapping, ...overrides },
    getDateOrder: () => 'ymd',
    regionId,
    clock,
    center,
  })
const read = makeReader()
const makeFields = (change: Record<string, string>): string[] =>
  header.map((name) => ({ ...good, ...change })[name] ?? '')
const trip = (change: Record<string, string> = {}, reader = read): TripRow => {
  const found = reader(makeFields(change))
  if ('reason' in found) throw new Error(`${found.reason}: ${found.detail}`)
  return found
}

describe('a row is read as a trip', () => {
  it('with every field', () => {
    expect(trip()).toEqual({
      tripId: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      operator: 'lark-rides',
      vehicleType: 'scooter',
      vehicleId: 'v-1',
      startMs: Date.parse('2026-06-01T12:10:00Z'),
      endMs: Date.parse('2026-06-01T12:20:00Z'),
      day: dayNumber('2026-06-01'),
      hour: 8,
      startLon: -74,
      startLat: 40.7,
      endLon: -74.01,
      endLat: 40.71,
      distanceM: 1500,
      durationS: 590,
      quality: 0,
    })
  })

  it('with NaN for unknown values, and the duration from its times', () => {
    const found = trip({
      id: '',
      operator: '',
      type: '',
      vehicle: '',
      meters: '',
      seconds: '',
      elon: '',
      elat: '',
    })
    expect(found).toMatchObject({
      operator: 'unknown',
      vehicleType: 'other',
      vehicleId: '',
      distanceM: Number.NaN,
      durationS: 600,
      endLon: Number.NaN,
    })
  })

  it('with the operator and type of the mapping if the row has none', () => {
    const reader = makeReader({ operator: 'heron', vehicle_type: 'moped' })
    expect(trip({ operator: '', type: '' }, reader)).toMatchObject({
      operator: 'heron',
      vehicleType: 'moped',
    })
    expect(trip({}, reader)).toMatchObject({ operator: 'lark-rides', vehicleType: 'scooter' })
  })

  it('on the local day and in the local hour of its start, even for times with a zone', () => {
    expect(trip({ start: '2026-06-01T03:59:00Z', end: '' })).toMatchObject({
      day: dayNumber('2026-05-31'),
      hour: 23,
    })
    expect(trip({ start: '2026-06-01T04:00:00+00:00', end: '' })).toMatchObject({
      day: dayNumber('2026-06-01'),
      hour: 0,
    })
    expect(trip({ start: '2026-05-31 24:00', end: '' })).toMatchObject({
      day: dayNumber('2026-06-01'),
      hour: 0,
    })
    expect(trip({ start: '2026-03-08 02:30', end: '' })).toMatchObject({
      day: dayNumber('2026-03-08'),
      hour: 3,
      startMs: Date.parse('2026-03-08T07:30:00Z'),
    })
  })

  it('with an end in the repeated hour that is after its start', () => {
    const ends = (start: string, end: string): number =>
      (trip({ start: `2026-11-01 ${start}`, end: `2026-11-01 ${end}` }).endMs -
        trip({ start: `2026-11-01 ${start}`, end: `2026-11-01 ${end}` }).startMs) /
      60_000
    expect(ends('01:50', '01:10')).toBe(20)
    expect(ends('01:10', '01:50')).toBe(40)
    expect(ends('00:50', '01:10')).toBe(20)
    expect(ends('01:50', '02:10')).toBe(80)
    expect(ends('02:10', '01:50')).toBeLessThan(0)
  })
})

describe('a row is rejected', () => {
  const cases: [RejectedRow['reason'], Record<string, string>, string][] = [
    ['no_start_time', { start: '' }, ''],
    ['bad_start_time', { start: 'yesterday' }, 'yesterday'],
    ['bad_start_time', { start: '2026-02-30 10:00' }, '2026-02-30 10:00'],
    ['bad_end_time', { end: '25:00' }, '25:00'],
    ['bad_end_time', { end: '1850-01-01 00:00' }, '1850-'],
    ['bad_end_time', { end: '2150-01-01 00:00' }, '2150-'],
    ['time_out_of_range', { start: '1989-12-31 12:00' }, '1989-'],
    ['time_out_of_range', { start: '2100-01-01 00:00' }, '2100-'],
    ['time_out_of_range', { start: '9999999999' }, '2286-'],
    ['bad_coordinate', { slon: '74°W' }, 'slon: 74°W'],
    ['bad_coordinate', { elat: '1e999' }, 'elat: 1e999'],
    ['outside_earth', { slat: '90.001' }, 'slat: 90.001'],
    ['outside_earth', { slon: '1016', slat: '1016' }, 'slon: 1016'],
    ['outside_earth', { elon: '-180.5' }, 'elon: -180.5'],
    ['bad_distance', { meters: 'far' }, 'far'],
    ['bad_duration', { seconds: 'long' }, 'long'],
    ['bad_operator', { operator: '???' }, '???'],
  ]
  it.each(cases)('%s: %j', (reason, change, detail) => {
    const found = read(makeFields(change))
    expect(found).toMatchObject({ reason })
    expect('detail' in found && found.detail.startsWith(detail)).toBe(true)
  })

  it('for empty_row and column_count', () => {
    expect(read(header.map(() => ' '))).toEqual({ reason: 'empty_row', detail: '' })
    expect(read([])).toEqual({ reason: 'empty_row', detail: '' })
    expect(read(makeFields({}).slice(1))).toMatchObject({
      reason: 'column_count',
      detail: '11 fields where the header has 12',
    })
    expect(read([...makeFields({}), 'x'])).toMatchObject({ reason: 'column_count' })
    expect('reason' in read([...makeFields({}), '', ' '])).toBe(false)
  })

  it('with a detail of limited length', () => {
    const found = read(makeFields({ start: 'x'.repeat(5000) }))
    expect('detail' in found && found.detail.length).toBe(300)
  })
})

describe('a trip is flagged', () => {
  const cases: [QualityFlag[], Record<string, string>][] = [
    [['ends_before_start'], { end: '2026-06-01 08:09:59' }],
    [['over_24_hours'], { end: '2026-06-02 08:10:01' }],
    [[], { end: '2026-06-02 08:10:00' }],
    [['zero_distance'], { meters: '0' }],
    [['zero_duration'], { seconds: '0' }],
    [['impossible_distance'], { meters: '-1' }],
    [['impossible_distance', 'impossible_speed'], { meters: '300001' }],
    [['impossible_distance'], { meters: '300001', seconds: '86400' }],
    [['impossible_speed'], { meters: '28000', seconds: '1000' }],
    [[], { meters: '27000', seconds: '1000' }],
    [['origin_outside_region'], { slon: '-75' }],
    [['origin_outside_region'], { slat: '-90' }],
    [['destination_outside_region'], { elat: '41.5' }],
    [['no_origin'], { slon: '' }],
    [['no_destination'], { elat: '' }],
    [['no_end_time'], { end: '' }],
    [['unknown_vehicle_type'], { type: 'hoverboard' }],
    [[], { type: 'Other' }],
    [['skipped_hour'], { start: '2026-03-08 02:10', end: '2026-03-08 03:40' }],
    [['skipped_hour'], { start: '2026-03-08 01:50', end: '2026-03-08 02:10' }],
    [['no_end_time', 'no_destination', 'zero_distance'], { end: '', elon: '', elat: '', meters: '0' }],
  ]
  it.each(cases)('%j: %j', (flags, change) =>
    expect(toQualityFlags(trip(change).quality).sort()).toEqual([...flags].sort()),
  )
})

describe('ids', () => {
  it('are the same for the same row, and different for other rows', () => {
    expect(trip().tripId).toBe(trip({ meters: '7', slat: '40.8' }).tripId)
    expect(trip().tripId).not.toBe(trip({ id: 't2' }).tripId)
    expect(trip().tripId).not.toBe(trip({ operator: 'heron' }).tripId)
    expect(trip().tripId).not.toBe(trip({}, makeReader({}, 'other')).tripId)
  })

  it('are derived from the whole trip if the row has no id', () => {
    expect(trip({ id: '' }).tripId).toBe(trip({ id: ' ' }).tripId)
    for (const [name, text] of [
      ['meters', '1501'],
      ['vehicle', 'v-2'],
      ['start', '2026-06-01 08:10:01'],
      ['elat', ''],
    ] as const)
      expect(trip({ id: '', [name]: text }).tripId).not.toBe(trip({ id: '' }).tripId)
  })

  it('are used in lower case if they are UUIDs', () =>
    expect(trip({ id: 'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11' }).tripId).toBe(
      'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11',
    ))

  it('never change between versions, because stored trips are identified by them', () => {
    expect([trip().tripId, trip({ id: '' }).tripId]).toMatchInlineSnapshot(`
      [
        "7166897b-dbbe-249b-daba-ec627937fa34",
        "a6c2ec82-7c9d-1fec-1c21-c970d6a066b2",
      ]
    `)
  })
})
