import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import fs from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import yazl from 'yazl'
import { csvLine } from '#contract/csv.ts'
import type * as contract from '#contract/invoices.ts'
import type { InvoiceLine, InvoiceRecomputation, InvoiceSnapshot } from '#contract/invoices.ts'
import type { FeeLine } from '#contract/fees.ts'
import { Problem } from '#server/http/problem.ts'
import { type Call, RawResponse } from '#server/http/route.ts'
import { canSeeSingleTrips, type Viewer } from '#server/http/viewer.ts'
import { regionScope, systemScope } from '#server/identity/scope.ts'
import { findRegion } from '#server/regions/read-region.ts'
import { addCharges } from '../charges/fees-with-charges.ts'
import type { InvoiceKey } from '../fee-source.ts'
import { findLogo } from './billing-settings.ts'
import { type InvoiceContext, makeFeeQuestion } from './drafts.ts'
import { toFileName, type InvoiceLinks } from './invoice-mails.ts'
import {
  findInvoice,
  findIssued,
  findOriginal,
  findSnapshot,
  type InvoiceCall,
  type InvoiceRow,
  parseLines,
  formatSigned,
  parseTaxes,
} from './invoice-store.ts'
import { makePdfContent } from './issue-invoice.ts'
import { lineColumns } from './lines-sheet.ts'
import { readCurrentParties } from './read-invoice.ts'
import { renderInvoiceFile } from './render-invoice.ts'
import { formatAmount, sumMinor, toMinorUnits } from './taxes.ts'

/** A request for a file of an invoice. */
type FileCall = Omit<InvoiceCall, 'at'>

const makeAttachmentHeader = (name: string, media: string) => ({
  'content-type': media,
  'content-disposition': `attachment; filename="${name}"`,
})

const toInvoiceKey = (row: InvoiceRow): InvoiceKey => ({ regionId: row.region_id, invoiceId: row.invoice_id })

const getBaseName = (row: Pick<InvoiceRow, 'number' | 'operator' | 'start_date'>): string =>
  toFileName(row.number ?? `draft_${row.operator}_${row.start_date}`)

/** Renders the PDF of a draft with the current settings. */
async function renderDraft(
  { state, publicUrl }: InvoiceContext,
  row: InvoiceRow,
  { viewer: { scope }, at }: InvoiceCall,
): Promise<Buffer> {
  const region = await findRegion(state, scope, row.region_id)
  const store = state.as(scope)
  const { currency } = row
  const content = makePdfContent(
    {
      invoice_id: row.invoice_id,
      region_id: row.region_id,
      kind: row.kind as InvoiceSnapshot['kind'],
      number: null,
      operator: row.operator,
      issue_date: null,
      due_date: row.due_date,
      issued_time: at.toISOString(),
      start_date: row.start_date,
      end_date: row.end_date,
      currency,
      ...(await readCurrentParties(state, scope, row)),
      purchase_order: row.purchase_order,
      notes: row.notes,
      lines: parseLines(row),
      taxes: parseTaxes(row),
      net: formatSigned(row.net, currency),
      tax: formatSigned(row.tax, currency),
      total: formatSigned(row.total, currency),
      original: await findOriginal(store, row),
      method_version: row.method_version,
      facts: null,
    },
    {
      logo: await findLogo(store, row.region_id),
      isMetric: region.isMetric,
      publicUrl,
      snapshotSha256: null,
    },
  )
  return renderInvoiceFile({ kind: 'pdf', content })
}

/** Returns the stored PDF of an issued invoice, or renders that of a draft. */
export async function getInvoicePdf(context: InvoiceContext, call: InvoiceCall): Promise<RawResponse> {
  const { scope } = call.viewer
  const store = context.state.as(scope)
  const row = await findInvoice(store, scope, call.params)
  const headers = makeAttachmentHeader(`${getBaseName(row)}.pdf`, 'application/pdf')
  const storedDocument = await store
    .selectFrom('invoice_document')
    .select(['pdf', 'pdf_sha256'])
    .where('invoice_id', '=', row.invoice_id)
    .executeTakeFirst()
  if (storedDocument) {
    const { pdf, pdf_sha256: sha256 } = storedDocument
    return new RawResponse(Buffer.from(pdf), { ...headers, etag: `"${sha256}"` })
  }
  return new RawResponse(await renderDraft(context, row, call), headers)
}

const xlsxMediaType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

export async function getInvoiceLines(
  { state }: InvoiceContext,
  { viewer: { scope }, params }: FileCall,
): Promise<RawResponse> {
  const row = await findInvoice(state.as(scope), scope, params)
  const name = getBaseName(row)
  const bytes = await renderInvoiceFile({
    kind: 'xlsx',
    content: { title: name, currency: row.currency, lines: parseLines(row) },
  })
  return new RawResponse(bytes, makeAttachmentHeader(`${name}.xlsx`, xlsxMediaType))
}

/** Finds an issued invoice with its facts. Credit notes have none. */
async function findInvoiceWithFacts({ state }: InvoiceContext, { viewer: { scope }, params }: FileCall) {
  const store = state.as(scope)
  const row = await findIssued(store, scope, params)
  const { snapshot } = await findSnapshot(store, row)
  if (!snapshot.facts)
    throw new Problem('conflict', 'A credit note has no records of its own. See those of its invoice.')
  return { row, snapshot, facts: snapshot.facts }
}

/** Checks that the viewer may see single trips, which facts are. */
function checkCanSeeSingleTrips(viewer: Viewer): void {
  if (!canSeeSingleTrips(viewer))
    throw new Problem(
      'forbidden',
      'The facts of invoices are single trips: they are visible to users who may edit policies, and to the operator.',
    )
}

export async function getInvoiceFacts(context: InvoiceContext, call: FileCall): Promise<RawResponse> {
  checkCanSeeSingleTrips(call.viewer)
  const { row } = await findInvoiceWithFacts(context, call)
  const csv = await context.fees.readFacts(call.viewer.scope, toInvoiceKey(row))
  return new RawResponse(
    csv,
    makeAttachmentHeader(`${getBaseName(row)}_facts.csv`, 'text/csv; charset=utf-8'),
  )
}

/** Returns the facts as Parquet. The fact store writes a temporary file, which is removed when sent. */
export async function getInvoiceFactsParquet(
  context: InvoiceContext,
  dataDir: string,
  { viewer, params, signal }: FileCall & { signal: AbortSignal },
): Promise<RawResponse> {
  checkCanSeeSingleTrips(viewer)
  const { row } = await findInvoiceWithFacts(context, { viewer, params })
  const folder = await fs.mkdtemp(path.join(dataDir, 'invoice-facts-'))
  const removeFolder = (): void => void fs.rm(folder, { recursive: true, force: true }).catch(() => undefined)
  try {
    const file = path.join(folder, 'facts.parquet')
    await context.fees.writeFacts(viewer.scope, toInvoiceKey(row), file, signal)
    const { size } = await fs.stat(file)
    const stream = createReadStream(file).on('close', removeFolder)
    const headers = makeAttachmentHeader(
      `${getBaseName(row)}_facts.parquet`,
      'application/vnd.apache.parquet',
    )
    return new RawResponse(stream, { ...headers, 'content-length': String(size) })
  } catch (error) {
    removeFolder()
    throw error
  }
}

/** Returns a zip file with the document, its facts, the charged policies and other charges. */
export async function exportInvoice(
  context: InvoiceContext,
  { viewer, params }: FileCall,
): Promise<RawResponse> {
  checkCanSeeSingleTrips(viewer)
  const store = context.state.as(viewer.scope)
  const row = await findIssued(store, viewer.scope, params)
  const { snapshot } = await findSnapshot(store, row)
  const { policies, charges, ...document } = snapshot
  const zip = new yazl.ZipFile()
  const mtime = new Date(snapshot.issued_time)
  const addJson = (name: string, value: unknown): void =>
    zip.addBuffer(Buffer.from(`${JSON.stringify(value, null, 2)}\n`), name, { mtime })
  addJson('invoice.json', document)
  addJson('policies.json', policies)
  addJson('charges.json', charges)
  if (snapshot.facts) {
    const csv = await context.fees.readFacts(viewer.scope, toInvoiceKey(row))
    zip.addReadStream(csv as Readable, 'facts.csv', { mtime })
    csv.on('error', (error) => (zip.outputStream as Readable).destroy(error))
  }
  zip.end()
  return new RawResponse(zip.outputStream, makeAttachmentHeader(`${getBaseName(row)}.zip`, 'application/zip'))
}

const toFeeKey = ({
  policy_uuid: policy,
  description,
  unit,
  unit_price: price,
  start_date,
  end_date,
}: FeeLine): string => JSON.stringify([policy, description, unit, price, start_date, end_date])

/** Pairs issued lines with recomputed ones. Lines without a counterpart come last. */
export function compareLines(
  issuedLines: readonly InvoiceLine[],
  recomputedLines: readonly FeeLine[],
): InvoiceRecomputation['lines'] {
  const unmatched = [...recomputedLines]
  const pairs = issuedLines.map((line) => {
    const index = unmatched.findIndex((candidate) => toFeeKey(candidate) === toFeeKey(line))
    const [match] = index < 0 ? [] : unmatched.splice(index, 1)
    return {
      line: line.line,
      description: line.description,
      issued: line.amount,
      recomputed: match?.amount ?? null,
      is_equal: match?.amount === line.amount,
    }
  })
  return [
    ...pairs,
    ...unmatched.map((line) => ({
      line: null,
      description: line.description,
      issued: null,
      recomputed: line.amount,
      is_equal: false,
    })),
  ]
}

/** Returns the SHA-256 of a stream, in hex. */
async function hashFacts(stream: NodeJS.ReadableStream): Promise<string> {
  const hash = createHash('sha256')
  for await (const part of stream) hash.update(part)
  return hash.digest('hex')
}

/** Computes the fees of an issued invoice again from its stored facts, and compares them with its lines. */
export async function recomputeInvoice(
  context: InvoiceContext,
  call: FileCall,
): Promise<InvoiceRecomputation> {
  const { scope } = call.viewer
  const { row, snapshot, facts } = await findInvoiceWithFacts(context, call)
  const { fees } = context
  const policyFees = await fees.recompute(scope, row.invoice_id, {
    ...makeFeeQuestion(row, new Date(snapshot.issued_time)),
    currency: row.currency,
  })
  const recomputed = addCharges(policyFees, snapshot.charges)
  const factsSha256 = await hashFacts(await fees.readFacts(scope, toInvoiceKey(row)))
  const { currency } = row
  const issuedLines = snapshot.lines.filter(({ kind }) => kind === 'fee')
  const lines = compareLines(issuedLines, recomputed.lines)
  const sumAmounts = (summed: readonly { amount: string }[]): string =>
    formatAmount(sumMinor(summed.map(({ amount }) => toMinorUnits(amount, currency) ?? 0n)), currency)
  const factsMatch = factsSha256 === facts.sha256
  return {
    number: row.number,
    is_equal: factsMatch && recomputed.currency === currency && lines.every((line) => line.is_equal),
    facts_match: factsMatch,
    method_version: { issued: snapshot.method_version, now: recomputed.method_version },
    lines,
    issued: sumAmounts(issuedLines),
    recomputed: sumAmounts(recomputed.lines),
  }
}

export const writeLinesCsv = (lines: readonly InvoiceLine[]): string =>
  [
    csvLine(lineColumns.map(({ name }) => name)),
    ...lines.map((line) => csvLine(lineColumns.map(({ getValue }) => getValue(line)))),
  ]
    .map((text) => `${text}\r\n`)
    .join('')

/** Returns the lines of an issued invoice as CSV to the holder of a signed link, without a sign-in. */
export async function getInvoiceByLink(
  { state }: InvoiceContext,
  links: InvoiceLinks,
  { params: { invoice_id: invoiceId }, query, at }: Call<typeof contract.getInvoiceByLink>,
): Promise<RawResponse> {
  links.check(invoiceId, query, at)
  const invoice = await state
    .as(systemScope)
    .selectFrom('invoice')
    .innerJoin('region', 'region.region_id', 'invoice.region_id')
    .select(['invoice.region_id', 'organization_id', 'number', 'operator', 'start_date'])
    .where('invoice_id', '=', invoiceId)
    .executeTakeFirstOrThrow(() => new Problem('not_found', 'There is no such invoice.'))
  const store = state.as(regionScope(invoice.organization_id, invoice.region_id))
  const { snapshot } = await findSnapshot(store, { invoice_id: invoiceId })
  return new RawResponse(
    Buffer.from(writeLinesCsv(snapshot.lines)),
    makeAttachmentHeader(`${getBaseName(invoice)}_lines.csv`, 'text/csv; charset=utf-8'),
  )
}
