import { randomUUID } from 'node:crypto'
import type { Updateable } from 'kysely'
import type * as contract from '#contract/invoices.ts'
import { findAccount } from '#server/curb/revenue/curb-accounts.ts'
import { Problem } from '#server/http/problem.ts'
import type { WriteCall } from '#server/http/route.ts'
import type { Viewer } from '#server/http/viewer.ts'
import type { Log } from '#server/jobs/log.ts'
import { findOperatorSlugs } from '#server/operators/list-operators.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { SecretBox } from '#server/stores/secret-box.ts'
import type { State, Store } from '#server/stores/state.ts'
import type { StateTables } from '#server/stores/state-tables.ts'
import type { FeeQuestion, FeeSource } from '../fee-source.ts'
import { findBillingSettings, findPayer } from './billing-settings.ts'
import { computeLines, type DraftLines } from './draft-lines.ts'
import { listEarlierDocuments } from './earlier-invoices.ts'
import {
  getActorEmail,
  findDraft,
  type InvoiceCall,
  type InvoiceParams,
  type InvoiceRow,
  parseLines,
  getTotalColumns,
} from './invoice-store.ts'
import { moveCounts } from './operator-counts.ts'

export interface InvoiceContext {
  state: State
  facts: Facts
  fees: FeeSource
  secretBox: Pick<SecretBox, 'derive'>
  publicUrl: string
  log: Log
}

/** Makes a problem with one field of a request. */
export const makeProblem = (
  path: string,
  message: string,
  code: 'validation_error' | 'conflict' = 'conflict',
) => new Problem(code, message, [{ path, message }])

/** Returns the question for the fees of an invoice's operator and period. */
export const makeFeeQuestion = (
  row: Pick<InvoiceRow, 'region_id' | 'operator' | 'start_date' | 'end_date'>,
  at: Date,
): FeeQuestion => ({
  regionId: row.region_id,
  operator: row.operator,
  period: { start_date: row.start_date, end_date: row.end_date },
  now: at.getTime(),
})

/** Checks that `operator` can be invoiced: it is an operator of the region or an account of its curb. */
async function checkInvoiceRecipient(
  { state, facts }: InvoiceContext,
  { scope }: Viewer,
  regionId: string,
  operator: string,
): Promise<void> {
  const { slugs } = await findOperatorSlugs(state, facts, scope, regionId)
  if (!slugs.includes(operator) && !(await findAccount(state, scope, regionId, operator)))
    throw makeProblem(
      'body.operator',
      `There is no operator '${operator}' in this region.`,
      'validation_error',
    )
}

/** Checks that no day is on another invoice or draft. Invoices that were credited in full do not count. */
export async function checkPeriodNotInvoiced(
  store: Store,
  {
    region_id: regionId,
    operator,
    start_date: firstDay,
    end_date: lastDay,
  }: Pick<InvoiceRow, 'region_id' | 'operator' | 'start_date' | 'end_date'>,
  excludedId: string | null,
): Promise<void> {
  let query = store
    .selectFrom('invoice')
    .select(['invoice_id', 'number', 'status', 'currency'])
    .where('region_id', '=', regionId)
    .where('operator', '=', operator)
    .where('kind', '=', 'invoice')
    .where('start_date', '<=', lastDay)
    .where('end_date', '>=', firstDay)
  if (excludedId !== null) query = query.where('invoice_id', '!=', excludedId)
  for (const row of await query.execute()) {
    if (row.status === 'issued') {
      const { invoices } = await listEarlierDocuments(store, { regionId, operator }, row.currency)
      if (!invoices.some((invoice) => invoice.invoice_id === row.invoice_id)) continue
    }
    throw makeProblem(
      'body.start_date',
      row.status === 'issued'
        ? `Days of this period are on invoice ${row.number}. Credit it first to invoice them again.`
        : 'There is a draft with days of this period.',
    )
  }
}

async function computeDraft(
  { state, fees }: InvoiceContext,
  { scope }: Viewer,
  row: Pick<InvoiceRow, 'region_id' | 'operator' | 'start_date' | 'end_date'>,
  at: Date,
): Promise<DraftLines & { currency: string }> {
  const region = await findRegion(state, scope, row.region_id)
  const settings = await findBillingSettings(state, scope, row.region_id)
  const lines = await computeLines(
    { store: state.as(scope), fees, scope, region, settings },
    makeFeeQuestion(row, at),
    false,
  )
  return { ...lines, currency: region.currencyCode }
}

const toLineColumns = (lines: DraftLines) => ({
  ...getTotalColumns(lines),
  method_version: lines.method_version,
  as_of: lines.as_of,
})

/** Drafts an invoice for an operator and period. Returns the ids of the draft. */
export async function createDraft(
  context: InvoiceContext,
  { viewer, params: { region_id: regionId }, body, at }: WriteCall<typeof contract.createInvoice>,
): Promise<InvoiceParams> {
  const { state } = context
  const { operator, start_date, end_date } = body
  const key = { region_id: regionId, operator, start_date, end_date }
  await checkInvoiceRecipient(context, viewer, regionId, operator)
  const store = state.as(viewer.scope)
  await checkPeriodNotInvoiced(store, key, null)
  const { currency, ...lines } = await computeDraft(context, viewer, key, at)
  const payer = await findPayer(state.as(viewer.scope), regionId, operator)
  const invoiceId = randomUUID()
  const createdRow = await store
    .insertInto('invoice')
    .values({
      ...key,
      invoice_id: invoiceId,
      kind: 'invoice',
      currency,
      status: 'draft',
      ...toLineColumns(lines),
      notes: body.notes,
      purchase_order: body.purchase_order ?? payer.purchase_order,
      due_date: body.due_date,
      created_time: at,
      prepared_by: getActorEmail(viewer),
      prepared_time: at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('invoice_id')
    .executeTakeFirst()
  if (!createdRow) throw makeProblem('body.start_date', 'There is a draft of this period.')
  return { region_id: regionId, invoice_id: invoiceId }
}

/** Writes columns of a draft. @throws Problem `conflict` if the draft changed since `row` was read. */
async function updateIfUnchanged(
  store: Store,
  { invoice_id: id, version }: InvoiceRow,
  columns: Updateable<StateTables['invoice']>,
): Promise<void> {
  await store
    .updateTable('invoice')
    .set({ ...columns, version: version + 1 })
    .where('invoice_id', '=', id)
    .where('version', '=', version)
    .where('status', '!=', 'issued')
    .returning('invoice_id')
    .executeTakeFirstOrThrow(
      () => new Problem('conflict', 'Somebody else changed this draft. Load it again.'),
    )
}

const getPreparedColumns = (viewer: Viewer, at: Date) => ({
  status: 'draft',
  prepared_by: getActorEmail(viewer),
  prepared_time: at,
  approved_by: null,
  approved_time: null,
})

/** Computes the lines of a draft again from current fees. Withdraws its approval and confirmed estimate. */
export async function recomputeDraft(
  context: InvoiceContext,
  { viewer, params, at }: InvoiceCall,
): Promise<void> {
  const store = context.state.as(viewer.scope)
  const row = await findDraft(store, viewer.scope, params)
  if (row.kind !== 'invoice')
    throw new Problem('conflict', 'A credit note has the lines of its invoice; they are not computed.')
  const { currency, ...lines } = await computeDraft(context, viewer, row, at)
  await store.transaction().execute(async (transaction) => {
    await updateIfUnchanged(transaction, row, {
      ...toLineColumns(lines),
      currency,
      estimate: null,
      ...getPreparedColumns(viewer, at),
    })
    await moveCounts(transaction, row, lines.lines)
  })
}

/** Changes the fields of a draft that users enter, such as its notes. Withdraws its approval. */
export async function editDraftFields(
  { state }: InvoiceContext,
  { viewer, params, body, at }: WriteCall<typeof contract.changeInvoice>,
): Promise<void> {
  const store = state.as(viewer.scope)
  const row = await findDraft(store, viewer.scope, params)
  const change = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))
  await updateIfUnchanged(store, row, { ...change, ...getPreparedColumns(viewer, at) })
}

/** Deletes a draft. @throws Problem if it was issued in the meantime. */
export async function deleteDraft(
  { state }: InvoiceContext,
  { viewer, params }: Omit<InvoiceCall, 'at'>,
): Promise<{ deleted: boolean }> {
  const store = state.as(viewer.scope)
  const row = await findDraft(store, viewer.scope, params)
  await store
    .deleteFrom('invoice')
    .where('invoice_id', '=', row.invoice_id)
    .where('status', '!=', 'issued')
    .execute()
  return { deleted: true }
}

/** Lists the local days of an invoice for which its operator sent no data, in order. */
export const listDaysWithoutData = (row: Pick<InvoiceRow, 'lines'>): string[] =>
  [...new Set(parseLines(row).flatMap((line) => line.days_without_data))].toSorted()

/** Confirms the amounts of days without data, and marks their lines as estimates. */
export async function confirmDraftEstimate(
  { state }: InvoiceContext,
  { viewer, params, body: { note }, at }: WriteCall<typeof contract.confirmEstimate>,
): Promise<void> {
  const store = state.as(viewer.scope)
  const row = await findDraft(store, viewer.scope, params)
  if (!listDaysWithoutData(row).length)
    throw new Problem('conflict', 'All days of this draft have data; there is nothing to confirm.')
  const lines = parseLines(row).map((line) => ({ ...line, is_estimate: line.days_without_data.length > 0 }))
  await updateIfUnchanged(store, row, {
    lines: JSON.stringify(lines),
    has_estimate: true,
    estimate: JSON.stringify({ by: getActorEmail(viewer), at: at.toISOString(), note }),
    ...(row.status === 'approved' ? { status: 'draft', approved_by: null, approved_time: null } : {}),
  })
}

/** Approves the version of a draft that the user has seen. */
export async function approveDraft(
  { state }: InvoiceContext,
  { viewer, params, body: { version }, at }: WriteCall<typeof contract.approveInvoice>,
): Promise<void> {
  const store = state.as(viewer.scope)
  const row = await findDraft(store, viewer.scope, params)
  if (row.version !== version)
    throw makeProblem('body.version', 'Somebody changed this draft after you looked at it. Load it again.')
  const settings = await findBillingSettings(state, viewer.scope, params.region_id)
  if (settings.needs_second_person && row.prepared_by === getActorEmail(viewer))
    throw new Problem('forbidden', 'You prepared this draft; somebody else must approve it.')
  await updateIfUnchanged(store, row, {
    status: 'approved',
    approved_by: getActorEmail(viewer),
    approved_time: at,
  })
}
