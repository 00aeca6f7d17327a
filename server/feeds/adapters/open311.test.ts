import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { hourMs } from '#contract/period.ts'
import { type AdapterFeed, UnreadableBody } from './adapter.ts'
import { openThreeOneOne, type Open311Content } from './open311.ts'

const makeFeed = (
  settings: Record<string, unknown> = {},
  url = 'https://311.example/open311/v2/requests.json',
): AdapterFeed => ({
  feedId: 'f',
  regionId: 'alder',
  operator: '',
  providerId: '',
  version: 'v2',
  url,
  settings,
  timezone: 'America/New_York',
  lat: 40,
  lon: -83,
})
const received = Date.UTC(2026, 7, 1)
const now = { from: received, until: received }
const read = (body: unknown, stream = 'requests', settings: Record<string, unknown> = {}) =>
  openThreeOneOne.read(
    makeFeed(settings),
    stream,
    Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
    received,
  )
const readIssues = (body: unknown, stream?: string) =>
  (read(body, stream).other as Extract<Open311Content, { kind: 'requests' }>).issues
const request = (id: number, hours: number) => ({
  service_request_id: String(id),
  status: 'open',
  service_code: '006',
  service_name: 'Scooters',
  requested_datetime: new Date(received - hours * hourMs).toISOString(),
  lat: 37.76,
  long: -122.42,
})

/** Returns the error that a function throws; null if it throws none. */
function catchError(act: () => unknown): unknown {
  try {
    act()
    return null
  } catch (error) {
    return error
  }
}
const isRefused = (error: unknown): boolean => error === null || error instanceof UnreadableBody

describe('requests', () => {
  it('requests cover the last 90 days, which is the maximum of the standard', () => {
    expect(
      openThreeOneOne.request(
        makeFeed({ jurisdiction_id: 'sf.gov', service_code: '006,007' }),
        'requests',
        now,
      ).url,
    ).toBe(
      'https://311.example/open311/v2/requests.json?jurisdiction_id=sf.gov&service_code=006%2C007&start_date=2026-05-03T00%3A00%3A00Z&end_date=2026-08-01T00%3A00%3A00Z',
    )
    expect(openThreeOneOne.request(makeFeed({ days: 500 }), 'requests', now).url).toContain(
      'start_date=2026-05-03',
    )
    expect(
      openThreeOneOne.request(makeFeed({ format: 'xml' }, 'https://311.example/v2/'), 'services', now),
    ).toMatchObject({
      url: 'https://311.example/v2/services.xml',
      headers: { accept: expect.stringContaining('xml') },
    })
    expect(
      openThreeOneOne.request(makeFeed(), 'history', {
        from: Date.UTC(2026, 5, 1, 4),
        until: Date.UTC(2026, 6, 1, 4),
      }).url,
    ).toContain('start_date=2026-06-01T04%3A00%3A00Z&end_date=2026-07-01T04%3A00%3A00Z')
  })

  it('requests treat a 404 of the history as an empty month', () => {
    expect(openThreeOneOne.readiness?.(404, 'history', now, received)).toBe('nothing')
    expect(openThreeOneOne.readiness?.(404, 'requests', now, received)).toBeUndefined()
  })
})

describe('a list of requests', () => {
  const xml = `<?xml version="1.0" encoding="utf-8"?><service_requests>
    <request><service_request_id>638344</service_request_id><status>closed</status><status_notes>Duplicate request.</status_notes><service_name>Sidewalk &amp; Curb</service_name><service_code>006</service_code><description/>
      <requested_datetime>2010-04-14T06:37:38-08:00</requested_datetime><updated_datetime>2010-04-16T06:37:38-08:00</updated_datetime><address>8TH AVE</address><lat>37.762221815</lat><long>-122.4651145</long></request>
    <request><service_request_id>638349</service_request_id><status>open</status><service_code>006</service_code><requested_datetime>nobody knows</requested_datetime></request></service_requests>`

  it('reads the same requests from XML and from JSON', () => {
    const one = {
      issueId: '638344',
      serviceCode: '006',
      serviceName: 'Sidewalk & Curb',
      status: 'closed',
      sourceStatus: 'closed',
      requested: Date.parse('2010-04-14T14:37:38Z'),
      updated: Date.parse('2010-04-16T14:37:38Z'),
      address: '8TH AVE',
      lat: 37.762221815,
      lon: -122.4651145,
    }
    const json = [
      {
        service_request_id: 638344,
        status: 'closed',
        status_notes: 'Duplicate request.',
        service_name: 'Sidewalk & Curb',
        service_code: '006',
        description: null,
        requested_datetime: '2010-04-14T06:37:38-08:00',
        updated_datetime: '2010-04-16T06:37:38-08:00',
        address: '8TH AVE',
        lat: 37.762221815,
        long: -122.4651145,
      },
    ]
    expect(readIssues(xml)).toMatchObject([one])
    expect(readIssues(json)).toEqual(readIssues(xml))
    expect(readIssues({ service_requests: json })).toEqual(readIssues(xml))
  })

  it('reports invalid requests as findings with id and reason, without personal data', () => {
    const { records } = read([
      request(1, 1),
      {
        ...request(2, 2),
        requested_datetime: 'soon',
        first_name: 'Ada',
        email: 'ada@home.example',
        phone: '1',
        description: 'x',
      },
      7,
    ])
    expect(records.findings.map(({ recordId, field, reason }) => [recordId, field, reason])).toEqual([
      ['2', 'requests[1]', 'The request time is not valid (soon).'],
      ['2', 'requests[2]', 'The entry is not a record with fields.'],
    ])
    expect(records.findings[0]?.raw).toContain('"service_name":"Scooters"')
    expect(JSON.stringify(records.findings)).not.toMatch(/Ada|home\.example/)
    expect(read(xml).records.findings).toMatchObject([{ recordId: '638349' }])
  })

  it('requests a list again for a narrower time range if it may be truncated', () => {
    const newestFirst = Array.from({ length: 1000 }, (_, n) => request(n, 1 + n))
    const next = new URL(String(read(newestFirst).next))
    expect([next.searchParams.get('start_date'), next.searchParams.get('end_date')]).toEqual([
      '2026-05-03T00:00:00Z',
      '2026-06-20T08:00:00Z',
    ])
    const oldestFirst = new URL(String(read(newestFirst.toReversed()).next))
    expect([oldestFirst.searchParams.get('start_date'), oldestFirst.searchParams.get('end_date')]).toEqual([
      '2026-07-31T23:00:00Z',
      '2026-08-01T00:00:00Z',
    ])
    const month = new URL(
      String(
        read(
          Array.from({ length: 100 }, (_, n) => request(n, 200 + n)),
          'history',
        ).next,
      ),
    )
    expect(month.searchParams.get('start_date')).toBe('2026-07-01T04:00:00Z')
    expect(read(newestFirst.slice(0, 999)).next).toBeNull()
    expect(
      read(newestFirst.map((record) => ({ ...record, requested_datetime: '2026-07-01T00:00:00Z' }))).next,
    ).toBeNull()
    expect(read(newestFirst.slice(0, 30), 'requests', { limit: 30 }).next).not.toBeNull()
    expect(read(newestFirst, 'requests', { limit: 100_000 }).next).toBeNull()
  })

  it('accepts an empty list of requests', () => {
    for (const body of ['[]', '<service_requests></service_requests>'])
      expect(read(body)).toMatchObject({ next: null, other: { kind: 'requests', issues: [] } })
  })

  it.each([
    [
      'an error in JSON',
      '[{"code":400,"description":"jurisdiction_id is missing"}]',
      /jurisdiction_id is missing/,
    ],
    [
      'an error in XML',
      '<errors><error><code>403</code><description>No key</description></error></errors>',
      /No key/,
    ],
    ['a web page', '<html><body>x</body></html>', /web page/],
    ['a broken page', '<html><br>', /XML/],
    ['entities', '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>', /DOCTYPE/],
    ['an object', '{}', /no list/],
    ['another list', '[{"a":1}]', /not of requests/],
    ['nothing', ' ', /empty/],
  ])('distinguishes a list of requests from %s', (_, body, words) => expect(() => read(body)).toThrow(words))

  it('a list of requests never causes an unexpected error', () => {
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      fc.constantFrom('2026-07-01', '2026-07-01T00:00:00Z', '', 'closed'),
    )
    const record = fc.dictionary(
      fc.constantFrom(
        'service_request_id',
        'status',
        'service_code',
        'requested_datetime',
        'updated_datetime',
        'lat',
        'long',
        'address',
        '__proto__',
      ),
      value,
    )
    fc.assert(
      fc.property(
        fc.constantFrom('requests', 'history', 'services'),
        fc.oneof(fc.array(fc.oneof(record, value)), value, fc.string()),
        (stream, body) => {
          expect(catchError(() => read(body, stream))).toSatisfy(isRefused)
        },
      ),
      { numRuns: Number(process.env['FUZZ_RUNS'] ?? 200) },
    )
  })
})

test('The adapter reads services', () => {
  const found = { kind: 'services', services: [{ code: '001', name: 'Cans left out' }] }
  expect(
    read(
      [{ service_code: '001', service_name: 'Cans left out', type: 'realtime' }, { service_code: '' }],
      'services',
    ).other,
  ).toEqual(found)
  expect(
    read(
      '<services><service><service_code>001</service_code><service_name>Cans left out</service_name></service></services>',
      'services',
    ).other,
  ).toEqual(found)
})
