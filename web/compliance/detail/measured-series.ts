import type { ComplianceRecord } from '#contract/compliance.ts'
import type { LocalDay } from '#contract/period.ts'
import { groupBy } from '#contract/group-by.ts'

type LimitSide = 'maximum' | 'minimum'
type MeasuredRecord = ComplianceRecord & { measured: number }

const isMeasured = (record: ComplianceRecord): record is MeasuredRecord => record.measured !== null

/** Whether the maximum (if there is one) or the minimum is compared. Null if no record has a limit. */
export function getLimitSide(records: readonly ComplianceRecord[]): LimitSide | null {
  if (records.some(({ maximum }) => maximum !== null)) return 'maximum'
  return records.some(({ minimum }) => minimum !== null) ? 'minimum' : null
}

/** How far a value is beyond its limit; negative within the limit. */
const getExcess = (record: MeasuredRecord, side: LimitSide): number | null => {
  const limit = record[side]
  if (limit === null) return null
  return side === 'maximum' ? record.measured - limit : limit - record.measured
}

/** The value furthest beyond its limit, or closest to it. */
export interface Peak {
  record: MeasuredRecord
  side: LimitSide
  limit: number
  /** How far it is beyond the limit; 0 or less within the limit. */
  excess: number
  /** Whether all records have the same limit, so that the peak is the highest (or lowest) value of all. */
  isOneLimit: boolean
}

/** The value furthest beyond its limit, or closest to it. Null if nothing was measured against a limit. */
export function findPeak(records: readonly ComplianceRecord[]): Peak | null {
  const side = getLimitSide(records)
  if (side === null) return null
  const limits = new Set<number>()
  let peak: Omit<Peak, 'isOneLimit'> | null = null
  for (const record of records) {
    const limit = record[side]
    if (!isMeasured(record) || limit === null) continue
    limits.add(limit)
    const excess = getExcess(record, side) ?? 0
    if (peak === null || excess > peak.excess) peak = { record, side, limit, excess }
  }
  return peak && { ...peak, isOneLimit: limits.size === 1 }
}

/** Measured values and limits by day, for a chart. */
export interface MeasuredSeries {
  side: LimitSide
  /** For each operator, each day's value closest to or furthest beyond the limit; null if not measured. */
  operators: { operator: string; values: (number | null)[] }[]
  /** Each day's limit; null if its areas differ. Absent if no day has a limit. */
  limits: { side: LimitSide; values: (number | null)[] }[]
  /** Index of the unfinished day. */
  inProgressIndex: number | undefined
  /** Whether only one of several areas is shown on some days. */
  hasAreas: boolean
}

/** Measured values by day and operator, with the limits. Null if the policy has no limit. */
export function measuredSeries(
  records: readonly ComplianceRecord[],
  days: readonly LocalDay[],
): MeasuredSeries | null {
  const side = getLimitSide(records)
  if (side === null) return null
  const getValue = (group: readonly ComplianceRecord[]): number | null => {
    const values = group.filter(isMeasured).map(({ measured }) => measured)
    if (values.length === 0) return null
    return values.reduce((a, b) => (side === 'maximum' ? Math.max(a, b) : Math.min(a, b)))
  }
  const byDay = groupBy(records, ({ date }) => date)
  const getLimit = (day: LocalDay, limitSide: LimitSide): number | null => {
    const limits = new Set((byDay.get(day) ?? []).flatMap((record) => record[limitSide] ?? []))
    return limits.size === 1 ? [...limits][0]! : null
  }
  const inProgressIndex = days.findIndex((day) =>
    byDay.get(day)?.some(({ reason_code: reason }) => reason === 'day_goes_on'),
  )
  return {
    side,
    operators: [...groupBy(records, ({ operator }) => operator)]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([operator, group]) => {
        const recordsByDay = groupBy(group, ({ date }) => date)
        return { operator, values: days.map((day) => getValue(recordsByDay.get(day) ?? [])) }
      }),
    limits: (['maximum', 'minimum'] as const)
      .map((which) => ({ side: which, values: days.map((day) => getLimit(day, which)) }))
      .filter(({ values }) => values.some((value) => value !== null)),
    inProgressIndex: inProgressIndex < 0 ? undefined : inProgressIndex,
    hasAreas: new Set(records.map(({ shape_uuid: shape }) => shape)).size > 1,
  }
}
