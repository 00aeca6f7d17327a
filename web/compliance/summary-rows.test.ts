import { describe, expect, it } from 'vitest'
import { countStatuses, filterRows, summaryRows } from './summary-rows.ts'
import { aSummary } from './test-compliance.ts'

const rows = summaryRows(
  [
    aSummary(),
    aSummary({
      constant_policy_uuid: '33333333-ceea-467f-a0e6-7a1d2b3c4d5e',
      policyName: 'Cap',
      policyType: 'vehicle_cap',
    }),
  ],
  [aSummary()],
  (slug) => slug.toUpperCase(),
)

describe('the rows of the summary', () => {
  it('are one per policy and operator, with the days before if the policy was in force then', () => {
    expect(
      rows.map(({ policyName, operatorName, before }) => [
        policyName,
        operatorName,
        before?.violationCount ?? null,
      ]),
    ).toEqual([
      ['Wharf', 'GLIDE', 7],
      ['Wharf', 'SKIP', 0],
      ['Cap', 'GLIDE', null],
      ['Cap', 'SKIP', null],
    ])
  })

  it('are filtered by name, type, operator and status', () => {
    expect(filterRows(rows, { search: 'wha' })).toHaveLength(2)
    expect(filterRows(rows, { types: ['vehicle_cap'], operators: ['skip'] }).map(({ key }) => key)).toEqual([
      '33333333-ceea-467f-a0e6-7a1d2b3c4d5e skip',
    ])
    expect(filterRows(rows, { statuses: ['non_compliant'] }).map(({ operator }) => operator)).toEqual([
      'glide',
      'glide',
    ])
    expect(countStatuses(rows)).toEqual({ compliant: 2, non_compliant: 2, not_applicable: 0 })
  })
})
