import { expect, it } from 'vitest'
import type { ComplianceRecord } from '#contract/compliance.ts'
import { tallyRecords } from '../results/tally-records.ts'
import { aBreach, aRecord } from '#web/compliance/test-compliance.ts'
import { measuredDays } from './measured-days.ts'

const friday = (overrides: Partial<ComplianceRecord> = {}) =>
  aRecord({ date: '2026-11-20', status: 'not_applicable', reason_code: 'not_on_this_day', ...overrides })
const weekend = (operator: string, overrides: Partial<ComplianceRecord> = {}) => [
  friday({ operator }),
  aBreach(1, { operator, date: '2026-11-21', ...overrides }),
  aRecord({ operator, date: '2026-11-22', ...overrides }),
]
const gap = { status: 'not_applicable', reason_code: 'data_gap' } as const

it('counts the days on which the policy applies, and lists operators without usable data', () => {
  const records = [...weekend('glide'), ...weekend('skip'), ...weekend('tern', gap)]
  expect(measuredDays(tallyRecords(records), ['glide', 'sandpiper', 'skip', 'tern'], true)).toEqual({
    days: 2,
    kind: 'weekend',
    operators: 2,
    measured: 4,
    isComplete: true,
    without: ['sandpiper', 'tern'],
    partial: [],
  })
})

it('lists the operators with incomplete days', () => {
  const [first, ...others] = weekend('skip')
  const records = [...weekend('glide'), first!, others[0]!, { ...others[1]!, ...gap }]
  expect(measuredDays(tallyRecords(records), ['glide', 'skip'], false)).toMatchObject({
    days: 2,
    kind: 'day',
    measured: 3,
    isComplete: false,
    without: [],
    partial: [{ operator: 'skip', missing: 1, isDayOpen: false }],
  })
})

it('an unfinished day is not missing data', () => {
  const [first, second, today] = weekend('skip')
  const open = { status: 'not_applicable', reason_code: 'day_goes_on' } as const
  const records = [...weekend('glide'), first!, second!, { ...today!, ...open }]
  expect(measuredDays(tallyRecords(records), ['glide', 'skip'], false)).toMatchObject({
    measured: 3,
    isComplete: false,
    partial: [{ operator: 'skip', missing: 0, isDayOpen: true }],
  })
})
