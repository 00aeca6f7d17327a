import { expect, test } from 'vitest'
import { hourMs } from '#contract/period.ts'
import type { AdapterFeed } from './adapter.ts'
import { cdsEvents } from './cds-events.ts'

const received = Date.UTC(2026, 2, 7, 12)
const feed: AdapterFeed = {
  feedId: 'f',
  regionId: 'r',
  operator: '',
  providerId: '',
  version: '1.1',
  url: 'https://curb.example/cds/events/',
  settings: { source_kind: 'check_in' },
  timezone: 'UTC',
  lat: 0,
  lon: 0,
}
const event = {
  event_id: 'e',
  event_type: 'park_start',
  event_time: received - 1000,
  event_publication_time: received,
  data_source_type: 'other',
  data_source_device_id: 'd',
}

test('The adapter requests each hour of 1.1, and only the last hour of 1.0', () => {
  const hour = { from: Date.UTC(2026, 2, 7, 9), until: Date.UTC(2026, 2, 7, 10) }
  expect(cdsEvents.request(feed, 'events', hour)).toEqual({
    url: 'https://curb.example/cds/events?event_time=2026-03-07T09',
    headers: { accept: 'application/vnd.cds+json;version=1.1' },
  })
  const old = { ...feed, version: '1.0' }
  expect(cdsEvents.streams(old)).toEqual([{ name: 'events', window: 'now' }])
  expect(cdsEvents.request(old, 'events', hour).url).toBe('https://curb.example/cds/events')
})

test('The adapter reads a response page by page, with a finding for each invalid event and without plates', async () => {
  const ahead = { ...event, event_id: 'late', event_time: received + hourMs }
  const broken = { ...event, event_type: 'stop', vehicle_license_plate: 'SECRET' }
  const body = { data: { events: [event, broken, ahead] }, links: { next: 'https://curb.example/2' } }
  const read = cdsEvents.read(feed, 'events', Buffer.from(JSON.stringify(body)), received)
  expect(read.next).toBe('https://curb.example/2')
  expect(read.other).toMatchObject([
    { eventId: 'e', sourceKind: 'check_in' },
    { eventId: 'late', sourceKind: 'check_in' },
  ])
  expect(read.records.findings.map(({ kind, field }) => [kind, field])).toEqual([
    ['schema', 'events[1].event_type'],
    ['clock_skew', 'events[2].event_time'],
  ])
  expect(JSON.stringify(read.records.findings)).not.toContain('SECRET')
})
