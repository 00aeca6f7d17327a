import { Table } from './table.tsx'
import { column, type TableColumn } from './table-column.ts'

export interface TextCell {
  text: string
  tone?: 'red' | 'amber'
}
interface TextRow {
  key: string
  cells: readonly TextCell[]
}

/** Width of a column that fits its texts, in pixels; longer ones are cut off. */
const widthOf = (texts: readonly string[]): number =>
  Math.min(280, 40 + 7.5 * Math.max(...texts.map((text) => text.length)))

interface Props {
  label: string
  /** Titles of the columns; two may be equal. */
  heads: readonly string[]
  rows: readonly (readonly TextCell[])[]
}

/** A few records of a file or feed under the names of their fields, as they were read. */
export function TextTable({ label, heads, rows }: Props) {
  const columns = heads.map((title, at): TableColumn<TextRow> => {
    const textOf = ({ cells }: TextRow): string => cells[at]?.text ?? ''
    return column(String(at), title, textOf, {
      width: widthOf([title, ...rows.map((cells) => cells[at]?.text ?? '')]),
      renderCell: (row) => (
        <span title={textOf(row)} style={{ color: toneColor(row.cells[at]) }}>
          {textOf(row)}
        </span>
      ),
    })
  })
  return (
    <Table
      label={label}
      rows={rows.map((cells, at) => ({ key: String(at), cells }))}
      columns={columns}
      rowKey={({ key }) => key}
      maxHeight={320}
      hasTools={false}
    />
  )
}

const toneColor = (cell: TextCell | undefined): string | undefined => cell?.tone && `var(--${cell.tone})`
