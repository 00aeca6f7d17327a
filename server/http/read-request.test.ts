import { Readable } from 'node:stream'
import { describe, expect, it, test } from 'vitest'
import type { Endpoint } from '#contract/endpoint.ts'
import { endpoints } from '#contract/endpoints.ts'
import { emptyPolicy } from '#contract/policy.ts'
import { Problem } from './problem.ts'
import { readRequest } from './read-request.ts'

const uuid = '00000000-0000-4000-8000-000000000000'

/** Values of required parameters. */
const requiredValues: Record<string, string> = {
  region_id: 'alder',
  shape_layer_uuid: uuid,
  figure: 'speed',
  operator: 'swift',
  policy_uuid: uuid,
  start_date: '2026-03-01',
  end_date: '2026-03-02',
  startDate: '2026-03-01',
  endDate: '2026-03-02',
  z: '1',
  x: '1',
  y: '1',
}

const queries = [...endpoints].flatMap(([name, { request, ...endpoint }]) =>
  Object.keys(request.query?.shape ?? {}).map((field) => ({
    name,
    field,
    endpoint: { ...endpoint, request: request.query ? { query: request.query } : {} },
  })),
)

function refusal({ name, endpoint }: (typeof queries)[number], query: Record<string, string>): string | null {
  const fields = Object.keys(endpoint.request.query?.shape ?? {})
  const values = {
    ...Object.fromEntries(Object.entries(requiredValues).filter(([key]) => fields.includes(key))),
    ...(name === 'downloadRoutes' ? { format: 'csv' } : {}),
    ...query,
  }
  try {
    readRequest(endpoint, { params: {}, query: values, body: undefined })
    return null
  } catch (error) {
    return error instanceof Problem
      ? `${error.code} ${[...new Set(error.issues?.map(({ path }) => path))].join(' ')}`
      : String(error)
  }
}

describe('the query of every call', () => {
  const weekdays = queries.filter(({ field }) => field === 'days')
  it.each(weekdays)('$name refuses invalid weekdays', (call) => {
    expect(['8', 'foo', '0', '1.5', '-1', '1,9'].map((days) => refusal(call, { days }))).toEqual(
      Array(6).fill('validation_error query.days'),
    )
    expect(['', '1', '7,1'].map((days) => refusal(call, { days }))).toEqual([null, null, null])
  })

  const numbers = queries.filter(({ field }) =>
    /^(page|size|buffer|start_time_hour|end_time_hour|minParkingDuration|parked_duration|z|x|y)$/.test(field),
  )
  it.each(numbers)('$name refuses a $field that is not a number', (call) => {
    expect(['foo', '-1', '1e99'].map((value) => refusal(call, { [call.field]: value }))).toEqual(
      Array(3).fill(`validation_error query.${call.field}`),
    )
  })

  it.each(numbers.filter(({ field }) => field.endsWith('_hour')))('$name refuses an empty $field', (call) => {
    expect(['', ' '].map((value) => refusal(call, { [call.field]: value }))).toEqual(
      Array(2).fill(`validation_error query.${call.field}`),
    )
  })

  const lists = queries.filter(({ name, field }) => /vehicle_?types?$/i.test(field) && name !== 'uploadTrips')
  it.each(lists)('$name refuses unknown types in $field', (call) => {
    expect(refusal(call, { [call.field]: '["hovercraft"]' })).toContain(
      `validation_error query.${call.field}`,
    )
  })

  const periods = queries.filter(({ field }) => field === 'end_date' || field === 'endDate')
  it.each(periods)('$name refuses a period that ends before it starts', (call) => {
    const start = call.field.replace('end', 'start')
    expect(refusal(call, { [start]: '2026-03-02', [call.field]: '2026-03-01' })).toBe(
      `validation_error query.${call.field}`,
    )
    expect(refusal(call, { [start]: '2026-03-02', [call.field]: '2026-03-02' })).toBeNull()
  })

  it('is tested for several calls each', () => {
    expect([weekdays.length, numbers.length, lists.length, periods.length].map((count) => count > 5)).toEqual(
      [true, true, true, true],
    )
  })
})

test('readRequest refuses a body with a period that ends before it starts', () => {
  const call = endpoints.get('querySpatial')
  const body = {
    mode: 'trips',
    aggregation: 'origins',
    shape_layer_uuid: uuid,
    start_date: '2026-03-02',
    end_date: '2026-03-01',
  }
  expect(() =>
    readRequest(call as NonNullable<typeof call>, { params: { region_id: 'alder' }, query: {}, body }),
  ).toThrow('body.end_date: The period ends before it starts: 2026-03-01 is before 2026-03-02.')
})

test('readRequest accepts a draft with an invalid period', () => {
  const call = endpoints.get('savePolicy') as Endpoint
  const body = { ...emptyPolicy(), region_id: 'alder', start_date: '2026-03-02', end_date: '2026-03-01' }
  expect(() => readRequest(call, { params: {}, query: {}, body })).not.toThrow()
})

describe('a file', () => {
  const upload = endpoints.get('uploadTrips') as Endpoint
  const read = (body: unknown) =>
    readRequest(upload, { params: { region_id: 'alder' }, query: { file_name: 'a.csv' }, body })

  it('is a stream', () => {
    const body = Readable.from(['a'])
    expect(read(body).body).toBe(body)
  })

  it.each([[undefined], [null], [{ a: 1 }], ['text'], [[]]])('is not %j', (body) => {
    expect(() => read(body)).toThrow(/with the content type application\/octet-stream/)
  })
})
