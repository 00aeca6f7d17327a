import type { TableColumn } from './table-column.ts'
import { formatNumber } from './format.ts'

interface Props<T> {
  row: T
  columns: readonly TableColumn<T>[]
  index: number
  height: number
}

export function DataTableRow<T>({ row, columns, index, height }: Props<T>) {
  return (
    <tr aria-rowindex={index + 2} style={{ height }}>
      {columns.map((column) => (
        <td
          key={column.key}
          data-number={column.isNumber || undefined}
          data-actions={column.isActions || undefined}
        >
          {column.renderCell ? column.renderCell(row) : formatCell(column.value(row))}
        </td>
      ))}
    </tr>
  )
}

const formatCell = (value: string | number | null): string =>
  typeof value === 'string' && value !== '' ? value : formatNumber(typeof value === 'number' ? value : null)
