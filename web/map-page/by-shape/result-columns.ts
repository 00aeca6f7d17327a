import type { TFunction } from 'i18next'
import { type Operator, operatorName } from '#contract/operators.ts'
import { formatNumber } from '#web/kit/format.ts'
import { column, type TableColumn } from '#web/kit/table/table-column.ts'
import type { Evaluation, EvaluationRow, ShownUnit } from './evaluation.ts'
import { formatChange, formatValue, isCountUnit } from './format-value.ts'
import { allCounts, type MapMode } from './map-mode.ts'

type Column = TableColumn<EvaluationRow>

const operatorPrefix = 'operator:'
/** Slug of the operator of a count; null for other counts. */
export const operatorOfCount = (key: string): string | null =>
  key.startsWith(operatorPrefix) ? key.slice(operatorPrefix.length) : null

const numberColumn = (
  key: string,
  title: string,
  value: Column['value'],
  options: Pick<Column, 'renderCell' | 'width'>,
): Column => column(key, title, value, { isNumber: true, width: 140, ...options })

/** Column of the values that the map shows. */
export const valueColumn = (t: TFunction, unit: ShownUnit, unitText: string): Column =>
  numberColumn('value', t('evaluation:results.value', { unit: unitText }), (row) => row.value, {
    renderCell: (row) => formatValue(row.value, unit),
    width: 180,
  })

/** Column with the policy targets of each shape. */
export const targetColumn = (t: TFunction, targets: ReadonlyMap<string, readonly string[]>): Column =>
  column('target', t('evaluation:target.column'), ({ id }) => targets.get(id)?.join('; ') ?? '', {
    width: 320,
  })

/** Columns of the counts in the response: those of operators by name, then those of the mode in its order. */
export function getCountColumns(
  t: TFunction,
  mode: MapMode,
  { rows }: Pick<Evaluation, 'rows'>,
  operators: readonly Pick<Operator, 'slug' | 'name'>[],
): Column[] {
  const present = new Set(rows.flatMap(({ counts }) => Object.keys(counts)))
  // Zero counts are left out of responses, so a count that other shapes have is 0.
  const countColumn = (key: string, title: string): Column =>
    numberColumn(
      key,
      title,
      (row) => row.counts[key] ?? (present.has(key) && row.value !== null ? 0 : null),
      { renderCell: (row) => formatNumber(row.counts[key] ?? (row.value === null ? null : 0)) },
    )
  const operatorCounts = [...present].flatMap((key) => {
    const slug = operatorOfCount(key)
    return slug === null ? [] : [{ key, name: operatorName(slug, operators) }]
  })
  return [
    ...operatorCounts
      .toSorted((a, b) => a.name.localeCompare(b.name))
      .map(({ key, name }) => countColumn(key, name)),
    ...allCounts(mode)
      .filter((key) => present.has(key))
      .map((key) => countColumn(key, t(`evaluation:counts.${mode.key}.${key}`))),
  ]
}

/** Columns of a comparison: both values, and the change. */
export function getComparedColumns(
  t: TFunction,
  unit: ShownUnit,
  unitText: string,
  periods: { now: string; before: string },
): Column[] {
  const digits = isCountUnit(unit) ? 0 : 1
  return [
    numberColumn(
      'now',
      t('evaluation:compare.valueOf', { period: periods.now, unit: unitText }),
      (row) => row.compared?.now ?? null,
      { renderCell: (row) => formatValue(row.compared?.now, unit), width: 210 },
    ),
    numberColumn(
      'before',
      t('evaluation:compare.valueOf', { period: periods.before, unit: unitText }),
      (row) => row.compared?.before ?? null,
      { renderCell: (row) => formatValue(row.compared?.before, unit), width: 210 },
    ),
    numberColumn(
      'change',
      t('evaluation:compare.changeIn', { unit: unitText }),
      (row) => row.compared?.change ?? null,
      { renderCell: (row) => formatChange(row.compared?.change, digits), width: 160 },
    ),
    numberColumn('percent', t('evaluation:compare.percentOf'), (row) => row.compared?.percent ?? null, {
      renderCell: (row) => formatChange(row.compared?.percent, 1),
      width: 130,
    }),
  ]
}
