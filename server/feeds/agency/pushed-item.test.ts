import { describe, expect, it } from 'vitest'
import * as samples from '../../../test/mds-samples.ts'
import { createBulkResponse, getBulkStatus, readPushedItem, reject } from './pushed-item.ts'
import { parsePushedJson, readPushedList, checkReportLength } from './pushed-list.ts'

const context = { operator: 'lark', providerId: samples.providerId, received: samples.sampleTime + 60_000 }
const read = (item: unknown) =>
  readPushedItem(item, { version: '2.0', kind: 'event', context, path: 'events[0]' })
const getMessage = (run: () => unknown): string => {
  try {
    run()
  } catch (error) {
    return (error as Error).message
  }
  return 'fine'
}

describe('an item of a push', () => {
  it('an item of a push is accepted, lacks a parameter, or is invalid', () => {
    expect(read(samples.event()).failure).toBeNull()
    expect(
      read(samples.event(1, { device_id: undefined, location: null, battery_percent: 200 })).failure,
    ).toEqual({
      error: 'missing_param',
      error_description: 'A required parameter is missing: device_id, location.',
      error_details: ['device_id', 'location'],
    })
    expect(read(samples.event(1, { location: { lat: 99, lng: 0 } })).failure).toEqual({
      error: 'bad_param',
      error_description: 'A validation error occurred: location.lat must be a number from -90 to 90.',
      error_details: ['location.lat'],
    })
    expect(read('x').failure).toEqual({
      error: 'bad_param',
      error_description: 'A validation error occurred: The record must be an object.',
      error_details: ['item'],
    })
  })

  it('leaves only a finding when it is rejected', () => {
    const item = read(samples.event())
    reject(item, 'vehicle_unknown', samples.uuid(1))
    expect(item.failure?.error).toBe('unregistered')
    expect(item.records).toMatchObject({
      events: [],
      findings: [
        {
          kind: 'schema',
          recordId: samples.uuid(1),
          field: 'device_id',
          reason: 'This device_id is not registered.',
        },
      ],
    })
  })
})

describe('the response to a bulk push', () => {
  const good = read(samples.event())
  const bad = read({})
  const known = {
    item: 1,
    records: good.records,
    failure: { error: 'already_registered', error_description: '', error_details: [] },
  }
  it('counts items and returns those that failed', () => {
    expect(createBulkResponse([good, bad])).toMatchObject({
      success: 1,
      total: 2,
      failures: [
        {
          item: {},
          error: 'missing_param',
          error_details: [
            'device_id',
            'provider_id',
            'event_id',
            'vehicle_state',
            'event_types',
            'timestamp',
            'location',
          ],
        },
      ],
    })
    expect(createBulkResponse([good])).toEqual({ success: 1, total: 1, failures: [] })
    const deep = JSON.parse('['.repeat(50_000) + ']'.repeat(50_000)) as unknown
    expect(createBulkResponse([read(deep)]).failures).toMatchObject([{ item: null }])
  })

  it('the response to a bulk push has a different status if nothing was stored', () => {
    expect([[good], [good, bad], [good, known]].map((items) => getBulkStatus(items, 201))).toEqual([
      201, 201, 201,
    ])
    expect([[bad], [bad, known], [known, known]].map((items) => getBulkStatus(items, 200))).toEqual([
      400, 400, 409,
    ])
  })
})

describe('the list of a push', () => {
  it('the list of a push is the body itself or a named list in it', () => {
    expect(readPushedList([1], 'events')).toEqual([1])
    expect(readPushedList({ version: '2.0.0', events: [1, 2] }, 'events')).toEqual([1, 2])
  })

  it('the list of a push must exist, must not be empty, and must not be too long', () => {
    expect(getMessage(() => readPushedList({ trips: [] }, 'events'))).toBe(
      'A required parameter is missing: events.',
    )
    for (const wrong of ['x', 7, null, { events: {} }])
      expect(getMessage(() => readPushedList(wrong, 'events'))).toBe('The body must be a list of events.')
    expect(getMessage(() => readPushedList([], 'events'))).toBe('The list of events is empty.')
    expect(readPushedList(Array.from({ length: 20_000 }), 'events')).toHaveLength(20_000)
    expect(getMessage(() => readPushedList(Array.from({ length: 20_001 }), 'events'))).toBe(
      'A request has at most 20000 items; this one has 20001.',
    )
  })

  it('the list of a push must be JSON with a JSON content type', () => {
    const toBytes = (text: string) => Buffer.from(text)
    for (const type of [
      'application/json',
      'application/json; charset=utf-8',
      'application/vnd.mds+json;version=2.0',
    ])
      expect(parsePushedJson(toBytes('[1]'), type)).toEqual([1])
    for (const type of [undefined, 'text/plain', 'application/x-www-form-urlencoded', 'application/jsonp'])
      expect(getMessage(() => parsePushedJson(toBytes('[1]'), type))).toContain('The Content-Type must be')
    expect(getMessage(() => parsePushedJson(toBytes('{"a":'), 'application/json'))).toContain(
      'The body is not JSON: ',
    )
    expect(getMessage(() => parsePushedJson(undefined, 'application/json'))).toContain(
      'The body is not JSON: ',
    )
  })

  it('rejects a list before parsing if that would take too long', () => {
    const excess = (text: string): string =>
      getMessage(() => parsePushedJson(Buffer.from(text), 'application/json'))
    expect(excess(`[${'{},'.repeat(700_000)}{}]`)).toBe('The body contains more than 600000 values.')
    expect(excess('['.repeat(1_000_000))).toBe('The body is nested deeper than 32.')
    expect(
      excess(JSON.stringify([Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`k${n}`, n]))])),
    ).toBe('The body contains an object of more than 250 fields.')
    expect(excess(`["${'x'.repeat(100_001)}"]`)).toBe('The body contains a text longer than 100000 bytes.')
    expect(excess(`[${'9'.repeat(100_001)}]`)).toBe('The body contains a value longer than 100000 bytes.')
    const honest = Array.from({ length: 15_000 }, (_, n) => samples.event(n))
    expect(parsePushedJson(Buffer.from(JSON.stringify(honest)), 'application/json')).toHaveLength(15_000)
  })

  it('limits the number of lines in a report', () => {
    expect(() => checkReportLength('\n'.repeat(20_001))).not.toThrow()
    expect(getMessage(() => checkReportLength('\n'.repeat(20_002)))).toBe(
      'A request has at most 20000 lines.',
    )
  })
})
