import type { ComplianceRecord, ComplianceStatus } from '#contract/compliance.ts'
import type { LocalDay } from '#contract/period.ts'
import { groupBy } from '#contract/group-by.ts'

/** Combines the statuses of records: non_compliant if any is, not_applicable only if all are. */
function combineStatuses(statuses: readonly ComplianceStatus[]): ComplianceStatus {
  if (statuses.includes('non_compliant')) return 'non_compliant'
  return statuses.includes('compliant') ? 'compliant' : 'not_applicable'
}

/** The combined records of an operator's day. */
export interface DayTally {
  date: LocalDay
  status: ComplianceStatus
  violations: number
  uncertain: number
  /** Whether the result may still change without new data. */
  provisional: boolean
  records: readonly ComplianceRecord[]
}

/** The combined records of an operator. */
export interface OperatorTally {
  operator: string
  status: ComplianceStatus
  violations: number
  uncertain: number
  nonCompliantDays: number
  compliantDays: number
  notApplicableDays: number
  /** The largest vehicle count of a record; null if there is none. */
  maxVehicles: number | null
  days: ReadonlyMap<LocalDay, DayTally>
}

const sumRecords = (
  records: readonly ComplianceRecord[],
  count: (record: ComplianceRecord) => number,
): number => records.reduce((sum, record) => sum + count(record), 0)

/** Violations of a non-compliant record. Those found on other days are displayed but not counted. */
const countViolations = ({ status, violations }: ComplianceRecord): number =>
  status === 'non_compliant' ? violations : 0

/** Returns the totals of a day, and its worst status. */
export function tallyDay(date: LocalDay, records: readonly ComplianceRecord[]): DayTally {
  return {
    date,
    records,
    status: combineStatuses(records.map(({ status }) => status)),
    violations: sumRecords(records, countViolations),
    uncertain: sumRecords(records, ({ uncertain }) => uncertain),
    provisional: records.some(({ provisional }) => provisional),
  }
}

function tallyOperator(operator: string, records: readonly ComplianceRecord[]): OperatorTally {
  const days = new Map(
    [...groupBy(records, ({ date }) => date)]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([date, group]): [LocalDay, DayTally] => [date, tallyDay(date, group)]),
  )
  const tallies = [...days.values()]
  const countDays = (status: ComplianceStatus): number =>
    tallies.filter((day) => day.status === status).length
  const vehicleCounts = records.flatMap(({ vehicle_count: count }) => (count === null ? [] : [count]))
  return {
    operator,
    status: combineStatuses(tallies.map(({ status }) => status)),
    violations: sumRecords(records, countViolations),
    uncertain: sumRecords(records, ({ uncertain }) => uncertain),
    nonCompliantDays: countDays('non_compliant'),
    compliantDays: countDays('compliant'),
    notApplicableDays: countDays('not_applicable'),
    maxVehicles: vehicleCounts.length ? vehicleCounts.reduce((a, b) => Math.max(a, b)) : null,
    days,
  }
}

/** Returns the tallies of the records by operator, in the order of their slugs. */
export const tallyRecords = (records: readonly ComplianceRecord[]): OperatorTally[] =>
  [...groupBy(records, ({ operator }) => operator)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([operator, group]) => tallyOperator(operator, group))

/** Returns the totals over several operators. A day counts once per operator. */
export function tallyAll(tallies: readonly OperatorTally[]): Omit<OperatorTally, 'operator' | 'days'> {
  const sum = (count: (tally: OperatorTally) => number): number =>
    tallies.reduce((total, tally) => total + count(tally), 0)
  const vehicleCounts = tallies.flatMap(({ maxVehicles }) => (maxVehicles === null ? [] : [maxVehicles]))
  return {
    status: combineStatuses(tallies.map(({ status }) => status)),
    violations: sum(({ violations }) => violations),
    uncertain: sum(({ uncertain }) => uncertain),
    nonCompliantDays: sum(({ nonCompliantDays }) => nonCompliantDays),
    compliantDays: sum(({ compliantDays }) => compliantDays),
    notApplicableDays: sum(({ notApplicableDays }) => notApplicableDays),
    maxVehicles: vehicleCounts.length ? Math.max(...vehicleCounts) : null,
  }
}
