import { Table } from './table.tsx'
import { column, type TableColumn } from './table-column.ts'

/** A cell of a text table; the tone marks problems. */
export interface TextCell {
  text: string
  tone?: 'red' | 'amber'
}
interface TextRow {
  key: string
  cells: readonly TextCell[]
}

/** Width in pixels of a column with these texts; long texts are cut off. */
const getWidth = (texts: readonly string[]): number =>
  Math.min(280, 40 + 7.5 * Math.max(...texts.map((text) => text.length)))

interface Props {
  label: string
  /** Titles of the columns; not necessarily unique. */
  heads: readonly string[]
  rows: readonly (readonly TextCell[])[]
}

/** A few records of a file or feed as text, in columns named after their fields. */
export function TextTable({ label, heads, rows }: Props) {
  const columns = heads.map((title, index): TableColumn<TextRow> => {
    const getText = ({ cells }: TextRow): string => cells[index]?.text ?? ''
    return column(String(index), title, getText, {
      width: getWidth([title, ...rows.map((cells) => cells[index]?.text ?? '')]),
      renderCell: (row) => (
        <span title={getText(row)} style={{ color: getToneColor(row.cells[index]) }}>
          {getText(row)}
        </span>
      ),
    })
  })
  return (
    <Table
      label={label}
      rows={rows.map((cells, index) => ({ key: String(index), cells }))}
      columns={columns}
      rowKey={({ key }) => key}
      maxHeight={320}
      hasTools={false}
    />
  )
}

const getToneColor = (cell: TextCell | undefined): string | undefined => cell?.tone && `var(--${cell.tone})`
