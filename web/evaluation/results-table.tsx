import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { TableState, TableStateHandler } from '#web/kit/table/table-state.ts'
import { Table } from '#web/kit/table/table.tsx'
import type { TableColumn } from '#web/kit/table/table-column.ts'
import type { Evaluation, EvaluationRow } from './evaluation.ts'

interface Props {
  label: string
  evaluation: Evaluation
  /** Name of the layer in a sentence. */
  layer: string
  /** After the name of the shape. */
  columns: readonly TableColumn<EvaluationRow>[]
  defaultSort: string
  state: TableState | undefined
  onState: TableStateHandler | undefined
  fileName: string
  height: number
  selected: string | undefined
  onSelect: (id: string) => void
}

/** The same numbers as the map's, and what lies in no shape, so that the column adds up to the legend's total. */
export function ResultsTable({
  label,
  evaluation,
  layer,
  columns,
  defaultSort,
  state,
  onState,
  fileName,
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
  const name: TableColumn<EvaluationRow> = {
    key: 'name',
    title: t('evaluation:results.shape'),
    value: (row) => row.name,
    renderCell: (row) => (row.id === evaluation.notInShape?.id ? <em>{row.name}</em> : row.name),
  }
  return (
    <Table
      label={label}
      rows={rows}
      columns={[name, ...columns]}
      rowKey={(row) => row.id}
      fileName={fileName}
      selected={selected}
      onSelect={onSelect}
      canSelect={(row) => row.id !== evaluation.notInShape?.id}
      height={height - 12}
      defaultSort={defaultSort}
      state={state}
      onState={onState}
    />
  )
}
