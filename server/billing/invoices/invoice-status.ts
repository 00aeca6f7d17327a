import type { InvoiceKind, InvoiceStatus } from '#contract/invoices.ts'
import type { LocalDay } from '#contract/period.ts'

/** The inputs of an invoice's status. Amounts are in minor units. */
export interface StatusInput {
  kind: InvoiceKind
  status: 'draft' | 'approved' | 'issued'
  total: bigint
  credited: bigint
  paid: bigint
  /** Sum of open disputes. */
  disputed: bigint
  dueDate: LocalDay | null
  isSent: boolean
  /** Whether later adjustments took back what credit notes left. */
  isWithdrawn: boolean
}

/** Returns the amount left to pay; negative if overpaid. */
export const getOpenAmount = ({ kind, status, total, credited, paid }: StatusInput): bigint =>
  status === 'issued' && kind === 'invoice' ? total - credited - paid : 0n

/** Returns the part of the open amount that is in dispute. */
export function getDisputedAmount(input: StatusInput): bigint {
  const open = getOpenAmount(input)
  if (open <= 0n) return 0n
  return input.disputed < open ? input.disputed : open
}

/** Whether the undisputed part is past its due date. */
export const isOverdue = (input: StatusInput, today: LocalDay): boolean =>
  input.dueDate !== null && input.dueDate < today && getOpenAmount(input) > getDisputedAmount(input)

/** Returns the status of an issued document from its amounts; drafts retain their stored status. */
export function deriveStatus(input: StatusInput, today: LocalDay): InvoiceStatus {
  const { kind, status, total, credited, paid, isSent, isWithdrawn } = input
  if (status !== 'issued') return status
  if (kind === 'invoice') {
    if (credited > 0n && credited >= total) return 'credited'
    // What adjustments took back remains open on this invoice, because they subtract it on another one.
    if (getOpenAmount(input) <= 0n) return isWithdrawn ? 'credited' : 'paid'
    if (isOverdue(input, today)) return 'overdue'
    if (getDisputedAmount(input) > 0n) return 'disputed'
    if (paid > 0n) return 'partly_paid'
  }
  return isSent ? 'sent' : 'issued'
}
