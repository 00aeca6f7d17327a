import type { InvoiceKind, InvoiceStatus } from '#contract/invoices.ts'
import type { LocalDay } from '#contract/period.ts'

/** The inputs of an invoice's status. Amounts are in minor units. */
export interface StatusFacts {
  kind: InvoiceKind
  /** The stored status. */
  status: 'draft' | 'approved' | 'issued'
  total: bigint
  credited: bigint
  paid: bigint
  /** Sum of open disputes. */
  disputed: bigint
  dueDate: LocalDay | null
  isSent: boolean
  /** Later adjustments took back what credit notes left. */
  isWithdrawn: boolean
}

/** The amount left to pay; negative if overpaid. */
export const openAmount = ({ kind, status, total, credited, paid }: StatusFacts): bigint =>
  status === 'issued' && kind === 'invoice' ? total - credited - paid : 0n

/** The part of the open amount that is in dispute. */
export function disputedAmount(facts: StatusFacts): bigint {
  const open = openAmount(facts)
  if (open <= 0n) return 0n
  return facts.disputed < open ? facts.disputed : open
}

/** Whether the undisputed part is past its due date. */
export const isOverdue = (facts: StatusFacts, today: LocalDay): boolean =>
  facts.dueDate !== null && facts.dueDate < today && openAmount(facts) > disputedAmount(facts)

export function deriveStatus(facts: StatusFacts, today: LocalDay): InvoiceStatus {
  const { kind, status, total, credited, paid, isSent, isWithdrawn } = facts
  if (status !== 'issued') return status
  if (kind === 'invoice') {
    if (credited > 0n && credited >= total) return 'credited'
    // Until then, the amount that adjustments took back remains open here, because they subtract it on
    // another invoice.
    if (openAmount(facts) <= 0n) return isWithdrawn ? 'credited' : 'paid'
    if (isOverdue(facts, today)) return 'overdue'
    if (disputedAmount(facts) > 0n) return 'disputed'
    if (paid > 0n) return 'partly_paid'
  }
  return isSent ? 'sent' : 'issued'
}
