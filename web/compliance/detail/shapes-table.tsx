import { useTranslation } from 'react-i18next'
import { Table } from '#web/kit/table/table.tsx'
import { formatInteger } from '#web/kit/format.ts'
import { column, type TableColumn } from '#web/kit/table/table-column.ts'
import type { ShapeRow } from '#web/policies/results/shape-violations.ts'

interface Props {
  rows: readonly ShapeRow[]
  selected: string | undefined
  onSelect: (id: string | null) => void
  fileName: string
  height: number
}

/** The numbers of the map as a table. */
export function ShapesTable({ rows, selected, onSelect, fileName, height }: Props) {
  const { t } = useTranslation()
  const number = (key: keyof ShapeRow['counts'], width: number): TableColumn<ShapeRow> =>
    column(key, t(`compliance:shapes.${key}`), ({ counts }) => counts[key], {
      isNumber: true,
      width,
      renderCell: ({ counts }) => formatInteger(counts[key]),
    })
  const columns: TableColumn<ShapeRow>[] = [
    column('name', t('compliance:records.shape'), ({ name }) => name),
    column('violations', t('compliance:table.violations'), ({ value }) => value, {
      isNumber: true,
      width: 105,
      renderCell: ({ value }) => formatInteger(value),
    }),
    number('nonCompliant', 110),
    number('compliant', 105),
    { ...number('other', 110), isHidden: true },
    { ...number('uncertain', 110), isHidden: true },
  ]
  const sumCounts = (key: keyof ShapeRow['counts']): number =>
    rows.reduce((total, { counts }) => total + counts[key], 0)
  return (
    <Table
      label={t('compliance:shapes.label')}
      rows={rows}
      columns={columns}
      rowKey={({ id }) => id}
      fileName={fileName}
      selected={selected}
      onSelect={(id) => onSelect(id === selected ? null : id)}
      maxHeight={height}
      defaultSort="-violations"
      totals={{
        violations: rows.reduce((total, { value }) => total + (value ?? 0), 0),
        nonCompliant: sumCounts('nonCompliant'),
        compliant: sumCounts('compliant'),
        other: sumCounts('other'),
        uncertain: sumCounts('uncertain'),
      }}
    />
  )
}
