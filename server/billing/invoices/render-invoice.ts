import { runInWorker } from '#server/jobs/run-in-worker.ts'
import type { InvoiceFile, InvoiceWork } from './render-invoice-worker.ts'

const worker = new URL('./render-invoice-worker.ts', import.meta.url)

/** Renders a PDF or spreadsheet on a worker thread, because it may take seconds. */
export async function renderInvoiceFile(work: InvoiceWork): Promise<Buffer> {
  const file = await runInWorker<InvoiceFile>(worker, work)
  if ('problem' in file) throw new Error(`The ${work.kind} of an invoice cannot be written: ${file.problem}`)
  return Buffer.from(file.bytes)
}
