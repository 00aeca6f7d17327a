import writeXlsxFile from 'write-excel-file/node'
import { handleWork } from '#server/jobs/start-worker.ts'
import { type InvoiceContent, renderInvoice } from './invoice-pdf.ts'
import { lineColumns, type LinesSheet } from './lines-sheet.ts'

/** What `renderInvoiceFile` sends. */
export type InvoiceWork = { kind: 'pdf'; content: InvoiceContent } | { kind: 'xlsx'; content: LinesSheet }

/** The bytes, or why there are none: an error would end the thread. */
export type InvoiceFile = { bytes: Uint8Array } | { problem: string }

/** A spreadsheet of the lines of an invoice. */
function writeLines({ title, lines }: LinesSheet): Promise<Uint8Array> {
  const header = lineColumns.map(({ name }) => ({ value: name, fontWeight: 'bold' as const }))
  const rows = lines.map((line) =>
    lineColumns.map(({ of, isNumber }) => {
      const value = of(line)
      if (value === null) return null
      return isNumber ? { value: Number(value), type: Number } : { value: String(value), type: String }
    }),
  )
  return writeXlsxFile([header, ...rows], {
    sheet: title.replace(/[\\/?*[\]:]/g, '-').slice(0, 31),
    columns: lineColumns.map(({ width }) => ({ width })),
    stickyRowsCount: 1,
  }).toBuffer()
}

handleWork<InvoiceWork, InvoiceFile>(async (work) => {
  try {
    return { bytes: await (work.kind === 'pdf' ? renderInvoice(work.content) : writeLines(work.content)) }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
})
