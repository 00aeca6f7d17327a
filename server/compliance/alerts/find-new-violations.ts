import type { ComplianceRecord } from '#contract/compliance.ts'
import type { LocalDay } from '#contract/period.ts'

/** Violations of an operator's day that were reported; `shape` is empty if the policy is measured as a whole. */
export interface ReportedDay {
  operator: string
  shape: string
  day: LocalDay
  violations: number
}

/** A record to report. `sent_violations` is the number that was reported for the same day before. */
export interface ReportedRecord extends ComplianceRecord {
  sent_violations: number
}

export interface Finding extends ReportedDay {
  records: ReportedRecord[]
}

export const keyOf = ({ operator, shape, day }: Omit<ReportedDay, 'violations'>): string =>
  JSON.stringify([operator, shape, day])

/** Violations that were not reported or have increased since. Decreases are not reported. */
export function findNewViolations(
  records: readonly ComplianceRecord[],
  reported: readonly ReportedDay[],
): Finding[] {
  const before = new Map(reported.map((each) => [keyOf(each), each.violations]))
  const found = new Map<string, Finding>()
  for (const record of records) {
    if (record.status !== 'non_compliant') continue
    const place = { operator: record.operator, shape: record.shape_uuid ?? '', day: record.date }
    const key = keyOf(place)
    // Two revisions may be in force on one day, each with its own record.
    const one = found.get(key) ?? { ...place, violations: 0, records: [] }
    one.violations += Math.max(1, record.violations)
    one.records.push({ ...record, sent_violations: before.get(key) ?? 0 })
    found.set(key, one)
  }
  return [...found.values()].filter((one) => one.violations > (before.get(keyOf(one)) ?? 0))
}
