import type { ComplianceFact, ComplianceRecord } from '#contract/compliance.ts'
import { groupBy } from '#contract/group-by.ts'

/** The bounds of a policy; null if there is none. */
export interface Limits {
  minimum: number | null
  maximum: number | null
}

/** Whether a measured value is outside or inside the limits, or not applicable. */
export type MarkKind = 'outside' | 'inside' | 'other'

/** One measured value. */
export interface StripMark {
  value: number
  kind: MarkKind
}

/** The measured values of an operator. */
export interface StripRow {
  operator: string
  /** Sorted by value. */
  marks: readonly StripMark[]
}

/** Whether a value is outside the limits, which are inclusive. */
const compareWithLimits = (value: number, { minimum, maximum }: Limits): MarkKind =>
  (maximum !== null && value > maximum) || (minimum !== null && value < minimum) ? 'outside' : 'inside'

const kindByStatus: Record<ComplianceRecord['status'], MarkKind> = {
  non_compliant: 'outside',
  compliant: 'inside',
  not_applicable: 'other',
}

const toRows = (byOperator: ReadonlyMap<string, readonly StripMark[]>): StripRow[] =>
  [...byOperator]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([operator, marks]) => ({ operator, marks: marks.toSorted((a, b) => a.value - b.value) }))

/**
 * The measured values by operator, with one mark per record that has a value.
 * @param preview Limits that differ from those of the records, such as while one is being moved; null to use
 * those of the records.
 */
export function recordMarks(records: readonly ComplianceRecord[], preview: Limits | null): StripRow[] {
  const getKind = ({ status, reason_code: code, measured }: ComplianceRecord): MarkKind =>
    preview && (status !== 'not_applicable' || code === 'no_limit')
      ? compareWithLimits(measured ?? 0, preview)
      : kindByStatus[status]
  const measuredRecords = records.filter(({ measured }) => measured !== null)
  const toMark = (record: ComplianceRecord): StripMark => ({
    value: record.measured ?? 0,
    kind: getKind(record),
  })
  return toRows(
    new Map(
      [...groupBy(measuredRecords, ({ operator }) => operator)].map(([operator, group]) => [
        operator,
        group.map(toMark),
      ]),
    ),
  )
}

/** Returns the kind of a fact. An uncertain one is outside only if the region counts uncertain facts. */
function getFactKind(value: number, fact: ComplianceFact, limits: Limits): MarkKind {
  if (compareWithLimits(value, limits) === 'inside') return 'inside'
  return fact.is_violation ? 'outside' : 'other'
}

/** Returns the measured values of facts. `unit` is the size of the limit's unit in the unit of the facts. */
export function factMarks(facts: readonly ComplianceFact[], unit: number, limits: Limits): StripRow[] {
  const measured = facts.filter(({ value }) => value !== null)
  const toMark = (fact: ComplianceFact): StripMark => {
    const value = (fact.value ?? 0) / unit
    return { value, kind: getFactKind(value, fact, limits) }
  }
  return toRows(
    new Map(
      [...groupBy(measured, ({ operator }) => operator)].map(([operator, group]) => [
        operator,
        group.map(toMark),
      ]),
    ),
  )
}
