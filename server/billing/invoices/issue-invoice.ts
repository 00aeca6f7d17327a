import { createHash } from 'node:crypto'
import type { AppliedCharge } from '#contract/charges.ts'
import type { FeeLine } from '#contract/fees.ts'
import type { InvoiceKind, InvoiceLine, InvoiceSnapshot } from '#contract/invoices.ts'
import type { BillingSettings } from '#contract/billing-settings.ts'
import { type LocalDay, localDay, addDays } from '#contract/period.ts'
import type { Region } from '#contract/regions.ts'
import { Problem } from '#server/http/problem.ts'
import { publishEvent } from '#server/notifications/events/publish-event.ts'
import { readFields } from '#server/policies/stored-fields.ts'
import { findFirstOpenDay, findRemovedBefore } from '#server/regions/fact-limits.ts'
import { findRegion } from '#server/regions/read-region.ts'
import { readFees, addCharges } from '../charges/fees-with-charges.ts'
import type { StoredFacts } from '../fee-source.ts'
import { findBillingSettings, findLogo, findPayer, type Logo } from './billing-settings.ts'
import { checkCreditable } from './credit-notes.ts'
import { findChargedBefore } from './draft-lines.ts'
import {
  listDaysWithoutData,
  makeProblem,
  type InvoiceContext,
  makeFeeQuestion,
  checkPeriodNotInvoiced,
} from './drafts.ts'
import type { InvoiceContent } from './invoice-pdf.ts'
import {
  getActorEmail,
  findDraft,
  findOriginal,
  type InvoiceCall,
  type InvoiceRow,
  parseLines,
  formatSigned,
  parseTaxes,
} from './invoice-store.ts'
import { formatNumber, peekNextNumber, NumberTaken, takeNumber } from './number-series.ts'
import { resolveParties, findPayerName } from './read-invoice.ts'
import { renderInvoiceFile } from './render-invoice.ts'
import type { Store } from '#server/stores/state.ts'

/** A request to issue a draft. */
interface IssueCall extends InvoiceCall {
  signal: AbortSignal
}

/** Servers that issue at the same time may compete for a number. One of them succeeds in each round. */
const maxAttempts = 50

const hashSha256 = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('hex')

/** Returns a logo as a data URL, for documents that may load no files. */
export const makeLogoUrl = (logo: Logo | null): string | null =>
  logo && `data:${logo.media};base64,${logo.bytes.toString('base64')}`

const noParty = { name: '', address: '', tax_id: '', contact: '' }
/** A document to try a logo with. */
const emptyDocument: InvoiceContent['document'] = {
  invoice_id: '',
  region_id: '',
  kind: 'invoice',
  number: null,
  operator: '',
  issue_date: null,
  due_date: null,
  issued_time: '2000-01-01T00:00:00Z',
  start_date: '2000-01-01',
  end_date: '2000-01-01',
  currency: 'USD',
  seller: noParty,
  buyer: noParty,
  remittance_text: '',
  payment_terms_days: 0,
  language: 'en-US',
  purchase_order: '',
  notes: '',
  lines: [],
  taxes: [],
  net: '0',
  tax: '0',
  total: '0',
  original: null,
  method_version: 0,
  facts: null,
}

/** Renders an empty invoice with a logo. @throws Error if that is not possible. */
export const checkLogo = (logo: Logo): Promise<Buffer> =>
  renderInvoiceFile({
    kind: 'pdf',
    content: makePdfContent(emptyDocument, { logo, isMetric: true, publicUrl: '', snapshotSha256: null }),
  })

/** Returns the URL of the page that shows how an invoice was computed. */
export const makeInvoiceLink = (publicUrl: string, regionId: string, invoiceId: string): string =>
  `${publicUrl}/${regionId}/mobility/invoicing/${invoiceId}`

/** The last queued issue of each number series, by region and kind. */
const lastIssues = new Map<string, Promise<unknown>>()

/** Runs work of one key in sequence, so that this process renders no two PDFs for the same number. */
function runInTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
  const turn = (lastIssues.get(key) ?? Promise.resolve()).then(work, work)
  lastIssues.set(key, turn)
  const removeIfLast = (): void => void (lastIssues.get(key) === turn && lastIssues.delete(key))
  turn.then(removeIfLast, removeIfLast)
  return turn
}

const toFeeKey = ({
  policy_uuid: policy,
  description,
  unit,
  unit_price: price,
  quantity,
  amount,
}: FeeLine): string => JSON.stringify([policy, description, unit, price, quantity, amount])

const areEqualToFees = (lines: readonly InvoiceLine[], fees: readonly FeeLine[]): boolean =>
  JSON.stringify(lines.filter(({ kind }) => kind === 'fee').map(toFeeKey)) ===
  JSON.stringify(fees.map(toFeeKey))

function checkApproved(row: InvoiceRow): void {
  if (row.status !== 'approved')
    throw new Problem('conflict', 'This draft must be approved before it is issued.')
}

/** The inputs of an invoice besides its policies, stored with its document. */
interface ChargeSources {
  facts: StoredFacts | null
  charges: AppliedCharge[]
}

/** Stores the facts of a draft's fees. @throws Problem unless they give the approved lines. */
async function storeFeeFacts(
  { state, fees }: InvoiceContext,
  row: InvoiceRow,
  { viewer: { scope }, at, signal }: IssueCall,
): Promise<ChargeSources> {
  const question = makeFeeQuestion(row, at)
  const { fees: periodFees, charges } = await readFees({ store: state.as(scope), fees, scope }, question)
  if (periodFees.as_of === null)
    throw new Problem(
      'being_prepared',
      'Some days of this invoice are still being prepared. Try again in a few minutes.',
    )
  const facts = await fees.storeFacts(scope, row.invoice_id, question, signal)
  const currentFees = addCharges(await fees.recompute(scope, row.invoice_id, question), charges)
  if (currentFees.currency !== row.currency || !areEqualToFees(parseLines(row), currentFees.lines)) {
    const firstRetainedDay = findFirstOpenDay(await findRemovedBefore(state, scope, row.region_id), [
      'trips',
      'events',
    ])
    throw new Problem(
      'conflict',
      firstRetainedDay !== null && row.start_date < firstRetainedDay
        ? `Individual records before ${firstRetainedDay} were removed (data retention), so this invoice has no records. Draft one that begins on ${firstRetainedDay} or later.`
        : 'The fees changed since this draft was computed. Refresh its lines and approve it again.',
    )
  }
  return { facts, charges }
}

/** Checks that a draft is approved, its period ended, and missing data confirmed. @throws Problem if not. */
async function checkIssuable(
  { state }: InvoiceContext,
  row: InvoiceRow,
  { viewer: { scope }, at }: InvoiceCall,
): Promise<void> {
  checkApproved(row)
  const region = await findRegion(state, scope, row.region_id)
  if (row.kind !== 'invoice') return
  if (row.currency !== region.currencyCode)
    throw makeProblem(
      'currency',
      `The region has ${region.currencyCode} now. Refresh the lines of this draft.`,
    )
  if (row.end_date >= localDay(at, region.timezone))
    throw makeProblem('end_date', 'The service period has not ended yet.')
  // On lines of charges, days without data are months without a reported quantity.
  const unreportedCharges = [
    ...new Set(
      parseLines(row).flatMap((line) =>
        line.charge_id && line.days_without_data[0] ? line.policy_name : [],
      ),
    ),
  ]
  if (unreportedCharges.length && !row.estimate)
    throw makeProblem(
      'estimate',
      `Quantities of ${unreportedCharges.join(', ')} were not reported, or only estimated. Enter them and refresh the lines, or confirm the amounts as they are.`,
    )
  const days = listDaysWithoutData(row)
  if (days.length && !row.estimate)
    throw makeProblem(
      'estimate',
      `${days.length} days have no data (first ${days[0]}). Confirm the amounts as an estimate, or wait for the data.`,
    )
  if (!parseLines(row).length) throw new Problem('conflict', 'This draft has no lines.')
}

/** Lists the charged policy revisions, for the snapshot. */
async function listPolicies(store: Store, row: InvoiceRow): Promise<InvoiceSnapshot['policies']> {
  const ids = [...new Set(parseLines(row).flatMap((line) => line.policy_uuid ?? []))]
  if (!ids.length) return []
  const rows = await store
    .selectFrom('policy')
    .select(['policy_id', 'constant_policy_id', 'revision', 'fields', 'currency'])
    .where('region_id', '=', row.region_id)
    .where('policy_id', 'in', ids)
    .orderBy('policy_id')
    .execute()
  return rows.map((policy) => ({
    policy_uuid: policy.policy_id,
    constant_policy_uuid: policy.constant_policy_id,
    revision: policy.revision,
    fields: { ...readFields(policy.fields, policy.currency) },
  }))
}

/** Checks that no document issued since makes the draft wrong. Called while the number series is locked. */
async function checkUpToDate(transaction: Store, row: InvoiceRow, at: Date): Promise<void> {
  if (row.kind === 'credit_note') return checkCreditable(transaction, row)
  await checkPeriodNotInvoiced(transaction, row, row.invoice_id)
  const lines = parseLines(row)
  const chargedBefore = await findChargedBefore(transaction, makeFeeQuestion(row, at), lines, row.currency)
  if (lines.some((line, index) => line.kind === 'adjustment' && line.charged_before !== chargedBefore[index]))
    throw new Problem(
      'conflict',
      'Another invoice adjusted the same fees meanwhile. Refresh the lines and approve again.',
    )
}

/** Returns the content of the PDF of an invoice or draft. */
export const makePdfContent = (
  document: InvoiceContent['document'],
  {
    logo,
    isMetric,
    publicUrl,
    snapshotSha256,
  }: { logo: Logo | null; isMetric: boolean; publicUrl: string; snapshotSha256: string | null },
): InvoiceContent => ({
  document,
  logo: makeLogoUrl(logo),
  isMetric,
  link: makeInvoiceLink(publicUrl, document.region_id, document.invoice_id),
  snapshotSha256,
})

/** A draft with the number under which it is to be issued. */
interface NumberedDraft {
  row: InvoiceRow
  number: string
  /** Issue date. */
  day: LocalDay
  region: Region
  settings: BillingSettings
}

/** Makes the content of a document as it is issued. It never changes afterwards. */
async function makeSnapshot(
  { state }: InvoiceContext,
  { row, number, day, region, settings }: NumberedDraft,
  { facts, charges }: ChargeSources,
  { viewer: { scope }, at }: InvoiceCall,
): Promise<InvoiceSnapshot> {
  const store = state.as(scope)
  const { region_id: regionId, operator, currency } = row
  const payer = await findPayer(store, regionId, operator)
  const names = { region: region.text, operator: await findPayerName(state, scope, regionId, operator) }
  return {
    invoice_id: row.invoice_id,
    region_id: regionId,
    kind: row.kind as InvoiceKind,
    number,
    operator,
    issue_date: day,
    due_date: row.due_date ?? addDays(day, settings.payment_terms_days),
    issued_time: at.toISOString(),
    start_date: row.start_date,
    end_date: row.end_date,
    currency,
    ...resolveParties(settings, payer, names),
    purchase_order: row.purchase_order,
    notes: row.notes,
    lines: parseLines(row),
    taxes: parseTaxes(row),
    net: formatSigned(row.net, currency),
    tax: formatSigned(row.tax, currency),
    total: formatSigned(row.total, currency),
    original: await findOriginal(store, row),
    method_version: row.method_version,
    facts,
    policies: await listPolicies(store, row),
    charges,
  }
}

/** A document that is ready to be issued, if nobody else takes its number first. */
interface PreparedDocument {
  /** The number in the series. */
  seq: bigint
  snapshot: InvoiceSnapshot
  /** The snapshot as it is stored. */
  snapshotText: string
  pdf: Buffer
  retainUntil: LocalDay
}

/** Creates the snapshot and PDF for the next number of the series, without taking the number. */
async function prepareDocument(
  context: InvoiceContext,
  row: InvoiceRow,
  sources: ChargeSources,
  call: InvoiceCall,
): Promise<PreparedDocument> {
  const { state, publicUrl } = context
  const { scope } = call.viewer
  const store = state.as(scope)
  const regionId = row.region_id
  const kind = row.kind as InvoiceKind
  const region = await findRegion(state, scope, regionId)
  const settings = await findBillingSettings(state, scope, regionId)
  const day = localDay(call.at, region.timezone)
  const seq = await peekNextNumber(store, { regionId, kind })
  const format = kind === 'invoice' ? settings.invoice_number_format : settings.credit_note_number_format
  const number = formatNumber(format, { region: regionId, day, seq })
  const snapshot = await makeSnapshot(context, { row, number, day, region, settings }, sources, call)
  const snapshotText = JSON.stringify(snapshot)
  const pdf = await renderInvoiceFile({
    kind: 'pdf',
    content: makePdfContent(snapshot, {
      logo: await findLogo(store, regionId),
      isMetric: region.isMetric,
      publicUrl,
      snapshotSha256: hashSha256(snapshotText),
    }),
  })
  const retainUntil = `${Number(day.slice(0, 4)) + settings.retention_years}-12-31`
  return { seq, snapshot, snapshotText, pdf, retainUntil }
}

/** Takes the number of a document and stores it, unless the draft is out of date by now. */
async function storeDocument(
  transaction: Store,
  draft: InvoiceRow,
  { seq, snapshot, snapshotText, pdf, retainUntil }: PreparedDocument,
  { viewer, params, at }: InvoiceCall,
): Promise<void> {
  const { number, issue_date, due_date, invoice_id, kind } = snapshot
  const series = { regionId: draft.region_id, kind }
  await takeNumber(transaction, series, { seq, number, invoiceId: invoice_id }, at)
  const row = await findDraft(transaction, viewer.scope, params, true)
  checkApproved(row)
  if (row.version !== draft.version)
    throw new Problem('conflict', 'Somebody else changed this draft. Load it again.')
  await checkUpToDate(transaction, row, at)
  await transaction
    .updateTable('invoice')
    .set({
      status: 'issued',
      number,
      issue_date,
      due_date,
      issued_by: getActorEmail(viewer),
      issued_time: at,
      retain_until: retainUntil,
    })
    .where('invoice_id', '=', invoice_id)
    .execute()
  await transaction
    .insertInto('invoice_document')
    .values({
      invoice_id,
      region_id: row.region_id,
      snapshot: snapshotText,
      snapshot_sha256: hashSha256(snapshotText),
      pdf,
      pdf_sha256: hashSha256(pdf),
      retain_until: retainUntil,
    })
    .execute()
  const data = { invoice_id, number, operator: row.operator, due_date }
  const subject = { regionId: row.region_id, operator: row.operator }
  await publishEvent(transaction, { type: 'invoice.issued', ...subject, data }, at)
}

/** Repeats work as long as another server takes the number first. */
async function retryWhileNumberTaken(work: () => Promise<void>): Promise<void> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof NumberTaken) || attempts >= maxAttempts) throw error
    }
  }
}

/**
 * Issues an approved draft. First its facts are stored, then the document and PDF are created for the next
 * number of the series, and one transaction takes that number and stores everything. If another request has
 * taken the number, the document is created again. A failure at any point leaves a draft without a number.
 */
export async function issueInvoice(context: InvoiceContext, call: IssueCall): Promise<void> {
  const { scope } = call.viewer
  const store = context.state.as(scope)
  const draft = await findDraft(store, scope, call.params)
  await checkIssuable(context, draft, call)
  const sources: ChargeSources =
    draft.kind === 'invoice' ? await storeFeeFacts(context, draft, call) : { facts: null, charges: [] }
  const issueOnce = async (): Promise<void> => {
    const document = await prepareDocument(context, draft, sources, call)
    await store.transaction().execute((transaction) => storeDocument(transaction, draft, document, call))
  }
  await runInTurn(`${draft.region_id} ${draft.kind}`, () => retryWhileNumberTaken(issueOnce))
}
