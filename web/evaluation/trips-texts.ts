import type { TFunction } from 'i18next'
import type { TripAggregation } from '#contract/evaluation.ts'
import { distanceUnit } from '#contract/units.ts'
import { formatWhole } from '#web/kit/format.ts'
import type { TableColumn } from '#web/kit/table-column.ts'
import type { EvaluationRow, EvaluationUnit } from './evaluation.ts'
import type { Period } from './period-presets.ts'

/** The unit of a trip aggregation, as it follows a number. */
export function tripsUnit(t: TFunction, unit: EvaluationUnit, isMetric: boolean): string {
  return unit === 'distance' ? t('evaluation:unit.distance', { unit: distanceUnit(isMetric) }) : t(`evaluation:unit.${unit}`)
}

/** The unit that an aggregation will have, before its answer is here. */
export const unitOf = (aggregation: TripAggregation): EvaluationUnit => (aggregation.startsWith('average_') ? 'distance' : aggregation.startsWith('daily_') ? 'per_day' : 'count')

/** Days of a period as they are read. */
export function periodText({ start_date, end_date }: Period, language: string): string {
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' })
  return format.formatRange(Date.parse(start_date), Date.parse(end_date))
}

const counts = ['orig', 'dest', 'count'] as const

/** The counts of a shape as columns of a table. */
export const countColumns = (t: TFunction): TableColumn<EvaluationRow>[] =>
  counts.map((key): TableColumn<EvaluationRow> => ({ key, title: t(`evaluation:counts.${key}`), isNumber: true, width: 130, value: (row) => row.counts[key], renderCell: (row) => formatWhole(row.counts[key]) }))

/** The counts of a shape as figures of its card. */
export const countFigures = (t: TFunction, row: EvaluationRow['counts'] | null): { key: string; label: string; value: number | null }[] =>
  counts.map((key) => ({ key, label: t(`evaluation:counts.${key}`), value: row?.[key] ?? null }))
