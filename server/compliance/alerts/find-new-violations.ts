import type { ComplianceRecord } from '#contract/compliance.ts'
import type { LocalDay } from '#contract/period.ts'

/** The violations of an operator in a shape on a day. */
export interface DayViolations {
  operator: string
  /** Empty if the policy is not measured by shape. */
  shape: string
  day: LocalDay
  violations: number
}

export interface RecordToReport extends ComplianceRecord {
  /** Violations reported before for the same operator, shape and day, over all revisions. */
  sent_violations: number
}

/** Violations of an operator in a shape on a day that exceed those reported before. */
export interface NewViolations extends DayViolations {
  records: RecordToReport[]
}

/** Counts the violations of a non-compliant record: at least one, also for measures that count none. */
export const countViolations = ({ violations }: ComplianceRecord): number => Math.max(1, violations)

/** Identifies an operator's day in a shape. */
export const makeDayKey = ({ operator, shape, day }: Omit<DayViolations, 'violations'>): string =>
  JSON.stringify([operator, shape, day])

/** Finds violations that were not reported yet or have become more numerous. Decreases are not reported. */
export function findNewViolations(
  records: readonly ComplianceRecord[],
  reportedDays: readonly DayViolations[],
): NewViolations[] {
  const reportedCounts = new Map(reportedDays.map((day) => [makeDayKey(day), day.violations]))
  const violationsByKey = new Map<string, NewViolations>()
  for (const record of records) {
    if (record.status !== 'non_compliant') continue
    const operatorDay = { operator: record.operator, shape: record.shape_uuid ?? '', day: record.date }
    const key = makeDayKey(operatorDay)
    // Two revisions may be in force on one day, each with its own record.
    const dayViolations = violationsByKey.get(key) ?? { ...operatorDay, violations: 0, records: [] }
    dayViolations.violations += countViolations(record)
    dayViolations.records.push({ ...record, sent_violations: reportedCounts.get(key) ?? 0 })
    violationsByKey.set(key, dayViolations)
  }
  return [...violationsByKey.values()].filter(
    (dayViolations) => dayViolations.violations > (reportedCounts.get(makeDayKey(dayViolations)) ?? 0),
  )
}
