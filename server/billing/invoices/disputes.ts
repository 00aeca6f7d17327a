import { createHash, randomUUID } from 'node:crypto'
import type * as contract from '#contract/invoice-disputes.ts'
import { type Dispute, type DisputeMessage, maxEvidenceBytes } from '#contract/invoice-disputes.ts'
import { Problem } from '#server/http/problem.ts'
import { type Call, RawResponse, type WriteCall } from '#server/http/route.ts'
import { publishEvent } from '#server/notifications/events/publish-event.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { State, Store } from '#server/stores/state.ts'
import { draftCreditNote, findRemainingAmount } from './credit-notes.ts'
import { getActorEmail, findIssued, type InvoiceParams } from './invoice-store.ts'
import { readBody } from './read-body.ts'
import { readDisputes } from './read-disputes.ts'
import { toMinorUnits } from './taxes.ts'

type DisputeParams = InvoiceParams & { dispute_id: string }

const makeProblem = (path: string, message: string): Problem =>
  new Problem('validation_error', message, [{ path, message }])

/** Checks that the viewer may enter disputes and counts: a user of the operator, or billing staff. */
export function checkIsParty({ scope, permissions }: Viewer): void {
  const isCity = permissions.includes('draft_invoices') || permissions.includes('approve_invoices')
  if (!scope.operators && !isCity)
    throw new Problem('forbidden', 'This needs the permission draft_invoices or approve_invoices.')
}

async function findDispute(
  store: Store,
  { scope }: Viewer,
  { region_id: regionId, invoice_id: invoiceId, dispute_id: disputeId }: DisputeParams,
): Promise<Dispute> {
  const [dispute] = await readDisputes(store, scope, regionId, { invoiceId, disputeId })
  if (!dispute) throw new Problem('not_found', 'There is no such dispute.')
  return dispute
}

export async function listDisputes(
  state: State,
  { viewer: { scope }, params: { region_id: regionId }, query }: Call<typeof contract.listDisputes>,
): Promise<{ items: Dispute[] }> {
  await findRegion(state, scope, regionId)
  return { items: await readDisputes(state.as(scope), scope, regionId, query) }
}

interface NewMessage {
  viewer: Viewer
  params: Pick<DisputeParams, 'region_id' | 'dispute_id'>
  step: DisputeMessage['step']
  text: string
  file?: { name: string; bytes: Buffer }
  at: Date
}

async function addMessage(store: Store, { viewer, params, step, text, file, at }: NewMessage): Promise<void> {
  await store
    .insertInto('invoice_dispute_message')
    .values({
      region_id: params.region_id,
      dispute_id: params.dispute_id,
      at,
      by_email: getActorEmail(viewer),
      is_operator: viewer.scope.operators !== null,
      step,
      text,
      ...(file && {
        file_name: file.name,
        file: file.bytes,
        file_bytes: file.bytes.length,
        file_sha256: createHash('sha256').update(file.bytes).digest('hex'),
      }),
    })
    .execute()
}

/** Opens a dispute about a line that has no open one. */
export async function openDispute(
  state: State,
  { viewer, params, body: { line, reason, amount: text }, at }: WriteCall<typeof contract.openDispute>,
): Promise<Dispute> {
  checkIsParty(viewer)
  const store = state.as(viewer.scope)
  const invoice = await findIssued(store, viewer.scope, params)
  if (invoice.kind !== 'invoice') throw new Problem('conflict', 'A credit note cannot be disputed.')
  const remainingAmount = await findRemainingAmount(store, invoice, line)
  const amount = text === null ? remainingAmount : toMinorUnits(text, invoice.currency)
  if (amount === null)
    throw makeProblem('body.amount', `The amount has more digits than ${invoice.currency}.`)
  if (remainingAmount <= 0n) throw makeProblem('body.line', 'Nothing is left of this line.')
  if (amount <= 0n || amount > remainingAmount)
    throw makeProblem('body.amount', 'The amount must be above 0 and at most what is left of the line.')
  const disputeId = randomUUID()
  const key = { region_id: params.region_id, dispute_id: disputeId }
  await store.transaction().execute(async (transaction) => {
    await transaction
      .insertInto('invoice_dispute')
      .values({
        ...key,
        invoice_id: invoice.invoice_id,
        line,
        state: 'open',
        reason,
        amount,
        opened_time: at,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('dispute_id')
      .executeTakeFirstOrThrow(() => new Problem('conflict', 'This line is in dispute already.'))
    await addMessage(transaction, { viewer, params: key, step: 'opened', text: reason, at })
    const { invoice_id, number, operator } = invoice
    const data = { invoice_id, number, operator, line, dispute_id: disputeId }
    await publishEvent(
      transaction,
      { type: 'invoice.disputed', regionId: params.region_id, operator, data },
      at,
    )
  })
  return findDispute(store, viewer, { ...params, dispute_id: disputeId })
}

function checkIsOpen({ state }: Dispute): void {
  if (state !== 'open') throw new Problem('conflict', 'This dispute is closed.')
}

export async function addDisputeMessage(
  state: State,
  { viewer, params, body: { text }, at }: WriteCall<typeof contract.addDisputeMessage>,
): Promise<Dispute> {
  checkIsParty(viewer)
  const store = state.as(viewer.scope)
  checkIsOpen(await findDispute(store, viewer, params))
  await addMessage(store, { viewer, params, step: 'message', text, at })
  return findDispute(store, viewer, params)
}

/** Maximum number of files of a dispute. */
const maxFiles = 20

export async function addDisputeFile(
  state: State,
  {
    viewer,
    params,
    query,
    body,
    at,
  }: WriteCall<typeof contract.addDisputeFile> & Pick<Call<typeof contract.addDisputeFile>, 'query'>,
): Promise<Dispute> {
  checkIsParty(viewer)
  const store = state.as(viewer.scope)
  const dispute = await findDispute(store, viewer, params)
  checkIsOpen(dispute)
  if (dispute.messages.filter(({ file }) => file).length >= maxFiles)
    throw new Problem('conflict', `A dispute has at most ${maxFiles} files.`)
  const bytes = await readBody(body, maxEvidenceBytes, 'A file has at most 5 MB.')
  const file = { name: query.file_name, bytes }
  await addMessage(store, { viewer, params, step: 'file', text: '', file, at })
  return findDispute(store, viewer, params)
}

/** Returns an uploaded file unchanged. Browsers must save, never display it: its content is not trusted. */
export async function getDisputeFile(
  state: State,
  { viewer, params }: { viewer: Viewer; params: DisputeParams & { message_id: string } },
): Promise<RawResponse> {
  const store = state.as(viewer.scope)
  await findDispute(store, viewer, params)
  const row = await store
    .selectFrom('invoice_dispute_message')
    .select(['file', 'file_name'])
    .where('message_id', '=', params.message_id)
    .where('dispute_id', '=', params.dispute_id)
    .executeTakeFirst()
  if (!row?.file || !row.file_name) throw new Problem('not_found', 'There is no such file.')
  return new RawResponse(Buffer.from(row.file), {
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(row.file_name)}`,
    'x-content-type-options': 'nosniff',
  })
}

/** Closes an open dispute. @throws Problem `conflict` if it was closed in the meantime. */
async function closeDispute(
  transaction: Store,
  { creditNoteId, ...message }: NewMessage & { creditNoteId: string | null },
): Promise<void> {
  await transaction
    .updateTable('invoice_dispute')
    .set({ state: message.step, closed_time: message.at, credit_note_id: creditNoteId })
    .where('dispute_id', '=', message.params.dispute_id)
    .where('state', '=', 'open')
    .returning('dispute_id')
    .executeTakeFirstOrThrow(() => new Problem('conflict', 'This dispute is closed.'))
  await addMessage(transaction, message)
}

export async function withdrawDispute(
  state: State,
  { viewer, params, body: { text }, at }: WriteCall<typeof contract.withdrawDispute>,
): Promise<Dispute> {
  checkIsParty(viewer)
  const store = state.as(viewer.scope)
  checkIsOpen(await findDispute(store, viewer, params))
  await store
    .transaction()
    .execute((transaction) =>
      closeDispute(transaction, { viewer, params, step: 'withdrawn', text, creditNoteId: null, at }),
    )
  return findDispute(store, viewer, params)
}

/** Accepts a dispute and drafts a credit note, or declines it. */
export async function decideDispute(
  state: State,
  { viewer, params, body: { decision, text, amount }, at }: WriteCall<typeof contract.decideDispute>,
): Promise<Dispute> {
  const store = state.as(viewer.scope)
  const dispute = await findDispute(store, viewer, params)
  checkIsOpen(dispute)
  await store.transaction().execute(async (transaction) => {
    const credit =
      decision === 'accepted'
        ? await draftCreditNote(transaction, {
            viewer,
            params,
            body: {
              notes: `Dispute of line ${dispute.line} accepted: ${text}`.slice(0, 2000),
              lines: [{ line: dispute.line, amount: amount ?? dispute.amount }],
            },
            at,
          })
        : null
    await closeDispute(transaction, {
      viewer,
      params,
      step: decision,
      text,
      creditNoteId: credit?.invoice_id ?? null,
      at,
    })
  })
  return findDispute(store, viewer, params)
}
