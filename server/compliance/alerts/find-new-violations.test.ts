import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ComplianceRecord, ComplianceStatus } from '#contract/compliance.ts'
import { makeDayKey, findNewViolations, type DayViolations } from './find-new-violations.ts'

const record = (overrides: Partial<ComplianceRecord>): ComplianceRecord => ({
  date: '2026-05-04',
  operator: 'swift',
  shape_uuid: null,
  shape_name: 'City',
  status: 'non_compliant',
  vehicle_count: null,
  drop_offs_count: null,
  reason: '',
  reason_code: 'found',
  measure: 'trips',
  measured: 1,
  minimum: null,
  maximum: null,
  unit: null,
  violations: 1,
  uncertain: 0,
  gap_hours: 0,
  provisional: false,
  policy_uuid: null,
  method_version: 1,
  counts_uncertain: false,
  ...overrides,
})
const shape = 'aaaaaaaa-0000-4000-8000-000000000001'
const anyRecord = fc
  .record({
    date: fc.constantFrom('2026-05-04', '2026-05-05'),
    operator: fc.constantFrom('swift', 'lark'),
    shape_uuid: fc.constantFrom(null, shape),
    violations: fc.nat(5),
    status: fc.constantFrom<ComplianceStatus>('compliant', 'non_compliant', 'not_applicable'),
  })
  .map(record)

describe('new violations', () => {
  it('finds days that violate the policy, with the number reported before', () => {
    const reported = [{ operator: 'swift', shape: '', day: '2026-05-04', violations: 2 }]
    expect(findNewViolations([record({ violations: 2 })], reported)).toEqual([])
    expect(findNewViolations([record({ violations: 3 })], reported)).toMatchObject([
      { violations: 3, records: [{ violations: 3, sent_violations: 2 }] },
    ])
    expect(findNewViolations([record({ shape_uuid: shape })], reported)).toMatchObject([
      { shape, records: [{ sent_violations: 0 }] },
    ])
    expect(findNewViolations([record({ status: 'not_applicable', violations: 9 })], reported)).toEqual([])
  })

  it('adds up the revisions of one day', () => {
    expect(findNewViolations([record({ violations: 2 }), record({ violations: 1 })], [])).toMatchObject([
      { violations: 3, records: [{}, {}] },
    ])
  })

  it('reports each violation once, regardless of what each run finds', () => {
    fc.assert(
      fc.property(fc.array(fc.array(anyRecord, { maxLength: 6 }), { maxLength: 8 }), (runs) => {
        const reported = new Map<string, DayViolations>()
        const maxCounts = new Map<string, number>()
        for (const records of runs) {
          const sums = new Map<string, number>()
          for (const { operator, shape_uuid: id, date, violations, status } of records) {
            const key = makeDayKey({ operator, shape: id ?? '', day: date })
            if (status === 'non_compliant') sums.set(key, (sums.get(key) ?? 0) + Math.max(1, violations))
          }
          for (const finding of findNewViolations(records, [...reported.values()])) {
            expect(finding.violations).toBe(sums.get(makeDayKey(finding)))
            expect(finding.violations).toBeGreaterThan(reported.get(makeDayKey(finding))?.violations ?? 0)
            reported.set(makeDayKey(finding), finding)
          }
          for (const [key, sum] of sums) maxCounts.set(key, Math.max(maxCounts.get(key) ?? 0, sum))
          expect(findNewViolations(records, [...reported.values()])).toEqual([])
        }
        expect(new Map([...reported].map(([key, finding]) => [key, finding.violations]))).toEqual(maxCounts)
      }),
    )
  })
})
