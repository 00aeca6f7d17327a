import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { OperatorCount } from '#contract/invoice-counts.ts'
import type { Invoice } from '#contract/invoices.ts'
import type { PermissionKey } from '#contract/permission.ts'
import { fakeServer, ErrorResponse, type Responses } from '#web/data/test-server.ts'
import { renderApp } from '#web/shell/test-frame.tsx'
import { signedIn } from '#web/shell/test-responses.ts'
import { testInvoice, testLine } from '../test-invoices.ts'
import { InvoiceScreen } from './invoice-screen.tsx'

const region = '/v2/regions/port-meridian'
const path = `${region}/invoices/${testInvoice().invoice_id}`
const makePage = <T,>(items: T[]) => ({ items, total: items.length, page: 1, size: 50 })

afterEach(() => vi.unstubAllGlobals())

interface OpenOptions {
  keys?: PermissionKey[]
  /** Operators of the user; null for a city user. */
  operators?: string[] | null
  responses?: Responses
}

async function renderScreen(invoice: Invoice, { keys, operators = null, responses = {} }: OpenOptions = {}) {
  const signed = signedIn(keys)
  const server = fakeServer({
    ...signed,
    'GET /v2/users/me': () => ({ ...signed['GET /v2/users/me'](), operators }),
    'GET /v2/operators': () => makePage([{ slug: 'zephyr', name: 'Zephyr', colorHex: '#112233' }]),
    [`GET ${path}`]: () => invoice,
    [`GET ${path}/operator_counts`]: () => ({ items: [] }),
    ...responses,
  })
  const address = '/$regionId/mobility/invoicing/$invoiceId'
  await renderApp(
    [{ path: address, title: 'shell:pages.invoice', permission: 'signed_in', Screen: InvoiceScreen }],
    `/port-meridian/mobility/invoicing/${invoice.invoice_id}`,
  )
  await screen.findByRole('heading', { level: 1 })
  return server
}

describe('an invoice', () => {
  it("an invoice is issued after a confirmation that it is final, and shows the server's error", async () => {
    const draft = testInvoice({ status: 'approved', number: null, facts: null })
    const { requests } = await renderScreen(draft, {
      responses: {
        [`POST ${path}/issue`]: () =>
          new ErrorResponse(409, 'The fees changed since this draft was computed.'),
      },
    })
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Draft invoice')
    await userEvent.click(screen.getByRole('button', { name: 'Issue' }))
    const dialog = await screen.findByRole('dialog', { name: 'Issue for $120.00?' })
    expect(dialog).toHaveTextContent('it can never be changed or deleted')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Issue' }))
    expect(await within(dialog).findByRole('alert')).toHaveTextContent(
      'The fees changed since this draft was computed.',
    )
    expect(dialog).toHaveTextContent('quote-me')
    expect(requests.some(({ method, path: at }) => method === 'POST' && at === `${path}/issue`)).toBe(true)
  })

  it('groups lines by fee with subtotals, unless they are sorted', async () => {
    const lines = [
      testLine({ description: 'Trip fee, Standing Scooter', amount: '120.00' }),
      testLine({ line: 2, description: 'Trip fee: minimum', amount: '30.50' }),
      testLine({
        line: 3,
        policy_uuid: null,
        policy_name: 'Permit',
        description: 'Permit',
        rates: [{ start_duration: 1440, end_duration: null }],
        amount: '9.00',
      }),
    ]
    await renderScreen(testInvoice({ lines }))
    const table = screen.getByRole('table', { name: 'Lines' })
    const texts = () =>
      within(table)
        .getAllByRole('row')
        .slice(1)
        .map(({ firstChild }) => firstChild?.textContent)
    expect(texts()).toEqual(['Trip fee', '1. Standing Scooter', '2. Minimum', '3. Permit, over 24 h'])
    expect(within(table).getByRole('row', { name: /^Trip fee/ })).toHaveTextContent('Subtotal$150.50')
    await userEvent.click(within(table).getByRole('button', { name: 'Amount' }))
    expect(texts()).toEqual(['1. Trip fee, Standing Scooter', '2. Trip fee: minimum', '3. Permit, over 24 h'])
  })

  it('lists the days without data and what to do about them', async () => {
    const days = ['2026-10-03', '2026-10-04']
    await renderScreen(testInvoice({ status: 'draft', lines: [testLine({ days_without_data: days })] }))
    expect(screen.getByText('2 days have no data')).toBeInTheDocument()
    expect(screen.getByText(/^10\/03\/2026 and 10\/04\/2026\. Wait for the data/)).toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Confirm estimate' })).toBeInTheDocument()
  })

  it('lets an operator read and dispute, and nothing else', async () => {
    const { requests } = await renderScreen(testInvoice({ status: 'sent' }), {
      keys: [],
      operators: ['zephyr'],
      responses: { [`POST ${path}/disputes`]: () => ({ dispute_id: 'd1' }) },
    })
    expect(screen.queryByRole('button', { name: 'Record payment' })).not.toBeInTheDocument()
    await userEvent.click(screen.getByRole('button', { name: 'Actions for line 1' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Dispute this line' }))
    const dialog = await screen.findByRole('dialog', { name: 'Dispute line 1' })
    await userEvent.type(within(dialog).getByRole('textbox', { name: /^Reason/ }), 'Counted twice')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Open dispute' }))
    expect(
      requests.find(({ method, path: at }) => method === 'POST' && at === `${path}/disputes`)?.body,
    ).toEqual({ line: 1, reason: 'Counted twice', amount: null })
  })

  it('says in words whether its computation agrees', async () => {
    await renderScreen(testInvoice({ status: 'paid', open: '0.00' }), {
      responses: {
        [`GET ${path}/recompute`]: () => ({
          number: 'port-meridian-2026-7',
          is_equal: true,
          facts_match: true,
          method_version: { issued: 1, now: 1 },
          lines: [{ line: 1, description: 'Trips', issued: '120.00', recomputed: '120.00', is_equal: true }],
          issued: '120.00',
          recomputed: '120.00',
        }),
      },
    })
    await userEvent.click(screen.getByRole('button', { name: 'More' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Check the computation' }))
    expect(
      await screen.findByText(
        'The computation was repeated from 800 stored records. The line agrees to the cent: $120.00.',
      ),
    ).toBeInTheDocument()
  })

  it('an invoice is compared with the figures of its operator, and lists the rejected rows', async () => {
    const count: OperatorCount = {
      count_id: '8f14e45f-ceea-467f-a0e6-00000000c001',
      at: '2026-11-05T09:00:00Z',
      by: 'billing@zephyr.example',
      is_operator: true,
      file_name: null,
      comparison: [
        {
          row: 1,
          fee: '1',
          lines: [1],
          unit: 'trips',
          invoiced: { quantity: '800', amount: '120.00' },
          counted: { quantity: '790', amount: '118.50' },
          difference: { quantity: '-10', amount: '-1.50' },
          is_equal: false,
        },
      ],
      invoiced: '120.00',
      counted: '118.50',
      difference: '-1.50',
      is_equal: false,
    }
    let items: OperatorCount[] = []
    const { requests } = await renderScreen(testInvoice({ status: 'sent' }), {
      keys: [],
      operators: ['zephyr'],
      responses: {
        [`GET ${path}/operator_counts`]: () => ({ items }),
        [`POST ${path}/operator_counts`]: ({ body }) => {
          const { rows } = body as { rows: { amount: string }[] }
          if (rows[0]?.amount === 'many')
            return new ErrorResponse(422, 'A row cannot be compared.', 'validation_error', {
              issues: { 'body.rows.0.amount': 'Row 1: The amount is not a decimal number.' },
            })
          items = [count]
          return count
        },
      },
    })
    await userEvent.click(screen.getByRole('button', { name: 'More' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Compare with the operator’s count' }))
    const dialog = await screen.findByRole('dialog', { name: 'Operator’s count' })
    const line = within(dialog).getByRole('group', { name: '1. Trip fee: Trips that start in the city' })
    const amount = within(line).getByRole('textbox', { name: 'Amount' })
    await userEvent.type(amount, 'many')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Save the count' }))
    expect(await within(dialog).findByText('One problem was found, and nothing was saved')).toBeVisible()
    expect(amount).toHaveAccessibleDescription(/The amount is not a decimal number/)
    await userEvent.clear(amount)
    await userEvent.type(amount, '118.50')
    await userEvent.type(within(line).getByRole('textbox', { name: 'Quantity' }), '790')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Save the count' }))
    const table = await screen.findByRole('table', { name: 'Invoice and operator’s count' })
    expect(within(table).getByRole('row', { name: /800 790 -10 \$120\.00 \$118\.50 -\$1\.50/ })).toBeVisible()
    expect(screen.getByText(/One line differs\. Counted \$118\.50, invoiced \$120\.00/)).toBeVisible()
    expect(requests.findLast(({ method }) => method === 'POST')?.body).toEqual({
      rows: [{ fee: '1', quantity: '790', amount: '118.50' }],
    })
  })

  it('shows a message and a way back if it does not exist', async () => {
    await renderScreen(testInvoice(), {
      responses: { [`GET ${path}`]: () => new ErrorResponse(404, 'There is no such invoice.', 'not_found') },
    })
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('There is no such invoice')
    expect(screen.getByRole('link', { name: 'All invoices' })).toHaveAttribute(
      'href',
      '/port-meridian/mobility/invoicing?tab=invoices',
    )
  })
})
