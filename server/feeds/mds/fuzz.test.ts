import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hourMs } from '#contract/period.ts'
import * as samples from '../../../test/mds-samples.ts'
import { type MdsContext, mdsVersions } from './mds-context.ts'
import { type MdsStream, readMds } from './read-mds.ts'
import { readReports } from './read-reports.ts'

const context: MdsContext = { operator: 'lark', providerId: '', received: samples.sampleTime + 60_000 }
const streams: readonly MdsStream[] = [
  'vehicles',
  'status',
  'events',
  'recent',
  'trips',
  'telemetry',
  'stops',
]
const names = ['vehicles', 'vehicles_status', 'events', 'status_changes', 'trips', 'telemetry', 'stops']
const makers = [
  samples.vehicle,
  samples.status,
  samples.event,
  samples.telemetry,
  samples.trip,
  samples.stop,
  samples.earlierVehicle,
  samples.statusChange,
  samples.earlierTrip,
  samples.earlierStop,
]

const strange = fc.oneof(
  fc.anything({ withBigInt: false, withNullPrototype: true, maxDepth: 3 }),
  fc.constantFrom<unknown>(
    null,
    undefined,
    Number.NaN,
    Infinity,
    -0,
    1e308,
    2 ** 53,
    '',
    '\0',
    'null',
    '\ud800',
    [],
    [[]],
    [null],
    {},
    { __proto__: null },
    JSON.parse('{"__proto__":{"device_id":1}}'),
    { length: 3 },
    'x'.repeat(300),
    samples.uuid(1),
    'constructor',
    samples.sampleTime,
  ),
)
const keys = fc.constantFrom(
  '__proto__',
  'constructor',
  'toString',
  'length',
  'device_id',
  'lat',
  'type',
  'timestamp',
  'features',
  'coordinates',
  'attributes',
)

/** A valid record of any kind with a random value in a field at any depth. */
const corrupted = fc
  .tuple(
    fc.constantFrom(...makers),
    fc.array(fc.tuple(fc.nat(40), fc.nat(10), strange), { maxLength: 3 }),
    fc.option(fc.tuple(keys, strange)),
  )
  .map(([make, changes, extra]) => {
    const item = structuredClone(make(1, {}))
    for (const [which, deeper, value] of changes) {
      const fields = Object.keys(item)
      const key = fields[which % fields.length] as string
      const inner = item[key] as Record<string, unknown> | null
      const parts = inner && typeof inner === 'object' ? Object.keys(inner) : []
      if (deeper < parts.length && inner) inner[parts[deeper] as string] = value
      else item[key] = value
    }
    if (extra) Object.defineProperty(item, extra[0], { value: extra[1], enumerable: true })
    return item as unknown
  })
const bodies = fc.oneof(
  strange,
  fc
    .tuple(fc.constantFrom(...names), fc.array(fc.oneof(corrupted, strange), { maxLength: 6 }), fc.boolean())
    .map(([name, items, wrapped]) => (wrapped ? { data: { [name]: items } } : { [name]: items })),
)

const ranges: Record<string, readonly [number, number]> = {
  lon: [-180, 180],
  lat: [-90, 90],
  startLon: [-180, 180],
  startLat: [-90, 90],
  endLon: [-180, 180],
  endLat: [-90, 90],
  battery: [0, 100],
}
const ids: readonly string[] = ['deviceId', 'eventId', 'tripId', 'telemetryId', 'stopId']
const times: readonly string[] = ['time', 'startTime', 'endTime', 'lastUpdated', 'published']
const latest = context.received + 24 * hourMs

/** Returns the first field of a stored record with an invalid value. */
function findInvalidField(record: object): string {
  for (const [key, value] of Object.entries(record) as [string, never][]) {
    const [least, most] = ranges[key] ?? []
    if (
      least !== undefined &&
      most !== undefined &&
      !Number.isNaN(value) &&
      !(value >= least && value <= most)
    )
      return key
    if (ids.includes(key) && !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value)) return key
    if (times.includes(key) && !(value <= latest && (value === 0 || value >= 1_514_764_800_000))) return key
    if (value === undefined || value === null) return key
  }
  return ''
}

describe('any input of an operator', () => {
  it('reads any input of an operator without an exception: each record is stored completely or reported', () => {
    fc.assert(
      fc.property(
        bodies,
        fc.constantFrom(...streams),
        fc.constantFrom(...mdsVersions),
        (body, stream, version) => {
          const { findings, ...records } = readMds(version, stream, body, context)
          for (const record of Object.values(records).flat()) expect(findInvalidField(record)).toBe('')
          for (const { reason, raw } of findings)
            expect([reason.length > 0, raw.length <= 2_000]).toEqual([true, true])
        },
      ),
      { numRuns: Number(process.env['FUZZ_RUNS'] ?? 200) },
    )
  })

  it('reads input that is nested a hundred thousand levels deep', () => {
    const deep = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)) as unknown
    for (const [stream, item] of [
      ['vehicles', samples.vehicle(1, { deep })],
      ['trips', samples.trip(1, { deep })],
      ['stops', samples.stop(1, { deep })],
    ] as const) {
      const { findings, ...records } = readMds('2.0', stream, { [stream]: [item, deep] }, context)
      expect(Object.values(records).flat()).toEqual([])
      expect(findings.map(({ reason }) => reason)).toEqual([
        'The record is nested too deep.',
        'The record must be an object.',
      ])
    }
    expect(readMds('2.0', 'events', deep, context).findings).toHaveLength(1)
    expect(
      readMds('2.0', 'vehicles', { vehicles: [samples.vehicle(1, { note: 'x'.repeat(200_000) })] }, context)
        .findings[0]?.reason,
    ).toBe('The record is longer than 100000 characters.')
  })

  it('reads any input as a report without an exception', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(fc.string()).map((rows) => samples.report(rows)),
        ),
        (text) => {
          const read = readReports(text, context)
          expect(read?.badRows.length ?? 0).toBe(read?.findings.length ?? 0)
        },
      ),
      { numRuns: Number(process.env['FUZZ_RUNS'] ?? 100) },
    )
  })
})

describe('reports', () => {
  it('reads reports row by row', () => {
    const text = `\uFEFF${samples.report([samples.reportRow(), samples.reportRow(-1, -1), samples.reportRow().replace('P1M', 'P1Y'), `${samples.providerId},2026-02-30,P1M,all_riders,null,bicycle,x,3`, 'short'])}\r\n`
    const read = readReports(text, { ...context, providerId: samples.providerId })
    expect(read?.rows).toEqual(
      [
        [1302, 983],
        [-1, -1],
      ].map(([tripCount, riderCount]) => ({
        operator: 'lark',
        startDate: '2026-02-01',
        group: 'all_riders',
        geographyId: samples.uuid(7),
        vehicleType: 'scooter_standing',
        tripCount,
        riderCount,
      })),
    )
    expect(read?.findings.map(({ recordId, field }) => [recordId, field])).toEqual([
      ['line 4', 'duration'],
      ['line 5', 'start_date'],
      ['line 6', 'provider_id'],
    ])
    expect(read?.badRows[1]?.errors.map(({ field }) => field)).toEqual(['start_date', 'trip_count'])
  })

  it('reports must be of a past month', () => {
    const findReasons = (day: string) =>
      readReports(samples.report([samples.reportRow().replace('2026-02-01', day)]), context)?.findings.map(
        ({ reason }) => reason,
      )
    expect(findReasons('2018-01-01')).toEqual([])
    for (const day of ['0000-01-01', '1970-01-01', '2017-12-01', '2026-04-01', '9999-12-01'])
      expect(findReasons(day)).toEqual(['start_date must be between 2018 and its receipt.'])
  })

  it('a report is invalid without its header', () => {
    expect(readReports('a,b\n1,2', context)).toBeNull()
    expect(readReports('', context)).toBeNull()
    expect(readReports(samples.report([]), context)?.rows).toEqual([])
  })
})
