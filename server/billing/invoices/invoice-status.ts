import type { InvoiceKind, InvoiceStatus } from '#contract/invoices.ts'
import type { LocalDay } from '#contract/period.ts'

/** What the status of an invoice follows from. Amounts are in minor units. */
export interface StatusFacts {
  kind: InvoiceKind
  /** As stored. */
  status: 'draft' | 'approved' | 'issued'
  total: bigint
  credited: bigint
  paid: bigint
  /** In dispute. */
  disputed: bigint
  dueDate: LocalDay | null
  isSent: boolean
  /** Later adjustments took back what credit notes left. */
  isWithdrawn: boolean
}

/** What is left to be paid; below 0: overpaid. */
export const openAmount = ({ kind, status, total, credited, paid }: StatusFacts): bigint =>
  status === 'issued' && kind === 'invoice' ? total - credited - paid : 0n

/** Part of the open amount that is in dispute. */
export function disputedAmount(facts: StatusFacts): bigint {
  const open = openAmount(facts)
  if (open <= 0n) return 0n
  return facts.disputed < open ? facts.disputed : open
}

/** A dispute does not move the due date of the undisputed part. */
export const isOverdue = (facts: StatusFacts, today: LocalDay): boolean =>
  facts.dueDate !== null && facts.dueDate < today && openAmount(facts) > disputedAmount(facts)

export function deriveStatus(facts: StatusFacts, today: LocalDay): InvoiceStatus {
  const { kind, status, total, credited, paid, isSent, isWithdrawn } = facts
  if (status !== 'issued') return status
  if (kind === 'invoice') {
    if (credited > 0n && credited >= total) return 'credited'
    // Until it is paid, what the adjustments took back is open: it is subtracted from the invoice that adjusted it.
    if (openAmount(facts) <= 0n) return isWithdrawn ? 'credited' : 'paid'
    if (isOverdue(facts, today)) return 'overdue'
    if (disputedAmount(facts) > 0n) return 'disputed'
    if (paid > 0n) return 'partly_paid'
  }
  return isSent ? 'sent' : 'issued'
}
