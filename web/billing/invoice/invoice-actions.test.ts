import { describe, expect, it } from 'vitest'
import type { PermissionKey } from '#contract/permission.ts'
import { testInvoice, testLine } from '../test-invoices.ts'
import {
  type InvoiceForActions,
  canReply,
  canDispute,
  isDisputable,
  type InvoiceUser,
  getOfferedActions,
} from './invoice-actions.ts'

const userWith = (...keys: PermissionKey[]) => ({
  can: (key: PermissionKey) => keys.includes(key),
  isOperator: false,
})
const everything = userWith('draft_invoices', 'approve_invoices', 'issue_invoices', 'record_payments')
/** After the service period of the test invoice. */
const offered = (invoice: InvoiceForActions, user: InvoiceUser, today = '2026-11-02') =>
  getOfferedActions(invoice, user, today)
const operator = { can: () => false, isOperator: true }

describe('the offered actions', () => {
  it.each([
    ['draft', 'approve', ['refresh', 'count', 'edit', 'delete']],
    ['approved', 'issue', ['refresh', 'count', 'edit', 'delete']],
    ['issued', 'send', ['pay', 'markSent', 'credit', 'recompute', 'count']],
    ['sent', 'pay', ['send', 'markSent', 'credit', 'recompute', 'count']],
    ['overdue', 'pay', ['send', 'markSent', 'credit', 'recompute', 'count']],
  ] as const)('of a status: %s', (status, next, others) => {
    expect(offered(testInvoice({ status }), everything)).toEqual({ next, others })
  })

  it('do not issue an approved draft before the day after its service period', () => {
    const approved = testInvoice({ status: 'approved', end_date: '2026-10-31' })
    expect(offered(approved, everything, '2026-10-31')).toEqual({
      next: null,
      others: ['refresh', 'count', 'edit', 'delete'],
    })
    expect(offered(approved, everything, '2026-11-01').next).toBe('issue')
    expect(offered({ ...approved, kind: 'credit_note' }, everything, '2026-10-31').next).toBe('issue')
  })

  it('have no next step for a paid invoice, which can still be credited', () => {
    expect(offered(testInvoice({ status: 'paid', open: '0' }), everything)).toEqual({
      next: null,
      others: ['send', 'pay', 'markSent', 'credit', 'recompute', 'count'],
    })
  })

  it('confirm days without data first, even for an approved draft', () => {
    const lines = [testLine({ days_without_data: ['2026-10-03'] })]
    for (const status of ['draft', 'approved'] as const)
      expect(offered(testInvoice({ status, lines }), everything).next).toBe('confirmEstimate')
    expect(offered(testInvoice({ status: 'approved', lines }), everything).others).not.toContain('issue')
    const estimate = { by: 'ada@city.example', at: '2026-11-02T10:00:00Z', note: 'As in September' }
    expect(offered(testInvoice({ status: 'draft', lines, estimate }), everything).next).toBe('approve')
  })

  it('neither approve a draft without lines nor refresh a credit note', () => {
    expect(offered(testInvoice({ status: 'draft', lines: [] }), everything)).toEqual({
      next: null,
      others: ['refresh', 'edit', 'delete'],
    })
    expect(offered(testInvoice({ status: 'draft', kind: 'credit_note' }), everything)).toEqual({
      next: 'approve',
      others: ['edit', 'delete'],
    })
  })

  it('do not credit a credit note, or an invoice that was credited in full', () => {
    const credited = testInvoice({ status: 'credited', credited: '120.00', open: '0' })
    expect(offered(credited, everything).others).not.toContain('credit')
    const note = testInvoice({ status: 'sent', kind: 'credit_note', facts: null, open: '0' })
    expect(offered(note, everything)).toEqual({ next: null, others: ['send', 'markSent'] })
  })

  it('require their permission, except that any user can check a computation', () => {
    const draft = testInvoice({ status: 'draft' })
    expect(offered(draft, userWith('draft_invoices'))).toEqual({
      next: null,
      others: ['refresh', 'count', 'edit', 'delete'],
    })
    expect(offered(draft, userWith('approve_invoices'))).toEqual({ next: 'approve', others: ['count'] })
    expect(offered(testInvoice({ status: 'sent' }), operator)).toEqual({
      next: null,
      others: ['recompute', 'count'],
    })
  })
})

describe('disputes', () => {
  it('can be opened by the operator, and by the city on its behalf', () => {
    expect(canDispute(operator)).toBe(true)
    expect(canDispute(userWith('draft_invoices'))).toBe(true)
    expect(canDispute(userWith('approve_invoices'))).toBe(false)
    expect(canReply(userWith('approve_invoices'))).toBe(true)
    expect(canReply(userWith('record_payments'))).toBe(false)
  })

  it('are possible for lines of issued invoices with an amount, one dispute at a time', () => {
    const invoice = testInvoice({ status: 'sent' })
    expect(isDisputable(invoice, testLine())).toBe(true)
    expect(isDisputable(invoice, testLine({ amount: '-4.00' }))).toBe(false)
    expect(isDisputable(testInvoice({ status: 'approved' }), testLine())).toBe(false)
    expect(isDisputable(testInvoice({ status: 'sent', kind: 'credit_note' }), testLine())).toBe(false)
  })
})
