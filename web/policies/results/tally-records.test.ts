import { describe, expect, it } from 'vitest'
import { tallyAll, tallyRecords } from './tally-records.ts'
import { aBreach, aRecord } from '#web/compliance/test-compliance.ts'

const other = '33333333-ceea-467f-a0e6-7a1d2b3c4d5e'

describe('the tally of records', () => {
  it('counts a day as non-compliant if one shape is, with the violations of such shapes only', () => {
    const [glide] = tallyRecords([
      aBreach(3),
      aBreach(2, { shape_uuid: other }),
      aRecord({ shape_uuid: null, status: 'not_applicable', reason_code: 'data_gap', violations: 9 }),
      aRecord({ date: '2026-11-19', uncertain: 2 }),
    ])
    expect(glide).toMatchObject({
      operator: 'glide',
      status: 'non_compliant',
      violations: 5,
      uncertain: 2,
      nonCompliantDays: 1,
      compliantDays: 1,
      notApplicableDays: 0,
      maxVehicles: 3,
    })
    expect([...glide!.days.keys()]).toEqual(['2026-11-19', '2026-11-20'])
    expect(glide!.days.get('2026-11-20')).toMatchObject({ status: 'non_compliant', violations: 5 })
  })

  it('never counts days that are not applicable as compliant', () => {
    const [glide] = tallyRecords([
      aRecord({ status: 'not_applicable', reason_code: 'no_feed', vehicle_count: null }),
    ])
    expect(glide).toMatchObject({
      status: 'not_applicable',
      notApplicableDays: 1,
      compliantDays: 0,
      maxVehicles: null,
    })
  })

  it('counts days per operator', () => {
    const all = tallyAll(
      tallyRecords([
        aBreach(3),
        aBreach(4, { operator: 'skip', vehicle_count: 9 }),
        aRecord({ operator: 'skip', date: '2026-11-21' }),
      ]),
    )
    expect(all).toMatchObject({
      status: 'non_compliant',
      violations: 7,
      nonCompliantDays: 2,
      compliantDays: 1,
      maxVehicles: 9,
    })
    expect(tallyAll([])).toMatchObject({ status: 'not_applicable', violations: 0, maxVehicles: null })
  })
})
