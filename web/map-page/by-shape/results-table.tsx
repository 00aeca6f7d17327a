import { useCallback, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { DownloadFormat } from '#web/kit/download-button.tsx'
import type { TableState, TableStateHandler } from '#web/kit/table/table-state.ts'
import { Table } from '#web/kit/table/table.tsx'
import { column, type TableColumn } from '#web/kit/table/table-column.ts'
import { drawerGap } from '../covered-map.ts'
import { compareValues } from './compare/compare-evaluations.ts'
import type { Evaluation, EvaluationRow } from './evaluation.ts'

interface Props {
  label: string
  evaluation: Evaluation
  /** Name of the layer as in a sentence. */
  layer: string
  /** Columns after the name of the shape. */
  columns: readonly TableColumn<EvaluationRow>[]
  /** Keys of columns that do not add up, although the values do. */
  withoutTotal: readonly string[]
  defaultSort: string
  state: TableState | undefined
  onStateChange: TableStateHandler | undefined
  fileName: string
  moreFormats?: readonly DownloadFormat[] | undefined
  height: number
  selected: string | undefined
  onSelect: (id: string) => void
}

/** The values of the map as a table; a row for outside of all shapes completes the total. */
export function ResultsTable({
  label,
  evaluation,
  layer,
  columns,
  withoutTotal: notSummed,
  defaultSort,
  state,
  onStateChange,
  fileName,
  moreFormats,
  height,
  selected,
  onSelect,
}: Props) {
  const { t } = useTranslation()
  const rows = useMemo(() => {
    const { notInShape } = evaluation
    return notInShape
      ? [...evaluation.rows, { ...notInShape, name: t('evaluation:legend.notInShape', { layer }) }]
      : evaluation.rows
  }, [evaluation, layer, t])
  const outsideId = evaluation.notInShape?.id
  const isShape = useCallback((row: EvaluationRow) => row.id !== outsideId, [outsideId])
  const total = useMemo(() => totalRow(evaluation), [evaluation])
  const columnsWithTotal = columns.filter(({ key, isNumber }) => isNumber && !notSummed.includes(key))
  const name: TableColumn<EvaluationRow> = column('name', t('evaluation:results.shape'), (row) => row.name, {
    renderCell: (row) => (row.id === outsideId ? <em>{row.name}</em> : row.name),
  })
  return (
    <Table
      label={label}
      rows={rows}
      columns={[name, ...columns]}
      rowKey={(row) => row.id}
      fileName={fileName}
      moreFormats={moreFormats}
      selected={selected}
      onSelect={onSelect}
      canSelect={isShape}
      height={height - drawerGap}
      defaultSort={defaultSort}
      totals={
        total
          ? Object.fromEntries(columnsWithTotal.map(({ key, renderCell }) => [key, renderCell?.(total)]))
          : undefined
      }
      state={state}
      onStateChange={onStateChange}
    />
  )
}

/** Returns the sum of all rows; null if they do not add up to the total. */
export function totalRow({ rows, notInShape, total, sum }: Evaluation): EvaluationRow | null {
  if (sum?.kind !== 'exact') return null
  const allRows = notInShape ? [...rows, notInShape] : rows
  const addUp = (getValue: (row: EvaluationRow) => number | null | undefined): number =>
    allRows.reduce((sum, row) => sum + (getValue(row) ?? 0), 0)
  const counts = Object.fromEntries(
    [...new Set(allRows.flatMap((row) => Object.keys(row.counts)))].map((key) => [
      key,
      addUp((row) => row.counts[key]),
    ]),
  )
  const compared = allRows.some((row) => row.compared)
    ? compareValues(
        total,
        addUp(({ compared }) => compared?.before),
      )
    : undefined
  return { id: '', name: '', value: total, n: null, counts, ...(compared ? { compared } : {}) }
}
