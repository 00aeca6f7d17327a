import * as settings from '#contract/billing-settings.ts'
import * as counts from '#contract/invoice-counts.ts'
import * as disputes from '#contract/invoice-disputes.ts'
import * as payments from '#contract/invoice-payments.ts'
import * as contract from '#contract/invoices.ts'
import { type Route, route } from '#server/http/route.ts'
import type { Notifications } from '#server/notifications/open-notifications.ts'
import { getAging, getStatement, downloadLedger } from './accounts.ts'
import {
  deleteBillingLogo,
  getPayerSettings,
  getBillingSettings,
  saveBillingLogo,
  savePayerSettings,
  saveBillingSettings,
  getBillingLogo,
} from './billing-settings.ts'
import { createCreditNote } from './credit-notes.ts'
import * as dispute from './disputes.ts'
import {
  recomputeInvoice,
  getInvoiceByLink,
  exportInvoice,
  getInvoiceFacts,
  getInvoiceFactsParquet,
  getInvoiceLines,
  getInvoicePdf,
} from './download-invoice.ts'
import {
  approveDraft,
  editDraftFields,
  confirmDraftEstimate,
  createDraft,
  deleteDraft,
  type InvoiceContext,
  recomputeDraft,
} from './drafts.ts'
import { importPayments } from './import-payments.ts'
import {
  InvoiceLinks,
  createInvoiceNotifications,
  markMailBounced,
  markInvoiceSent,
  sendInvoiceEmail,
  updateWaitingMails,
} from './invoice-mails.ts'
import { checkLogo, issueInvoice } from './issue-invoice.ts'
import { addOperatorCount, importOperatorCount, listOperatorCounts } from './operator-counts.ts'
import { listPayments, recordPayment, voidPayment } from './payments.ts'
import { listInvoices, readInvoice } from './read-invoice.ts'

type InvoiceRouteOptions = InvoiceContext & {
  notifications: Pick<Notifications, 'add'>
  /** Directory for temporary files. */
  dataDir: string
}

const settingsRoutes = ({ state }: InvoiceContext): Route[] => [
  route(settings.getBillingSettings, (call) => getBillingSettings(state, call)),
  route(settings.saveBillingSettings, (call) => saveBillingSettings(state, call)),
  route(settings.getBillingLogo, (call) => getBillingLogo(state, call)),
  route(settings.saveBillingLogo, (call) => saveBillingLogo(state, call, checkLogo)),
  route(settings.deleteBillingLogo, (call) => deleteBillingLogo(state, call)),
  route(settings.getPayerSettings, (call) => getPayerSettings(state, call)),
  route(settings.savePayerSettings, (call) => savePayerSettings(state, call)),
]

const disputeRoutes = ({ state }: InvoiceContext): Route[] => [
  route(disputes.listDisputes, (call) => dispute.listDisputes(state, call)),
  route(disputes.openDispute, (call) => dispute.openDispute(state, call)),
  route(disputes.addDisputeMessage, (call) => dispute.addDisputeMessage(state, call)),
  route(disputes.addDisputeFile, (call) => dispute.addDisputeFile(state, call)),
  route(disputes.getDisputeFile, (call) => dispute.getDisputeFile(state, call)),
  route(disputes.withdrawDispute, (call) => dispute.withdrawDispute(state, call)),
  route(disputes.decideDispute, (call) => dispute.decideDispute(state, call)),
]

const countRoutes = ({ state }: InvoiceContext): Route[] => [
  route(counts.listOperatorCounts, (call) => listOperatorCounts(state, call)),
  route(counts.addOperatorCount, (call) => addOperatorCount(state, call)),
  route(counts.importOperatorCount, (call) => importOperatorCount(state, call)),
]

const paymentRoutes = ({ state }: InvoiceContext): Route[] => [
  route(payments.listPayments, (call) => listPayments(state, call)),
  route(payments.recordPayment, (call) => recordPayment(state, call)),
  route(payments.voidPayment, (call) => voidPayment(state, call)),
  route(payments.importPayments, (call) => importPayments(state, call)),
  route(payments.getStatement, (call) => getStatement(state, call)),
  route(payments.getAging, (call) => getAging(state, call)),
  route(payments.downloadLedger, (call) => downloadLedger(state, call)),
]

/** Declares the routes of drafts. Calls that change a draft return the changed draft. */
function draftRoutes(context: InvoiceContext): Route[] {
  const { state } = context
  return [
    route(contract.createInvoice, async (call) => {
      const params = await createDraft(context, call)
      return readInvoice(state, { ...call, params })
    }),
    route(contract.refreshInvoice, async (call) => {
      await recomputeDraft(context, call)
      return readInvoice(state, call)
    }),
    route(contract.changeInvoice, async (call) => {
      await editDraftFields(context, call)
      return readInvoice(state, call)
    }),
    route(contract.deleteInvoice, (call) => deleteDraft(context, call)),
    route(contract.confirmEstimate, async (call) => {
      await confirmDraftEstimate(context, call)
      return readInvoice(state, call)
    }),
    route(contract.approveInvoice, async (call) => {
      await approveDraft(context, call)
      return readInvoice(state, call)
    }),
    route(contract.issueInvoice, async (call) => {
      await issueInvoice(context, call)
      return readInvoice(state, call)
    }),
    route(contract.createCreditNote, async (call) => {
      const params = await createCreditNote(state, call)
      return readInvoice(state, { ...call, params })
    }),
  ]
}

/** Declares the routes of the files of invoices, and of the check whether an invoice can be recomputed. */
const fileRoutes = (context: InvoiceContext, links: InvoiceLinks, dataDir: string): Route[] => [
  route(contract.getInvoicePdf, (call) => getInvoicePdf(context, call)),
  route(contract.getInvoiceFacts, (call) => getInvoiceFacts(context, call)),
  route(contract.getInvoiceFactsParquet, (call) => getInvoiceFactsParquet(context, dataDir, call)),
  route(contract.getInvoiceLines, (call) => getInvoiceLines(context, call)),
  route(contract.exportInvoice, (call) => exportInvoice(context, call)),
  route(contract.recomputeInvoice, (call) => recomputeInvoice(context, call)),
  route(contract.getInvoiceByLink, (call) => getInvoiceByLink(context, links, call)),
]

/** Declares the routes of invoices. Also registers the notification kind that mails invoices. */
export function invoiceRoutes({ notifications, dataDir, ...context }: InvoiceRouteOptions): Route[] {
  const { state } = context
  const links = new InvoiceLinks(context.secretBox)
  notifications.add(createInvoiceNotifications(state, links))
  return [
    route(contract.listInvoices, (call) => listInvoices(state, call)),
    route(contract.getInvoice, async (call) => {
      await updateWaitingMails(state.as(call.viewer.scope), call.params.invoice_id, call.at)
      return readInvoice(state, call)
    }),
    route(contract.sendInvoiceEmail, (call) => sendInvoiceEmail(state, call)),
    route(contract.markInvoiceSent, (call) => markInvoiceSent(state, call)),
    route(contract.markMailBounced, (call) => markMailBounced(state, call)),
    ...draftRoutes(context),
    ...fileRoutes(context, links, dataDir),
    ...disputeRoutes(context),
    ...countRoutes(context),
    ...paymentRoutes(context),
    ...settingsRoutes(context),
  ]
}
