import type { ExportFormat } from './export-format.ts'
import { type Cell, exportedColumns } from './exported-columns.ts'
import { toWkt } from './to-wkt.ts'

/** A text that a spreadsheet would take for a formula gets an apostrophe before it. */
function cell(value: Cell): string {
  if (value === null) return ''
  if (typeof value !== 'string') return String(value)
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** One line a shape, the geometry as well-known text in the last column. Begins with a byte order mark, by which spreadsheets know UTF-8. */
export const csvExport: ExportFormat = {
  ending: 'csv',
  media: 'text/csv; charset=utf-8',
  *write(_layer, shapes) {
    const columns = exportedColumns(shapes)
    yield `\uFEFF${['name', 'description', ...columns.map(({ name }) => name), 'wkt'].map(cell).join(',')}\r\n`
    for (const shape of shapes)
      yield `${[...[shape.shape_name, shape.shape_description, ...columns.map(({ of }) => of(shape))].map(cell), `"${toWkt(shape.geom)}"`].join(',')}\r\n`
  },
}
