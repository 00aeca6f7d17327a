import { setTimeout as wait } from 'node:timers/promises'
import { Readable } from 'node:stream'
import { civilClock } from '#contract/civil-clock.ts'
import type { Invoice, InvoiceSummary } from '#contract/invoices.ts'
import { toMajor, toMinor } from '#contract/money.ts'
import { dayFromNumber, dayNumber, type LocalDay, localDay, startOfMonth } from '#contract/period.ts'
import { permissionKeys } from '#contract/permission.ts'
import type { PolicyFees } from '#server/billing/fee-days/open-fees.ts'
import { savePayer, saveSettings } from '#server/billing/invoices/billing-settings.ts'
import { createCreditNote } from '#server/billing/invoices/credit-notes.ts'
import { addFile, addText, decideDispute, openDispute } from '#server/billing/invoices/disputes.ts'
import {
  approveDraft,
  confirmDraftEstimate,
  createDraft,
  type InvoiceContext,
  refreshDraft,
} from '#server/billing/invoices/drafts.ts'
import { markSent } from '#server/billing/invoices/invoice-mails.ts'
import { issueInvoice } from '#server/billing/invoices/issue-invoice.ts'
import { recordPayment } from '#server/billing/invoices/payments.ts'
import { listInvoices, readInvoice } from '#server/billing/invoices/read-invoice.ts'
import { Problem } from '#server/http/problem.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { viewerScope } from '#server/identity/scope.ts'
import { demoBilling, demoPayers, fateOf, type InvoiceFate } from './billing-plan.ts'

/** Whole months before this one that are invoiced. */
export const invoicedMonths = 12
const dayMs = 86_400_000
/** Fees of the year must have been at rest for so long, ms: facts that are derived late change them again. */
const restMs = 30_000
const pollMs = 10_000
/** After each invoice, nothing is done for as long as it took: the demo leaves half of a core to its visitors. */
const maxPauseMs = 10_000
const maxTries = 20
/** What fails, such as a query of a machine that was asleep, is tried again after a minute. */
const retryMs = 60_000
const maxFailures = 5

export interface DemoBilling {
  context: Omit<InvoiceContext, 'fees'> & { fees: PolicyFees }
  regionId: string
  organizationId: string
  timezone: string
  /** Who works for the city, and who for its operators. */
  city: { userId: string; email: string }
  operatorEmail: (operator: string) => string
  /** The moment of the first run. */
  at: Date
  say: (line: string) => void
  /** Waits; tests do not. */
  pause?: (ms: number) => Promise<unknown>
}

interface Books extends DemoBilling {
  pause: (ms: number) => Promise<unknown>
  viewer: Viewer
  today: LocalDay
}

interface Month {
  start_date: LocalDay
  end_date: LocalDay
}

const viewerOf = (
  { regionId, organizationId }: DemoBilling,
  { userId, email }: DemoBilling['city'],
  operators: readonly string[] | null,
): Viewer => ({
  userId,
  email,
  organizationId,
  permissions: operators ? [] : permissionKeys,
  scope: viewerScope(organizationId, [regionId], userId, operators),
  allRegions: true,
  mfaEnrollmentRequired: false,
  admin: null,
  sessionId: '',
})

const monthOf = (today: LocalDay, monthsAgo: number): Month => ({
  start_date: startOfMonth(today, monthsAgo),
  end_date: dayFromNumber(dayNumber(startOfMonth(today, monthsAgo - 1)) - 1),
})

/** Half past nine, so many local days after a day. */
const momentAfter = ({ timezone }: Books, day: LocalDay, days: number): Date =>
  new Date(civilClock(timezone).instant(dayNumber(day) + days, 9.5 * 3600).ms)

/** Stores who sends and who receives invoices, where nobody did. */
async function storeSettings({ context: { state }, regionId, viewer }: Books): Promise<void> {
  const store = state.as(viewer.scope)
  const settings = await store
    .selectFrom('billing_settings')
    .select('region_id')
    .where('region_id', '=', regionId)
    .executeTakeFirst()
  if (!settings) await saveSettings(state, viewer, regionId, demoBilling)
  const payers = await store
    .selectFrom('billing_payer')
    .select('operator')
    .where('region_id', '=', regionId)
    .execute()
  for (const [operator, payer] of Object.entries(demoPayers))
    if (!payers.some((each) => each.operator === operator))
      await savePayer(state, viewer, { region_id: regionId, operator }, payer)
}

/** Operators that owe fees, by month, once the fees of all months are derived and at rest. */
async function operatorsByMonth(books: Books): Promise<Map<LocalDay, string[]>> {
  const { context, regionId, viewer, today, pause } = books
  const period = {
    start_date: startOfMonth(today, invoicedMonths),
    end_date: dayFromNumber(dayNumber(startOfMonth(today)) - 1),
  }
  const input = { params: { region_id: regionId }, query: period, body: undefined }
  for (let rested = 0; ;) {
    const { months, as_of, pending_days } = await context.fees.summary(viewer.scope, input, books.at)
    rested = as_of !== null && pending_days === 0 ? rested + pollMs : 0
    if (rested > restMs) {
      const found = new Map<LocalDay, string[]>()
      for (const { month, operator } of months)
        found.set(month, [...new Set([...(found.get(month) ?? []), operator])].toSorted())
      return found
    }
    await pause(pollMs)
  }
}

const read = ({ context, regionId, viewer }: Books, id: string, at: Date): Promise<Invoice> =>
  readInvoice(context.state, viewer, { region_id: regionId, invoice_id: id }, at)

/** Invoices of an operator and month, the first one first. */
async function invoicesOf(books: Books, operator: string, month: Month): Promise<InvoiceSummary[]> {
  const { context, regionId, viewer, at } = books
  const { items } = await listInvoices(
    context.state,
    viewer,
    { region_id: regionId },
    { operator, kind: 'invoice', ...month, order_by: 'start_date', page: 1, size: 100 },
    at,
  )
  return items
    .filter((each) => each.start_date === month.start_date && each.end_date === month.end_date)
    .toSorted((a, b) => a.created_time.localeCompare(b.created_time))
}

/** Approves and issues a draft as of a moment. Fees that change meanwhile are computed again. */
async function issue(books: Books, id: string, at: Date): Promise<void> {
  const { context, regionId, viewer, pause } = books
  const of = { region_id: regionId, invoice_id: id }
  for (let tries = 1; ; tries++) {
    const draft = await read(books, id, at)
    if (draft.issue_date !== null) return
    try {
      const isUnsure = draft.lines.some((line) => line.days_without_data.length) && !draft.estimate
      if (draft.kind === 'invoice' && isUnsure)
        await confirmDraftEstimate(context, viewer, of, 'There was no service on these days.', at)
      const { version } = await read(books, id, at)
      await approveDraft(context, viewer, of, version, at)
      return await issueInvoice(context, viewer, of, at, new AbortController().signal)
    } catch (error) {
      const isPassing =
        error instanceof Problem && (error.code === 'conflict' || error.code === 'being_prepared')
      if (!isPassing || tries >= maxTries) throw error
      await pause(pollMs)
      if (draft.kind === 'invoice') await refreshDraft(context, viewer, of, at)
    }
  }
}

async function pay(
  { context: { state }, regionId, viewer }: Books,
  invoice: Invoice,
  amount: 'rest' | 'half',
  at: Date,
  date: LocalDay,
): Promise<void> {
  const { currency, number } = invoice
  const minor = (text: string): number => toMinor(Number(text), currency)
  const due = minor(invoice.open) - minor(invoice.disputed)
  const paid = amount === 'half' ? Math.round(due / 2) : due
  if (paid <= 0 || invoice.payments.length || number === null) return
  await recordPayment(
    state,
    viewer,
    { region_id: regionId },
    { number, date, amount: String(toMajor(paid, currency)), reference: `Bank transfer ${number}` },
    at,
  )
}

/** Drafts a credit note of an invoice unless it has one, and issues it. */
async function credit(books: Books, invoice: Invoice, notes: string, at: Date): Promise<void> {
  const { context, regionId, viewer } = books
  const [note] = invoice.credit_notes
  const id =
    note?.invoice_id ??
    (
      await createCreditNote(
        context.state,
        viewer,
        { region_id: regionId, invoice_id: invoice.invoice_id },
        { notes, lines: [] },
        at,
      )
    ).invoice_id
  await issue(books, id, at)
}

/** Disputes a line for the operator, and answers for the city. */
async function dispute(
  books: Books,
  invoice: Invoice,
  plan: NonNullable<InvoiceFate['dispute']>,
  at: Date,
): Promise<void> {
  const { context, regionId, viewer, operatorEmail } = books
  const { state } = context
  const of = { region_id: regionId, invoice_id: invoice.invoice_id }
  const byOperator = viewerOf(books, { userId: viewer.userId, email: operatorEmail(invoice.operator) }, [
    invoice.operator,
  ])
  const after = (days: number): Date => new Date(at.getTime() + days * dayMs)
  const [line] = invoice.lines.toSorted(
    (a, b) =>
      Number(b.policy_type === 'parking_fees') - Number(a.policy_type === 'parking_fees') ||
      Number(b.amount) - Number(a.amount),
  )
  if (!line) return
  let [found] = invoice.disputes
  if (!found) {
    const part = Math.round((toMinor(Number(line.amount), invoice.currency) * plan.percent) / 100)
    const amount = String(toMajor(part, invoice.currency))
    found = await openDispute(state, byOperator, of, { line: line.line, reason: plan.reason, amount }, at)
  }
  const one = { ...of, dispute_id: found.dispute_id }
  const { file } = plan
  if (found.state !== 'open') return
  if (file && !found.messages.some((message) => message.file))
    await addFile(
      state,
      byOperator,
      one,
      file.name,
      Readable.from([Buffer.from(file.text(invoice.start_date.slice(0, 7)))]),
      at,
    )
  if (!found.messages.some(({ step }) => step === 'message'))
    await addText(state, viewer, one, plan.reply, after(2))
  if (!plan.decision) return
  const decided = await decideDispute(state, viewer, one, { ...plan.decision, amount: null }, after(5))
  if (decided.credit_note_id) await issue(books, decided.credit_note_id, after(5))
}

/** Drafts, issues and sends an invoice as of its days, and brings what became of it up to today. */
async function bringInvoice(
  books: Books,
  { operator, month, fate }: { operator: string; month: Month; fate: InvoiceFate },
): Promise<void> {
  const { context, regionId, viewer, at: now } = books
  const next = dayFromNumber(dayNumber(month.end_date) + 1)
  /** Days after the issue, which is on the third day of the next month. */
  const after = (days: number): Date => momentAfter(books, next, 2 + days)
  const isPast = (days: number): boolean => after(days) <= now
  const draftOf = async (at: Date): Promise<string> =>
    (
      await createDraft(
        context,
        viewer,
        { region_id: regionId },
        { operator, ...month, notes: '', purchase_order: null, due_date: null },
        at,
      )
    ).invoice_id
  const send = async (id: string, at: Date): Promise<Invoice> => {
    await issue(books, id, at)
    const invoice = await read(books, id, now)
    if (!invoice.mails.length)
      await markSent(
        context.state,
        viewer,
        { region_id: regionId, invoice_id: id },
        'Uploaded to the operator’s portal',
        at,
      )
    return read(books, id, now)
  }
  const [first, second] = await invoicesOf(books, operator, month)
  const id = first?.invoice_id ?? (await draftOf(after(-1)))
  if (!isPast(0)) return
  let invoice = await send(id, after(0))
  const { dispute: plan, replaced, payment } = fate
  if (plan && isPast(plan.days + 5)) {
    await dispute(books, invoice, plan, after(plan.days))
    const [accepted] = invoice.credit_notes
    if (accepted) await issue(books, accepted.invoice_id, after(plan.days + 5))
  }
  if (replaced && isPast(replaced.days)) {
    await credit(books, invoice, replaced.reason, after(replaced.days))
    invoice = await send(second?.invoice_id ?? (await draftOf(after(replaced.days))), after(replaced.days))
  }
  invoice = await read(books, invoice.invoice_id, now)
  if (payment && isPast(payment.days)) {
    const at = after(payment.days)
    await pay(books, invoice, payment.amount, at, localDay(at, books.timezone))
  }
}

/** A draft of this month for each operator, as it is now. */
async function draftThisMonth(books: Books, operators: readonly string[]): Promise<void> {
  const { context, regionId, viewer, today, at } = books
  const month = monthOf(today, 0)
  for (const operator of operators) {
    if ((await invoicesOf(books, operator, month)).length) continue
    const draft = await createDraft(
      context,
      viewer,
      { region_id: regionId },
      { operator, ...month, notes: '', purchase_order: null, due_date: null },
      at,
    )
    // Today is counted again every hour: then its fees are being prepared for a moment.
    for (let tries = 0; tries < maxTries; tries++) {
      if ((await read(books, draft.invoice_id, at)).as_of !== null) break
      await books.pause(pollMs)
      await refreshDraft(context, viewer, draft, at)
    }
  }
}

/**
 * Makes invoices of the past twelve months and drafts of this one by the use cases that people use, one after the other, with pauses.
 * What exists is not made again: after a stop in the middle it goes on with the next step.
 */
export async function storeDemoInvoices(billing: DemoBilling): Promise<void> {
  const { at, timezone } = billing
  const books: Books = {
    ...billing,
    pause: billing.pause ?? wait,
    viewer: viewerOf(billing, billing.city, null),
    today: localDay(at, timezone),
  }
  for (let failures = 0; ;) {
    try {
      return await storeYear(books)
    } catch (error) {
      if (++failures === maxFailures) throw error
      billing.context.log('The invoices of the demo are tried again in a minute.', { error: String(error) })
      await books.pause(retryMs)
    }
  }
}

async function storeYear(books: Books): Promise<void> {
  const { say } = books
  await storeSettings(books)
  const owed = await operatorsByMonth(books)
  for (let monthsAgo = invoicedMonths; monthsAgo > 0; monthsAgo--) {
    const month = monthOf(books.today, monthsAgo)
    for (const operator of owed.get(month.start_date) ?? []) {
      const begin = performance.now()
      await bringInvoice(books, { operator, month, fate: fateOf(operator, monthsAgo) })
      await books.pause(Math.min(maxPauseMs, performance.now() - begin))
    }
    say(
      `Invoices of the last ${invoicedMonths} months: ${Math.round((100 * (invoicedMonths + 1 - monthsAgo)) / invoicedMonths)} %`,
    )
  }
  await draftThisMonth(books, owed.get(startOfMonth(books.today, 1)) ?? [])
}
