import { expect, it } from 'vitest'
import { aRecord } from '../test-compliance.ts'
import { measuredSeries, findPeak } from './measured-series.ts'

const cap = (date: string, operator: string, measured: number | null, overrides = {}) =>
  aRecord({
    date,
    operator,
    measured,
    maximum: 1200,
    measure: 'vehicles',
    reason_code: measured === null ? 'no_feed' : 'within',
    shape_uuid: null,
    ...overrides,
  })
const days = ['2026-11-20', '2026-11-21']
const records = [
  cap('2026-11-20', 'glide', 1100),
  cap('2026-11-21', 'glide', 1312),
  cap('2026-11-20', 'skip', null),
  cap('2026-11-21', 'skip', 900, { reason_code: 'day_goes_on' }),
]

it('the peak is the value furthest over the maximum', () => {
  expect(findPeak(records)).toMatchObject({
    record: { operator: 'glide', date: '2026-11-21', measured: 1312 },
    side: 'maximum',
    limit: 1200,
    excess: 112,
    isOneLimit: true,
  })
  const other = cap('2026-11-20', 'skip', 500, { maximum: 300 })
  expect(findPeak([...records, other])).toMatchObject({
    record: { operator: 'skip', measured: 500 },
    excess: 200,
    isOneLimit: false,
  })
})

it('without a maximum, it is the value furthest under the minimum', () => {
  const withMinimum = records.map((record) => ({ ...record, maximum: null, minimum: 1000 }))
  expect(findPeak(withMinimum)).toMatchObject({ record: { measured: 900 }, side: 'minimum', excess: 100 })
})

it('there is no peak without limits or measured values', () => {
  expect(findPeak([aRecord()])).toBeNull()
  expect(findPeak([cap('2026-11-20', 'skip', null)])).toBeNull()
  expect(measuredSeries([aRecord()], days)).toBeNull()
})

it('values are by operator and day with the limit; unknown ones are gaps', () => {
  expect(measuredSeries(records, days)).toEqual({
    side: 'maximum',
    operators: [
      { operator: 'glide', values: [1100, 1312] },
      { operator: 'skip', values: [null, 900] },
    ],
    limits: [{ side: 'maximum', values: [1200, 1200] }],
    inProgressIndex: 1,
    hasAreas: false,
  })
})

it('of several areas, the value closest to the limit is shown; differing limits have no line', () => {
  const areas = [
    cap('2026-11-20', 'glide', 10, { shape_uuid: 'a', maximum: 20 }),
    cap('2026-11-20', 'glide', 30, { shape_uuid: 'b', maximum: 40 }),
  ]
  expect(measuredSeries(areas, ['2026-11-20'])).toMatchObject({
    operators: [{ operator: 'glide', values: [30] }],
    limits: [],
    hasAreas: true,
  })
})
