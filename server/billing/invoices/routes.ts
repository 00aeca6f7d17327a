import * as settings from '#contract/billing-settings.ts'
import * as counts from '#contract/invoice-counts.ts'
import * as disputes from '#contract/invoice-disputes.ts'
import * as payments from '#contract/invoice-payments.ts'
import * as contract from '#contract/invoices.ts'
import { RawResponse, type Route, route } from '#server/http/route.ts'
import type { Notifications } from '#server/notifications/open-notifications.ts'
import { readAging, readStatement, writeLedger } from './accounts.ts'
import { readPayer, readSettings, saveLogo, savePayer, saveSettings, sendLogo } from './billing-settings.ts'
import { createCreditNote } from './credit-notes.ts'
import * as dispute from './disputes.ts'
import {
  recomputeInvoice,
  sendByLink,
  sendExport,
  sendFacts,
  sendFactsParquet,
  sendLines,
  sendPdf,
} from './download-invoice.ts'
import {
  approveDraft,
  changeDraft,
  confirmDraftEstimate,
  createDraft,
  deleteDraft,
  type InvoiceContext,
  refreshDraft,
} from './drafts.ts'
import { importPayments } from './import-payments.ts'
import {
  InvoiceLinks,
  invoiceNotifications,
  markBounced,
  markSent,
  sendInvoice,
  updateWaitingMails,
} from './invoice-mails.ts'
import { checkLogo, issueInvoice } from './issue-invoice.ts'
import { addCount, importCount, listOperatorCounts } from './operator-counts.ts'
import { listPayments, recordPayment, voidPayment } from './payments.ts'
import { listInvoices, readInvoice } from './read-invoice.ts'

type Options = InvoiceContext & {
  notifications: Pick<Notifications, 'add'>
  /** Directory for temporary files. */
  dataDir: string
}

/** Routes of the billing settings of a region and of its operators. */
const settingsRoutes = ({ state }: InvoiceContext): Route[] => [
  route(settings.getBillingSettings, ({ viewer, params }) => readSettings(state, viewer, params.region_id)),
  route(settings.saveBillingSettings, ({ viewer, params, body }) =>
    saveSettings(state, viewer, params.region_id, body),
  ),
  route(settings.getBillingLogo, ({ viewer, params }) => sendLogo(state, viewer, params.region_id)),
  route(settings.saveBillingLogo, ({ viewer, params, body }) =>
    saveLogo(state, viewer, params.region_id, body, checkLogo),
  ),
  route(settings.deleteBillingLogo, ({ viewer, params }) =>
    saveLogo(state, viewer, params.region_id, null, checkLogo),
  ),
  route(settings.getPayerSettings, ({ viewer, params }) => readPayer(state, viewer, params)),
  route(settings.savePayerSettings, ({ viewer, params, body }) => savePayer(state, viewer, params, body)),
]

const disputeRoutes = ({ state }: InvoiceContext): Route[] => [
  route(disputes.listDisputes, ({ viewer, params, query }) =>
    dispute.listDisputes(state, viewer, params, query),
  ),
  route(disputes.openDispute, ({ viewer, params, body, at }) =>
    dispute.openDispute(state, viewer, params, body, at),
  ),
  route(disputes.addDisputeMessage, ({ viewer, params, body, at }) =>
    dispute.addText(state, viewer, params, body.text, at),
  ),
  route(disputes.addDisputeFile, ({ viewer, params, query, body, at }) =>
    dispute.addFile(state, viewer, params, query.file_name, body, at),
  ),
  route(disputes.getDisputeFile, ({ viewer, params }) => dispute.sendFile(state, viewer, params)),
  route(disputes.withdrawDispute, ({ viewer, params, body, at }) =>
    dispute.withdrawDispute(state, viewer, params, body.text, at),
  ),
  route(disputes.decideDispute, ({ viewer, params, body, at }) =>
    dispute.decideDispute(state, viewer, params, body, at),
  ),
]

/** Routes of operators' own counts. */
const countRoutes = ({ state }: InvoiceContext): Route[] => [
  route(counts.listOperatorCounts, ({ viewer, params }) => listOperatorCounts(state, viewer, params)),
  route(counts.addOperatorCount, ({ viewer, params, body, at }) => addCount(state, viewer, params, body, at)),
  route(counts.importOperatorCount, ({ viewer, params, query, body, at }) =>
    importCount(state, viewer, params, { fileName: query.file_name, body }, at),
  ),
]

const paymentRoutes = ({ state }: InvoiceContext): Route[] => [
  route(payments.listPayments, ({ viewer, params, query }) => listPayments(state, viewer, params, query)),
  route(payments.recordPayment, ({ viewer, params, body, at }) =>
    recordPayment(state, viewer, params, body, at),
  ),
  route(payments.voidPayment, ({ viewer, params, at }) => voidPayment(state, viewer, params, at)),
  route(payments.importPayments, ({ viewer, params, body, at }) =>
    importPayments(state, viewer, params, body, at),
  ),
  route(payments.getStatement, ({ viewer, params, query }) => readStatement(state, viewer, params, query)),
  route(payments.getAging, ({ viewer, params, at }) => readAging(state, viewer, params, at)),
  route(
    payments.downloadLedger,
    async ({ viewer, params, query }) =>
      new RawResponse(Buffer.from(await writeLedger(state, viewer, params, query)), {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="ledger_${params.region_id}_${query.start_date}_${query.end_date}.csv"`,
      }),
  ),
]

/**
 * Routes of invoices, their disputes, payments and settings. Also registers the notification kind that mails
 * invoices.
 */
export function invoiceRoutes({ notifications, dataDir, ...context }: Options): Route[] {
  const { state } = context
  const links = new InvoiceLinks(context.box)
  notifications.add(invoiceNotifications(state, links))
  return [
    route(contract.listInvoices, ({ viewer, params, query, at }) =>
      listInvoices(state, viewer, params, query, at),
    ),
    route(contract.getInvoice, async ({ viewer, params, at }) => {
      await updateWaitingMails(state.as(viewer.scope), params.invoice_id, at)
      return readInvoice(state, viewer, params, at)
    }),
    route(contract.createInvoice, async ({ viewer, params, body, at }) =>
      readInvoice(state, viewer, await createDraft(context, viewer, params, body, at), at),
    ),
    route(contract.refreshInvoice, async ({ viewer, params, at }) => {
      await refreshDraft(context, viewer, params, at)
      return readInvoice(state, viewer, params, at)
    }),
    route(contract.changeInvoice, async ({ viewer, params, body, at }) => {
      await changeDraft(context, viewer, params, body, at)
      return readInvoice(state, viewer, params, at)
    }),
    route(contract.deleteInvoice, ({ viewer, params }) => deleteDraft(context, viewer, params)),
    route(contract.confirmEstimate, async ({ viewer, params, body, at }) => {
      await confirmDraftEstimate(context, viewer, params, body.note, at)
      return readInvoice(state, viewer, params, at)
    }),
    route(contract.approveInvoice, async ({ viewer, params, body, at }) => {
      await approveDraft(context, viewer, params, body.version, at)
      return readInvoice(state, viewer, params, at)
    }),
    route(contract.issueInvoice, async ({ viewer, params, at, signal }) => {
      await issueInvoice(context, viewer, params, at, signal)
      return readInvoice(state, viewer, params, at)
    }),
    route(contract.createCreditNote, async ({ viewer, params, body, at }) =>
      readInvoice(state, viewer, await createCreditNote(state, viewer, params, body, at), at),
    ),
    route(contract.sendInvoiceEmail, ({ viewer, body, headers, at }) =>
      sendInvoice(state, viewer, body, headers.get('idempotency-key'), at),
    ),
    route(contract.markInvoiceSent, ({ viewer, params, body, at }) =>
      markSent(state, viewer, params, body.note, at),
    ),
    route(contract.markMailBounced, ({ viewer, params, body }) =>
      markBounced(state, viewer, params, body.reason),
    ),
    route(contract.getInvoicePdf, ({ viewer, params, at }) => sendPdf(context, viewer, params, at)),
    route(contract.getInvoiceFacts, ({ viewer, params }) => sendFacts(context, viewer, params)),
    route(contract.getInvoiceFactsParquet, ({ viewer, params, signal }) =>
      sendFactsParquet(context, dataDir, viewer, params, signal),
    ),
    route(contract.getInvoiceLines, ({ viewer, params }) => sendLines(context, viewer, params)),
    route(contract.exportInvoice, ({ viewer, params }) => sendExport(context, viewer, params)),
    route(contract.recomputeInvoice, ({ viewer, params }) => recomputeInvoice(context, viewer, params)),
    route(contract.getInvoiceByLink, ({ params, query, at }) =>
      sendByLink(context, links, params.invoice_id, query, at),
    ),
    ...disputeRoutes(context),
    ...countRoutes(context),
    ...paymentRoutes(context),
    ...settingsRoutes(context),
  ]
}
