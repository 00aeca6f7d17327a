import { describe, expect, it, test } from 'vitest'
import { civilClock } from '#contract/civil-clock.ts'
import { findIssueList } from './issue-files.ts'
import { flattenRecord, readHeader, createIssueRecordReader } from '#server/issues/records/issue-records.ts'

describe('a JSON file', () => {
  it('contains its list at the top or in one of the usual fields', () => {
    for (const json of [
      [{ a: 1 }],
      { records: [{ a: 1 }] },
      { service_requests: [{ a: 1 }] },
      { result: 7, results: [{ a: 1 }] },
    ])
      expect(findIssueList(json)).toEqual({ layout: 'JSON', records: [{ a: 1 }], fetchedMs: null })
    expect(findIssueList({ fetched_at: '2026-08-08T16:30:23Z', records: [] })?.fetchedMs).toBe(
      Date.UTC(2026, 7, 8, 16, 30, 23),
    )
    for (const json of [null, 'x', 7, {}, { record: [] }]) expect(findIssueList(json)).toBeNull()
  })

  it('is flattened if it is GeoJSON or ArcGIS', () => {
    expect(
      findIssueList({
        type: 'FeatureCollection',
        features: [
          { type: 'Feature', geometry: { type: 'Point', coordinates: [-83, 40] }, properties: { id: 1 } },
          { type: 'Feature', geometry: null, properties: { id: 2 } },
          7,
        ],
      }),
    ).toMatchObject({ layout: 'GeoJSON', records: [{ id: 1, point: 'POINT (-83 40)' }, { id: 2 }, 7] })
    expect(
      findIssueList({ features: [{ attributes: { CASE_ID: 'x' }, geometry: { x: -83, y: 40 } }] }),
    ).toMatchObject({ layout: 'ArcGIS', records: [{ CASE_ID: 'x', point: 'POINT (-83 40)' }] })
    const hostile = JSON.parse('[{"toString": {}}, 40]') as unknown[]
    expect(
      findIssueList({ features: [{ attributes: { CASE_ID: 'x' }, geometry: { x: hostile[0], y: 40 } }] }),
    ).toMatchObject({ records: [{ CASE_ID: 'x', point: 'POINT ( 40)' }] })
  })
})

describe('records', () => {
  it('are flattened if they have nested fields', () => {
    expect(
      flattenRecord({
        a: 1,
        location: { latitude: '40', human_address: '{}' },
        geo: { type: 'Point', coordinates: [-83, 40] },
        list: [1],
        none: null,
      }),
    ).toEqual({
      a: '1',
      'location latitude': '40',
      'location human_address': '{}',
      point: 'POINT (-83 40)',
      list: '',
      none: '',
    })
    expect(readHeader([{ a: 1 }, { A: 2, b: 3 }])).toEqual(['a', 'b'])
  })

  it('may have different fields in the same list', () => {
    const reader = createIssueRecordReader(
      [
        { id: '1', type: 'x', status: 'open', created_at: '13/07/2026' },
        { id: '2', type: 'x', created_at: '14/07/2026', closed_at: '15/07/2026', STATUS: 'Closed' },
      ],
      civilClock('UTC'),
      null,
    )
    expect(
      reader?.read({
        id: '2',
        type: 'x',
        created_at: '01/02/2026',
        closed_at: '15/07/2026',
        STATUS: 'Closed',
      }),
    ).toMatchObject({
      issueId: '2',
      status: 'closed',
      requested: Date.UTC(2026, 1, 1),
      closed: Date.UTC(2026, 6, 15),
    })
    // The order of dates of the other list is ambiguous, so they are not read.
    const ambiguous = { id: '3', type: 'x', status: 'open', created_at: '01/02/2026' }
    expect(createIssueRecordReader([ambiguous], civilClock('UTC'), null)?.read(ambiguous)).toMatchObject({
      reason: 'bad_requested_time',
    })
    expect(createIssueRecordReader([ambiguous], civilClock('UTC'), 'dmy')?.read(ambiguous)).toMatchObject({
      requested: Date.UTC(2026, 1, 1),
    })
    expect(reader?.read(null)).toEqual({ reason: 'not_a_record', detail: '' })
    expect(createIssueRecordReader([{ a: 1 }], civilClock('UTC'), null)).toBeNull()
  })
})

test('Records retain only the fields that are read, without personal data', () => {
  const record = {
    id: '1',
    type: 'x',
    status: 'open',
    created_at: '2026-07-13',
    first_name: 'Ada',
    age: 36,
    'home address': '1 Oak',
    reporter: { username: 'ada' },
    account: 7,
  }
  const reader = createIssueRecordReader([record], civilClock('UTC'), null)
  expect(reader?.getRetained(record)).toEqual({
    id: '1',
    type: 'x',
    status: 'open',
    created_at: '2026-07-13',
  })
  expect(reader?.getRetained(7)).toEqual({})
})
