import type { ComplianceRecord, ComplianceStatus } from '#contract/compliance.ts'
import type { LocalDay } from '#contract/period.ts'
import { groupBy } from './group-by.ts'

/** Of several: non_compliant where one is, not_applicable where none could be judged. */
const statusOf = (statuses: readonly ComplianceStatus[]): ComplianceStatus =>
  statuses.includes('non_compliant')
    ? 'non_compliant'
    : statuses.includes('compliant')
      ? 'compliant'
      : 'not_applicable'

/** What the records of one day say together. */
export interface DayTally {
  date: LocalDay
  status: ComplianceStatus
  violations: number
  uncertain: number
  /** Some of it may still change without new data. */
  provisional: boolean
  records: readonly ComplianceRecord[]
}

/** What the records of one operator say together. */
export interface OperatorTally {
  operator: string
  status: ComplianceStatus
  violations: number
  uncertain: number
  /** Days that are not compliant, that are, and that could not be judged. */
  brokenDays: number
  compliantDays: number
  otherDays: number
  /** The largest vehicle count of a record; null where none has one. */
  mostVehicles: number | null
  days: ReadonlyMap<LocalDay, DayTally>
}

const total = (records: readonly ComplianceRecord[], of: (record: ComplianceRecord) => number): number =>
  records.reduce((sum, record) => sum + of(record), 0)

/** Violations of a record: those of a day that could not be judged are told, but not counted. */
const counted = ({ status, violations }: ComplianceRecord): number =>
  status === 'non_compliant' ? violations : 0

export function tallyDay(date: LocalDay, records: readonly ComplianceRecord[]): DayTally {
  return {
    date,
    records,
    status: statusOf(records.map(({ status }) => status)),
    violations: total(records, counted),
    uncertain: total(records, ({ uncertain }) => uncertain),
    provisional: records.some(({ provisional }) => provisional),
  }
}

function tallyOne(operator: string, records: readonly ComplianceRecord[]): OperatorTally {
  const days = new Map(
    [...groupBy(records, ({ date }) => date)]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([date, its]): [LocalDay, DayTally] => [date, tallyDay(date, its)]),
  )
  const all = [...days.values()]
  const number = (status: ComplianceStatus): number => all.filter((day) => day.status === status).length
  const vehicles = records.flatMap(({ vehicle_count: count }) => (count === null ? [] : [count]))
  return {
    operator,
    status: statusOf(all.map(({ status }) => status)),
    violations: total(records, counted),
    uncertain: total(records, ({ uncertain }) => uncertain),
    brokenDays: number('non_compliant'),
    compliantDays: number('compliant'),
    otherDays: number('not_applicable'),
    mostVehicles: vehicles.length ? vehicles.reduce((a, b) => Math.max(a, b)) : null,
    days,
  }
}

/** Records by operator, in the order of their slugs. */
export const tallyRecords = (records: readonly ComplianceRecord[]): OperatorTally[] =>
  [...groupBy(records, ({ operator }) => operator)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([operator, its]) => tallyOne(operator, its))

/** Several operators as one line: each day of each counts for itself. */
export function tallyAll(tallies: readonly OperatorTally[]): Omit<OperatorTally, 'operator' | 'days'> {
  const sum = (of: (tally: OperatorTally) => number): number =>
    tallies.reduce((all, tally) => all + of(tally), 0)
  const vehicles = tallies.flatMap(({ mostVehicles }) => (mostVehicles === null ? [] : [mostVehicles]))
  return {
    status: statusOf(tallies.map(({ status }) => status)),
    violations: sum(({ violations }) => violations),
    uncertain: sum(({ uncertain }) => uncertain),
    brokenDays: sum(({ brokenDays }) => brokenDays),
    compliantDays: sum(({ compliantDays }) => compliantDays),
    otherDays: sum(({ otherDays }) => otherDays),
    mostVehicles: vehicles.length ? Math.max(...vehicles) : null,
  }
}
