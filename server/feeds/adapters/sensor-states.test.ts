import { expect, test } from 'vitest'
import { hourMs } from '#contract/period.ts'
import type { CurbEvent } from '#server/curb/sessions/curb-event.ts'
import { type AdapterFeed, UnreadableBody } from './adapter.ts'
import { sensorStates } from './sensor-states.ts'

const received = Date.UTC(2026, 2, 7, 20, 30)
const feed: AdapterFeed = {
  feedId: 'f',
  regionId: 'r',
  operator: '',
  providerId: '',
  version: 'table',
  url: 'https://data.example/states.json?$limit=50000',
  settings: {},
  timezone: 'America/Los_Angeles',
  lat: 0,
  lon: 0,
}
const readAll = (body: unknown, settings: AdapterFeed['settings'] = {}, now = received) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const { records, other } = sensorStates.read({ ...feed, settings }, 'states', Buffer.from(text), now)
  return { findings: records.findings, events: other as CurbEvent[] }
}
const summarizeEvents = (events: readonly CurbEvent[]) =>
  events.map(({ spaceId, type, time }) => [spaceId, type, new Date(time).toISOString().slice(0, 16)])

test('The adapter creates events for the times at which states began, and one per hour to show that a sensor works', () => {
  const states = [
    { spaceid: 'CB1', eventtime: '2026-03-07T12:10:00.000', occupancystate: 'OCCUPIED' },
    { spaceid: 'CB2', eventtime: '2026-03-07T11:00:00.000', occupancystate: 'VACANT' },
    { spaceid: 'CB3', eventtime: '2026-03-07T11:00:00.000', occupancystate: 'UNKNOWN' },
  ]
  const { events, findings } = readAll(states)
  expect(findings).toEqual([])
  expect(summarizeEvents(events)).toEqual([
    ['CB1', 'park_start', '2026-03-07T20:10'],
    ['CB2', 'park_end', '2026-03-07T19:00'],
    ['CB2', 'scheduled_report', '2026-03-07T20:00'],
    ['CB3', 'comms_lost', '2026-03-07T19:00'],
  ])
  // The same response leads to the same events. In the next hour the sensors still work.
  const listIds = (events: readonly CurbEvent[]) => events.map(({ eventId }) => eventId)
  expect(listIds(readAll(states, {}, received + 60_000).events)).toEqual(listIds(events))
  const later = readAll(states, {}, received + hourMs).events
  expect(summarizeEvents(later.filter(({ eventId }) => !listIds(events).includes(eventId)))).toEqual([
    ['CB1', 'scheduled_report', '2026-03-07T21:00'],
    ['CB2', 'scheduled_report', '2026-03-07T21:00'],
  ])
})

test('The adapter reads the formats of portals, with locations and times in UTC', () => {
  const bay = {
    kerbsideid: 57_695,
    status_timestamp: '2026-03-07T20:01:00+00:00',
    status_description: 'Present',
    zone_number: 7084,
    location: { lon: 144.96, lat: -37.81 },
  }
  const nested = readAll({ total_count: 1, results: [bay] }).events
  expect(nested[0]).toMatchObject({ spaceId: '57695', type: 'park_start', lon: 144.96, lat: -37.81 })
  const feature = {
    type: 'Feature',
    geometry: { type: 'Point', coordinates: [-118.2, 34] },
    properties: { SpaceID: 'A', State: 'vacant', EventTime: '03/07/2026 08:15:00 PM' },
  }
  const collection = { type: 'FeatureCollection', features: [feature] }
  expect(readAll(collection, { times: 'utc' }).events[0]).toMatchObject({
    type: 'park_end',
    time: Date.UTC(2026, 2, 7, 20, 15),
    lon: -118.2,
  })
  const csv = 'SpaceID,EventTime_UTC,OccupancyState\nA,2026-03-07T20:15:00,OCCUPIED\n'
  expect(summarizeEvents(readAll(csv).events)).toEqual([['A', 'park_start', '2026-03-07T20:15']])
})

test('The adapter reports each row without a valid state, and rejects responses without any', () => {
  const { events, findings } = readAll([
    { SpaceID: 'A', EventTime: '2026-03-07T12:00:00', OccupancyState: 'OCCUPIED' },
    { SpaceID: '', EventTime: '2026-03-07T12:00:00', OccupancyState: 'OCCUPIED' },
    { SpaceID: 'B', EventTime: 'soon', OccupancyState: 'OCCUPIED' },
    { SpaceID: 'C', EventTime: '2031-03-07T12:00:00', OccupancyState: 'OCCUPIED' },
    { SpaceID: 'D', EventTime: '2026-03-07T12:00:00', OccupancyState: 'purple' },
    null,
  ])
  expect(new Set(events.map(({ spaceId }) => spaceId))).toEqual(new Set(['A']))
  expect(findings.map(({ recordId, reason }) => [recordId, reason])).toEqual([
    ['1', 'The row names no space.'],
    ['B', 'The row has no readable time.'],
    ['C', 'The time lies ahead.'],
    ['D', 'The state is neither occupied nor vacant nor unknown.'],
    ['5', 'The row names no space.'],
  ])
  expect(() => readAll([{ a: 1 }])).toThrow(UnreadableBody)
  expect(() => readAll({ error: 'none' })).toThrow('no list of sensors')
  expect(readAll([]).events).toEqual([])
})
