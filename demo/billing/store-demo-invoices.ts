import { setTimeout as wait } from 'node:timers/promises'
import { Readable } from 'node:stream'
import { civilClock } from '#contract/civil-clock.ts'
import type { Invoice, InvoiceSummary } from '#contract/invoices.ts'
import { toMajor, toMinor } from '#contract/money.ts'
import { addDays, dayMs, dayNumber, localDay, type LocalDay, startOfMonth } from '#contract/period.ts'
import { permissionKeys } from '#contract/permission.ts'
import type { PolicyFees } from '#server/billing/fee-days/policy-fees.ts'
import { savePayerSettings, saveBillingSettings } from '#server/billing/invoices/billing-settings.ts'
import { createCreditNote } from '#server/billing/invoices/credit-notes.ts'
import {
  addDisputeFile,
  addDisputeMessage,
  decideDispute,
  openDispute,
} from '#server/billing/invoices/disputes.ts'
import {
  approveDraft,
  confirmDraftEstimate,
  createDraft,
  type InvoiceContext,
  recomputeDraft,
} from '#server/billing/invoices/drafts.ts'
import { markInvoiceSent } from '#server/billing/invoices/invoice-mails.ts'
import { issueInvoice } from '#server/billing/invoices/issue-invoice.ts'
import { recordPayment } from '#server/billing/invoices/payments.ts'
import { listInvoices, readInvoice } from '#server/billing/invoices/read-invoice.ts'
import { Problem } from '#server/http/problem.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { viewerScope } from '#server/identity/scope.ts'
import { demoBilling, demoPayers, getInvoiceOutcome, type InvoiceOutcome } from './billing-plan.ts'

/** Number of whole months before the current one that are invoiced. */
export const invoicedMonths = 12
/** Time without pending fees after which they are final, because late facts change them. */
const stableMs = 30_000
const pollMs = 10_000
/** Pauses after each invoice for as long as it took, which leaves half a core for visitors of the demo. */
const maxPauseMs = 10_000
const maxTries = 20
/** A failed step, such as a query on a machine that was asleep, is retried after a minute. */
const retryMs = 60_000
const maxFailures = 5

export interface DemoBilling {
  context: Omit<InvoiceContext, 'fees'> & { fees: PolicyFees }
  regionId: string
  organizationId: string
  timezone: string
  /** The user who acts for the city. */
  city: { userId: string; email: string }
  /** Returns the email address of the user who acts for an operator. */
  operatorEmail: (operator: string) => string
  /** Time of the first run. */
  at: Date
  printLine: (line: string) => void
  /** Waits for a time; tests pass a function that returns at once. */
  pause?: (ms: number) => Promise<unknown>
}

interface BillingRun extends DemoBilling {
  pause: (ms: number) => Promise<unknown>
  viewer: Viewer
  today: LocalDay
}

interface Month {
  start_date: LocalDay
  end_date: LocalDay
}

const makeViewer = (
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

const getMonth = (today: LocalDay, monthsAgo: number): Month => ({
  start_date: startOfMonth(today, monthsAgo),
  end_date: addDays(startOfMonth(today, monthsAgo - 1), -1),
})

/** Returns the instant of 9:30 local time, `days` days after a local day. */
const getMorning = ({ timezone }: BillingRun, day: LocalDay, days: number): Date =>
  new Date(civilClock(timezone).instant(dayNumber(day) + days, 9.5 * 3600).ms)

/** Stores the settings of the seller and the payers unless they exist. */
async function storeSettings({ context: { state }, regionId, viewer }: BillingRun): Promise<void> {
  const store = state.as(viewer.scope)
  const settings = await store
    .selectFrom('billing_settings')
    .select('region_id')
    .where('region_id', '=', regionId)
    .executeTakeFirst()
  if (!settings)
    await saveBillingSettings(state, { viewer, params: { region_id: regionId }, body: demoBilling })
  const payers = await store
    .selectFrom('billing_payer')
    .select('operator')
    .where('region_id', '=', regionId)
    .execute()
  for (const [operator, payer] of Object.entries(demoPayers))
    if (!payers.some((payer) => payer.operator === operator))
      await savePayerSettings(state, { viewer, params: { region_id: regionId, operator }, body: payer })
}

/** Waits until the fees of all months are derived and stable. Returns the operators with fees by month. */
export async function waitForOperatorsByMonth({
  context,
  regionId,
  viewer,
  today,
  pause,
}: Pick<BillingRun, 'regionId' | 'viewer' | 'today' | 'pause'> & {
  context: { fees: Pick<PolicyFees, 'summarize'> }
}): Promise<Map<LocalDay, string[]>> {
  const period = {
    start_date: startOfMonth(today, invoicedMonths),
    end_date: addDays(startOfMonth(today), -1),
  }
  const question = { viewer, params: { region_id: regionId }, query: period }
  for (let stableForMs = 0; ;) {
    // As of now: as of the first run, days that were marked later would not count as pending.
    const { months, as_of, pending_days } = await context.fees.summarize({ ...question, at: new Date() })
    stableForMs = as_of !== null && pending_days === 0 ? stableForMs + pollMs : 0
    if (stableForMs > stableMs) {
      const operators = new Map<LocalDay, string[]>()
      for (const { month, operator } of months)
        operators.set(month, [...new Set([...(operators.get(month) ?? []), operator])].toSorted())
      return operators
    }
    await pause(pollMs)
  }
}

const readDemoInvoice = ({ context, regionId, viewer }: BillingRun, id: string, at: Date): Promise<Invoice> =>
  readInvoice(context.state, { viewer, params: { region_id: regionId, invoice_id: id }, at })

/** Finds the invoices of an operator and month, oldest first. */
async function findInvoices(run: BillingRun, operator: string, month: Month): Promise<InvoiceSummary[]> {
  const { context, regionId, viewer, at } = run
  const { items } = await listInvoices(context.state, {
    viewer,
    params: { region_id: regionId },
    query: { operator, kind: 'invoice', ...month, order_by: 'start_date', page: 1, size: 100 },
    at,
  })
  return items
    .filter((item) => item.start_date === month.start_date && item.end_date === month.end_date)
    .toSorted((a, b) => a.created_time.localeCompare(b.created_time))
}

/** Approves and issues a draft at the given time. Refreshes the draft if its fees change in the meantime. */
async function issueDraft(run: BillingRun, id: string, at: Date): Promise<void> {
  const { context, regionId, viewer, pause } = run
  const params = { region_id: regionId, invoice_id: id }
  for (let tries = 1; ; tries++) {
    const draft = await readDemoInvoice(run, id, at)
    if (draft.issue_date !== null) return
    try {
      const needsEstimate = draft.lines.some((line) => line.days_without_data.length) && !draft.estimate
      if (draft.kind === 'invoice' && needsEstimate)
        await confirmDraftEstimate(context, {
          viewer,
          params,
          body: { note: 'There was no service on these days.' },
          at,
        })
      const { version } = await readDemoInvoice(run, id, at)
      await approveDraft(context, { viewer, params, body: { version }, at })
      return await issueInvoice(context, { viewer, params, at, signal: new AbortController().signal })
    } catch (error) {
      const isTransient =
        error instanceof Problem && (error.code === 'conflict' || error.code === 'being_prepared')
      if (!isTransient || tries >= maxTries) throw error
      await pause(pollMs)
      if (draft.kind === 'invoice') await recomputeDraft(context, { viewer, params, at })
    }
  }
}

/** Records a payment of an invoice, of its open undisputed amount or half of it, unless it has one. */
async function payInvoice(
  { context: { state }, regionId, viewer, timezone }: BillingRun,
  invoice: Invoice,
  amount: 'balance' | 'half',
  at: Date,
): Promise<void> {
  const { currency, number } = invoice
  const toMinorUnits = (text: string): number => toMinor(Number(text), currency)
  const due = toMinorUnits(invoice.open) - toMinorUnits(invoice.disputed)
  const paid = amount === 'half' ? Math.round(due / 2) : due
  if (paid <= 0 || invoice.payments.length || number === null) return
  await recordPayment(state, {
    viewer,
    params: { region_id: regionId },
    body: {
      number,
      date: localDay(at, timezone),
      amount: String(toMajor(paid, currency)),
      reference: `Bank transfer ${number}`,
    },
    at,
  })
}

/** Drafts a credit note for an invoice unless it has one, and issues it. */
async function creditInvoice(run: BillingRun, invoice: Invoice, notes: string, at: Date): Promise<void> {
  const { context, regionId, viewer } = run
  const [note] = invoice.credit_notes
  const id =
    note?.invoice_id ??
    (
      await createCreditNote(context.state, {
        viewer,
        params: { region_id: regionId, invoice_id: invoice.invoice_id },
        body: { notes, lines: [] },
        at,
      })
    ).invoice_id
  await issueDraft(run, id, at)
}

/** Opens a dispute on behalf of the operator and replies to it on behalf of the city. */
async function disputeInvoice(
  run: BillingRun,
  invoice: Invoice,
  plan: NonNullable<InvoiceOutcome['dispute']>,
  at: Date,
): Promise<void> {
  const { context, regionId, viewer, operatorEmail } = run
  const { state } = context
  const params = { region_id: regionId, invoice_id: invoice.invoice_id }
  const operatorViewer = makeViewer(run, { userId: viewer.userId, email: operatorEmail(invoice.operator) }, [
    invoice.operator,
  ])
  const after = (days: number): Date => new Date(at.getTime() + days * dayMs)
  const [line] = invoice.lines.toSorted(
    (a, b) =>
      Number(b.policy_type === 'parking_fees') - Number(a.policy_type === 'parking_fees') ||
      Number(b.amount) - Number(a.amount),
  )
  if (!line) return
  let [opened] = invoice.disputes
  if (!opened) {
    const minorAmount = Math.round((toMinor(Number(line.amount), invoice.currency) * plan.percent) / 100)
    const amount = String(toMajor(minorAmount, invoice.currency))
    const body = { line: line.line, reason: plan.reason, amount }
    opened = await openDispute(state, { viewer: operatorViewer, params, body, at })
  }
  const disputeParams = { ...params, dispute_id: opened.dispute_id }
  const { file } = plan
  if (opened.state !== 'open') return
  if (file && !opened.messages.some((message) => message.file))
    await addDisputeFile(state, {
      viewer: operatorViewer,
      params: disputeParams,
      query: { file_name: file.name },
      body: Readable.from([Buffer.from(file.text(invoice.start_date.slice(0, 7)))]),
      at,
    })
  if (!opened.messages.some(({ step }) => step === 'message'))
    await addDisputeMessage(state, {
      viewer,
      params: disputeParams,
      body: { text: plan.reply },
      at: after(2),
    })
  if (!plan.decision) return
  const decided = await decideDispute(state, {
    viewer,
    params: disputeParams,
    body: { ...plan.decision, amount: null },
    at: after(5),
  })
  if (decided.credit_note_id) await issueDraft(run, decided.credit_note_id, after(5))
}

/** Drafts, issues and sends an invoice on its dates, then stores payments, disputes and credits. */
async function storeInvoice(
  run: BillingRun,
  { operator, month, outcome }: { operator: string; month: Month; outcome: InvoiceOutcome },
): Promise<void> {
  const { context, regionId, viewer, at: now } = run
  const next = addDays(month.end_date, 1)
  /** Returns the instant `days` days after the issue, which is on the third day of the next month. */
  const after = (days: number): Date => getMorning(run, next, 2 + days)
  const isPast = (days: number): boolean => after(days) <= now
  const createDraftAt = async (at: Date): Promise<string> =>
    (
      await createDraft(context, {
        viewer,
        params: { region_id: regionId },
        body: { operator, ...month, notes: '', purchase_order: null, due_date: null },
        at,
      })
    ).invoice_id
  const send = async (id: string, at: Date): Promise<Invoice> => {
    await issueDraft(run, id, at)
    const invoice = await readDemoInvoice(run, id, now)
    if (!invoice.mails.length)
      await markInvoiceSent(context.state, {
        viewer,
        params: { region_id: regionId, invoice_id: id },
        body: { note: 'Uploaded to the operator’s portal' },
        at,
      })
    return readDemoInvoice(run, id, now)
  }
  const [first, second] = await findInvoices(run, operator, month)
  const id = first?.invoice_id ?? (await createDraftAt(after(-1)))
  if (!isPast(0)) return
  let invoice = await send(id, after(0))
  const { dispute: plan, replaced, payment } = outcome
  if (plan && isPast(plan.days + 5)) {
    await disputeInvoice(run, invoice, plan, after(plan.days))
    const [accepted] = invoice.credit_notes
    if (accepted) await issueDraft(run, accepted.invoice_id, after(plan.days + 5))
  }
  if (replaced && isPast(replaced.days)) {
    await creditInvoice(run, invoice, replaced.reason, after(replaced.days))
    invoice = await send(
      second?.invoice_id ?? (await createDraftAt(after(replaced.days))),
      after(replaced.days),
    )
  }
  invoice = await readDemoInvoice(run, invoice.invoice_id, now)
  if (payment && isPast(payment.days)) {
    const at = after(payment.days)
    await payInvoice(run, invoice, payment.amount, at)
  }
}

/** Drafts the invoices of the current month. */
async function draftThisMonth(run: BillingRun, operators: readonly string[]): Promise<void> {
  const { context, regionId, viewer, today, at } = run
  const month = getMonth(today, 0)
  for (const operator of operators) {
    if ((await findInvoices(run, operator, month)).length) continue
    const draft = await createDraft(context, {
      viewer,
      params: { region_id: regionId },
      body: { operator, ...month, notes: '', purchase_order: null, due_date: null },
      at,
    })
    // The fees of today are derived every hour and are briefly unavailable meanwhile.
    for (let tries = 0; tries < maxTries; tries++) {
      if ((await readDemoInvoice(run, draft.invoice_id, at)).as_of !== null) break
      await run.pause(pollMs)
      await recomputeDraft(context, { viewer, params: draft, at })
    }
  }
}

/**
 * Creates the invoices of the past twelve months and the drafts of the current one through the use cases of the API,
 * one after the other with pauses. Existing invoices are skipped, so an interrupted run continues with the next step.
 */
export async function storeDemoInvoices(billing: DemoBilling): Promise<void> {
  const { at, timezone } = billing
  const run: BillingRun = {
    ...billing,
    pause: billing.pause ?? wait,
    viewer: makeViewer(billing, billing.city, null),
    today: localDay(at, timezone),
  }
  for (let failures = 0; ;) {
    try {
      return await storeYear(run)
    } catch (error) {
      if (++failures === maxFailures) throw error
      billing.context.log('The demo invoices failed and are retried in a minute.', { error: String(error) })
      await run.pause(retryMs)
    }
  }
}

/** Stores the invoices of the past months and drafts those of the current one. */
async function storeYear(run: BillingRun): Promise<void> {
  const { printLine } = run
  await storeSettings(run)
  const operatorsByMonth = await waitForOperatorsByMonth(run)
  for (let monthsAgo = invoicedMonths; monthsAgo > 0; monthsAgo--) {
    const month = getMonth(run.today, monthsAgo)
    for (const operator of operatorsByMonth.get(month.start_date) ?? []) {
      const begin = performance.now()
      await storeInvoice(run, { operator, month, outcome: getInvoiceOutcome(operator, monthsAgo) })
      await run.pause(Math.min(maxPauseMs, performance.now() - begin))
    }
    printLine(
      `Invoices of the last ${invoicedMonths} months: ${Math.round((100 * (invoicedMonths + 1 - monthsAgo)) / invoicedMonths)} %`,
    )
  }
  await draftThisMonth(run, operatorsByMonth.get(startOfMonth(run.today, 1)) ?? [])
}
