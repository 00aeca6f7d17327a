import { UnstyledButton } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { DataTable } from '#web/kit/data-table.tsx'
import type { Sorting, TableColumn } from '#web/kit/table-column.ts'
import type { Evaluation, EvaluationRow } from './evaluation.ts'
import styles from './results-table.module.css'

interface Props {
  label: string
  evaluation: Evaluation
  /** After the name of the shape. */
  columns: readonly TableColumn<EvaluationRow>[]
  firstSorting: Sorting
  fileName: string
  height: number
  selected: string | undefined
  onSelect: (id: string) => void
}

const tools = 50

/** The same numbers as the map's, and what lies in no shape, so that the column adds up to the legend's total. */
export function ResultsTable({
  label,
  evaluation,
  columns,
  firstSorting,
  fileName,
  height,
  selected,
  onSelect,
}: Props) {
  const { t } = useTranslation()
  const rows = useMemo(() => {
    const { notInShape } = evaluation
    return notInShape
      ? [...evaluation.rows, { ...notInShape, name: t('evaluation:legend.notInShape') }]
      : evaluation.rows
  }, [evaluation, t])
  const name: TableColumn<EvaluationRow> = {
    key: 'name',
    title: t('evaluation:results.shape'),
    value: (row) => row.name,
    renderCell: (row) =>
      row.id === evaluation.notInShape?.id ? (
        <em>{row.name}</em>
      ) : (
        <UnstyledButton
          className={styles['name'] ?? ''}
          aria-pressed={row.id === selected}
          onClick={() => onSelect(row.id)}
        >
          {row.name}
        </UnstyledButton>
      ),
  }
  return (
    <DataTable
      label={label}
      rows={rows}
      columns={[name, ...columns]}
      rowKey={(row) => row.id}
      fileName={fileName}
      maxHeight={height - tools - 12}
      firstSorting={firstSorting}
    />
  )
}
