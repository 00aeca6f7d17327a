import type { ComplianceRecord } from '#contract/compliance.ts'
import type { LocalDay } from '#contract/period.ts'

/** Reported violations of an operator on a day. `shape` is empty if the policy is not measured by shape. */
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

/** Identifies an operator's day in a shape. */
export const makeDayKey = ({ operator, shape, day }: Omit<ReportedDay, 'violations'>): string =>
  JSON.stringify([operator, shape, day])

/** Finds violations that were not reported yet or have become more numerous. Decreases are not reported. */
export function findNewViolations(
  records: readonly ComplianceRecord[],
  reported: readonly ReportedDay[],
): Finding[] {
  const reportedCounts = new Map(reported.map((day) => [makeDayKey(day), day.violations]))
  const findings = new Map<string, Finding>()
  for (const record of records) {
    if (record.status !== 'non_compliant') continue
    const place = { operator: record.operator, shape: record.shape_uuid ?? '', day: record.date }
    const key = makeDayKey(place)
    // Two revisions may be in force on one day, each with its own record.
    const finding = findings.get(key) ?? { ...place, violations: 0, records: [] }
    finding.violations += Math.max(1, record.violations)
    finding.records.push({ ...record, sent_violations: reportedCounts.get(key) ?? 0 })
    findings.set(key, finding)
  }
  return [...findings.values()].filter(
    (finding) => finding.violations > (reportedCounts.get(makeDayKey(finding)) ?? 0),
  )
}
