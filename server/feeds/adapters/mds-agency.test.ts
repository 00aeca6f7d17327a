import { describe, expect, it } from 'vitest'
import * as samples from '../../../test/mds-samples.ts'
import { type AdapterFeed, UnreadableBody } from './adapter.ts'
import { mdsAgency } from './mds-agency.ts'

const makeFeed = (version: string): AdapterFeed => ({
  feedId: 'f',
  regionId: 'r',
  operator: 'lark',
  providerId: samples.providerId,
  version,
  url: '',
  settings: {},
  timezone: 'UTC',
  lat: 0,
  lon: 0,
})
const read = (version: string, stream: string, body: unknown) =>
  mdsAgency.read(
    makeFeed(version),
    stream,
    new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body)),
    samples.sampleTime + 60_000,
  ).records

describe('retained pushes', () => {
  it('reads retained pushes of 2.0 that are lists or named lists', () => {
    expect(read('2.0', 'vehicles', [samples.vehicle()]).vehicles).toHaveLength(1)
    expect(read('2.0', 'events', { events: [samples.event(), {}] })).toMatchObject({
      events: [{ operator: 'lark' }],
      findings: [{ recordId: 'events[1]' }],
    })
    expect(read('2.0', 'trips', [samples.trip()]).trips).toHaveLength(1)
    expect(read('2.0', 'telemetry', [samples.telemetry()]).telemetry).toHaveLength(1)
    expect(read('2.0', 'stops', { stops: [samples.stop()] }).stops).toHaveLength(1)
    expect(read('2.0', 'reports', samples.report([samples.reportRow(), 'x'])).findings).toHaveLength(1)
  })

  it('reads retained pushes of 1.2 with a single record, where the telemetry of an event names the vehicle', () => {
    expect(read('1.2', 'vehicles', samples.registration()).vehicles).toHaveLength(1)
    expect(read('1.2', 'events', samples.pushedEvent())).toMatchObject({
      events: [{ deviceId: samples.uuid(1) }],
      findings: [],
    })
    expect(
      read('1.2', 'telemetry', { data: [samples.pushedPoint(1), samples.pushedPoint(2)] }).telemetry,
    ).toHaveLength(2)
    expect(read('1.2', 'stops', { stops: [samples.earlierStop()] }).stops).toHaveLength(1)
  })

  it('retained pushes do not replace a record by a partial change', () => {
    expect(
      read('2.0', 'stops', [{ stop_id: samples.uuid(1), last_updated: samples.sampleTime }]),
    ).toMatchObject({ stops: [], findings: [{ kind: 'schema' }] })
    expect(read('1.2', 'vehicles', { vehicle_id: 'NEW' })).toMatchObject({
      vehicles: [],
      findings: [{ kind: 'schema' }],
    })
  })

  it('rejects retained pushes again that were rejected for their size', () => {
    expect(() =>
      read(
        '2.0',
        'events',
        Array.from({ length: 20_001 }, () => ({})),
      ),
    ).toThrow('it has more than 20000 items')
    expect(() => read('2.0', 'events', '['.repeat(100_000))).toThrow('nested deeper than 64')
  })

  it('retained pushes cannot be requested, and cause an error if they are unreadable', () => {
    expect(mdsAgency.streams(makeFeed('2.0'))).toEqual([])
    expect(() => mdsAgency.request(makeFeed('2.0'), 'events', { from: 0, until: 1 })).toThrow(
      'it cannot be pulled',
    )
    for (const [stream, body] of [
      ['events', '{'],
      ['constructor', '[]'],
      ['reports', 'x'],
    ] as const)
      expect(() => read('2.0', stream, body)).toThrow(UnreadableBody)
  })
})
