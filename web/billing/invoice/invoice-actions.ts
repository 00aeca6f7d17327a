import { getAging, listPayments } from '#contract/invoice-payments.ts'
import { getInvoice, type Invoice, type InvoiceLine, listInvoices } from '#contract/invoices.ts'
import type { LocalDay } from '#contract/period.ts'
import type { PermissionKey } from '#contract/permission.ts'

export type InvoiceAction =
  | 'confirmEstimate'
  | 'approve'
  | 'issue'
  | 'refresh'
  | 'edit'
  | 'delete'
  | 'send'
  | 'markSent'
  | 'pay'
  | 'credit'
  | 'recompute'
  | 'count'

/** The usual next step, and all other available actions. */
interface OfferedActions {
  next: InvoiceAction | null
  others: InvoiceAction[]
}

export interface InvoiceUser {
  can: (key: PermissionKey) => boolean
  /** Whether the user belongs to an operator. */
  isOperator: boolean
}

/** The fields of an invoice that determine its actions. */
export type InvoiceForActions = Pick<
  Invoice,
  'status' | 'kind' | 'end_date' | 'open' | 'credited' | 'total' | 'lines' | 'estimate' | 'facts'
>

/** Queries that any action may change. */
export const affectedQueries = [getInvoice, listInvoices, listPayments, getAging] as const

/** Tests whether an invoice has not been issued. */
export const isUnissued = ({ status }: Pick<Invoice, 'status'>): boolean =>
  status === 'draft' || status === 'approved'

/** Lists the days without data in any line of a draft. */
export const daysWithoutData = ({ lines }: Pick<Invoice, 'lines'>): string[] =>
  [...new Set(lines.flatMap((line) => line.days_without_data))].toSorted()

/** Tests whether days without data block issuing until a user confirms an estimate. */
export const needsEstimate = (invoice: Pick<Invoice, 'lines' | 'estimate' | 'kind'>): boolean =>
  invoice.kind === 'invoice' && invoice.estimate === null && daysWithoutData(invoice).length > 0

/**
 * An action with the permission that it requires: null for none, as recomputing only compares and changes
 * nothing; `reply_to_dispute` for any user of the operator, and for city users who may draft or approve.
 */
type AllowedAction = readonly [action: InvoiceAction, permission: PermissionKey | 'reply_to_dispute' | null]

/** Tests whether the service period of an invoice has not ended: it cannot be issued yet. */
export const isPeriodOpen = ({ kind, end_date: end }: InvoiceForActions, today: LocalDay): boolean =>
  kind === 'invoice' && end >= today

/** Returns the actions that the status of an invoice allows, in display order. The server checks them too. */
function getAllowedActions(invoice: InvoiceForActions, today: LocalDay): AllowedAction[] {
  const isInvoice = invoice.kind === 'invoice'
  if (isUnissued(invoice))
    return [
      ...(needsEstimate(invoice) ? [['confirmEstimate', 'approve_invoices'] as const] : []),
      ...(invoice.status === 'draft' && invoice.lines.length > 0
        ? [['approve', 'approve_invoices'] as const]
        : []),
      ...(invoice.status === 'approved' && !needsEstimate(invoice) && !isPeriodOpen(invoice, today)
        ? [['issue', 'issue_invoices'] as const]
        : []),
      ...(isInvoice ? [['refresh', 'draft_invoices'] as const] : []),
      ...(isInvoice && invoice.lines.length > 0 ? [['count', 'reply_to_dispute'] as const] : []),
      ['edit', 'draft_invoices'],
      ['delete', 'draft_invoices'],
    ]
  return [
    ['send', 'issue_invoices'],
    ...(isInvoice ? [['pay', 'record_payments'] as const] : []),
    ['markSent', 'issue_invoices'],
    ...(isInvoice && Number(invoice.credited) < Number(invoice.total)
      ? [['credit', 'draft_invoices'] as const]
      : []),
    ...(invoice.facts ? [['recompute', null] as const] : []),
    ...(isInvoice ? [['count', 'reply_to_dispute'] as const] : []),
  ]
}

/** Returns the usual next steps of a status; the first one that the user may take is offered. */
function getNextSteps({ status, open }: InvoiceForActions): InvoiceAction[] {
  if (status === 'draft') return ['confirmEstimate', 'approve']
  if (status === 'approved') return ['confirmEstimate', 'issue']
  if (status === 'issued') return ['send']
  return Number(open) > 0 ? ['pay'] : []
}

/** Returns the actions that a user may take on an invoice on a day. */
export function getOfferedActions(
  invoice: InvoiceForActions,
  user: InvoiceUser,
  today: LocalDay,
): OfferedActions {
  const offered = getAllowedActions(invoice, today)
    .filter(
      ([, permission]) =>
        permission === null || (permission === 'reply_to_dispute' ? canReply(user) : user.can(permission)),
    )
    .map(([action]) => action)
  const next = getNextSteps(invoice).find((action) => offered.includes(action)) ?? null
  return { next, others: offered.filter((action) => action !== next) }
}

/** Tests whether a user may open disputes and write in them. */
export const canDispute = ({ can, isOperator }: InvoiceUser): boolean => isOperator || can('draft_invoices')
/** Tests whether a user may write in disputes and enter the operator's figures. */
export const canReply = (user: InvoiceUser): boolean => canDispute(user) || user.can('approve_invoices')

/** Tests whether a line can be disputed: it has an amount and no open dispute. */
export const isDisputable = (
  invoice: Pick<Invoice, 'status' | 'kind' | 'disputes'>,
  line: Pick<InvoiceLine, 'line' | 'amount'>,
): boolean =>
  !isUnissued(invoice) &&
  invoice.kind === 'invoice' &&
  Number(line.amount) > 0 &&
  !invoice.disputes.some((dispute) => dispute.line === line.line && dispute.state === 'open')
