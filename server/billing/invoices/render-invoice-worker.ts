import writeXlsxFile from 'write-excel-file/node'
import { getErrorMessage } from '#contract/problem-text.ts'
import { serveWorker } from '#server/jobs/start-worker.ts'
import { type InvoiceContent, renderInvoice } from './invoice-pdf.ts'
import { lineColumns, type LinesSheet } from './lines-sheet.ts'

/** The message that `renderInvoiceFile` sends to the thread. */
export type InvoiceWork = { kind: 'pdf'; content: InvoiceContent } | { kind: 'xlsx'; content: LinesSheet }

/** The bytes, or the reason of a failure; a thrown error would end the thread. */
export type InvoiceFile = { bytes: Uint8Array } | { problem: string }

/** Excel allows neither longer names of sheets nor these characters in them. */
const maxSheetNameLength = 31
const forbiddenInSheetNames = /[\\/?*[\]:]/g

function writeLinesSheet({ title, lines }: LinesSheet): Promise<Uint8Array> {
  const header = lineColumns.map(({ name }) => ({ value: name, fontWeight: 'bold' as const }))
  const rows = lines.map((line) =>
    lineColumns.map(({ getValue, isNumber }) => {
      const value = getValue(line)
      if (value === null) return null
      return isNumber ? { value: Number(value), type: Number } : { value: String(value), type: String }
    }),
  )
  return writeXlsxFile([header, ...rows], {
    sheet: title.replace(forbiddenInSheetNames, '-').slice(0, maxSheetNameLength),
    columns: lineColumns.map(({ width }) => ({ width })),
    stickyRowsCount: 1,
  }).toBuffer()
}

serveWorker<InvoiceWork, InvoiceFile>(async (work) => {
  try {
    return {
      bytes: await (work.kind === 'pdf' ? renderInvoice(work.content) : writeLinesSheet(work.content)),
    }
  } catch (error) {
    return { problem: getErrorMessage(error) }
  }
})
