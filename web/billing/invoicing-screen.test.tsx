import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { BillingSettings, PayerSettings } from '#contract/billing-settings.ts'
import type { PermissionKey } from '#contract/permission.ts'
import { fakeServer, ErrorResponse, type Responses } from '#web/data/test-server.ts'
import { renderApp, makeScreenEntry } from '#web/shell/test-frame.tsx'
import { signedIn } from '#web/shell/test-responses.ts'
import { InvoicingScreen } from './invoicing-screen.tsx'
import { monthBefore } from './months.ts'
import { testInvoice } from './test-invoices.ts'

const region = '/v2/regions/port-meridian'
const makePage = <T,>(items: T[]) => ({ items, total: items.length, page: 1, size: 50 })

afterEach(() => vi.unstubAllGlobals())

async function renderScreen(search: string, responses: Responses, keys?: PermissionKey[]) {
  const server = fakeServer({
    ...signedIn(keys),
    'GET /v2/operators': () => makePage([{ slug: 'zephyr', name: 'Zephyr', colorHex: '#112233' }]),
    ...responses,
  })
  const router = await renderApp(
    [makeScreenEntry('/$regionId/mobility/invoicing', 'shell:pages.invoicing', InvoicingScreen)],
    `/port-meridian/mobility/invoicing${search}`,
  )
  await screen.findByRole('heading', { level: 1 })
  return { ...server, router }
}

describe('the page of fees and invoices', () => {
  it('lists invoices by the filters of the URL, and passes the operator on to another tab', async () => {
    const { requests, router } = await renderScreen('?tab=invoices&operator=zephyr&status=sent', {
      [`GET ${region}/invoices`]: () => makePage([testInvoice()]),
      [`GET ${region}/invoice_payments`]: () => makePage([]),
    })
    const row = await screen.findByRole('row', { name: /port-meridian-2026-7/ })
    expect(within(row).getByText('Sent')).toBeInTheDocument()
    const query = requests.find(({ path }) => path === `${region}/invoices`)?.query
    expect([query?.get('operator'), query?.get('status')]).toEqual(['zephyr', 'sent'])
    await userEvent.click(screen.getByRole('tab', { name: 'Payments' }))
    expect(await screen.findByText('There are no payments')).toBeInTheDocument()
    expect(router.state.location.search).toEqual({ tab: 'payments', operator: 'zephyr' })
  })

  it("shows the server's errors of a new draft at their fields", async () => {
    await renderScreen('?tab=invoices', {
      [`GET ${region}/invoices`]: () => makePage([]),
      [`POST ${region}/invoices`]: () =>
        new ErrorResponse(409, 'There is a draft with days of this period.', 'conflict', {
          issues: { 'body.start_date': 'There is a draft with days of this period.' },
        }),
    })
    await userEvent.click(await screen.findByRole('button', { name: 'New draft' }))
    const dialog = await screen.findByRole('dialog', { name: 'New draft invoice' })
    await userEvent.click(within(dialog).getByRole('combobox', { name: /^Operator/ }))
    await userEvent.click(await screen.findByRole('option', { name: 'Zephyr' }))
    await userEvent.click(within(dialog).getByRole('button', { name: 'Create draft' }))
    expect(await within(dialog).findByRole('combobox', { name: 'Month' })).toHaveAccessibleDescription(
      /There is a draft with days of this period/,
    )
  })

  it('adds up accrued, invoiced, paid and open amounts, and charts the measure of the URL', async () => {
    const month = { month: '2026-01-01', constant_policy_uuid: null, policy_type: null, currency: 'USD' }
    const { router } = await renderScreen('?measure=invoiced', {
      [`GET ${region}/fees/summary`]: () => ({
        months: [
          {
            ...month,
            operator: 'zephyr',
            policy_name: 'Trip fee',
            accrued: '10.10',
            invoiced: '20.20',
            paid: '5.05',
            open: '15.15',
          },
          {
            ...month,
            operator: 'zephyr',
            policy_name: 'Permit',
            accrued: '0.20',
            invoiced: '0.10',
            paid: '0.00',
            open: '0.10',
          },
          // An older invoice in another currency: it is listed but not added up.
          {
            ...month,
            operator: 'zephyr',
            policy_name: 'Permit',
            currency: 'EUR',
            accrued: '0.00',
            invoiced: '7.00',
            paid: '7.00',
            open: '0.00',
          },
        ],
        currency: 'USD',
        as_of: '2026-02-01T09:00:00Z',
        pending_days: 0,
        unfinished_month: null,
      }),
      [`GET ${region}/fees/forecast`]: () => ({
        month: '2026-02-01',
        today: '2026-02-14',
        operators: [],
        currency: 'USD',
        as_of: null,
        pending_days: 0,
      }),
    })
    expect(await screen.findByRole('heading', { name: 'Fees invoiced by month and operator' })).toBeVisible()
    const table = screen.getByRole('table', { name: 'Fees by month, operator and policy' })
    expect(
      within(table).getByRole('row', { name: /Trip fee \$10\.10 \$20\.20 \$5\.05 \$15\.15/ }),
    ).toBeVisible()
    expect(within(table).getByRole('row', { name: /Permit €0\.00 €7\.00 €7\.00 €0\.00/ })).toBeVisible()
    expect(within(table).getByRole('row', { name: /Total \$10\.30 \$20\.30 \$5\.05 \$15\.25/ })).toBeVisible()
    await userEvent.click(screen.getByRole('radio', { name: 'Open' }))
    expect(await screen.findByRole('heading', { name: 'Open amounts by month and operator' })).toBeVisible()
    expect(router.state.location.search).toMatchObject({ measure: 'open' })
  })

  it('reports the rejected rows of a payment file', async () => {
    await renderScreen('?tab=payments', {
      [`GET ${region}/invoice_payments`]: () => makePage([]),
      [`POST ${region}/invoice_payments/import`]: () => ({
        rows: 3,
        added: [{ row: 2, payment: {} }],
        duplicates: [3],
        refused: [{ row: 4, field: 'amount', reason: 'The amount is not a decimal number.' }],
      }),
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Import CSV' }))
    const dialog = await screen.findByRole('dialog', { name: 'Import payments' })
    const file = new File(['date,amount,reference\n'], 'payments.csv', { type: 'text/csv' })
    await userEvent.upload(dialog.querySelector('input[type=file]') as HTMLInputElement, file)
    expect(
      await within(dialog).findByText(/One payment was recorded\. One row was already recorded/),
    ).toBeVisible()
    const table = within(dialog).getByRole('table', { name: 'Rows that were refused' })
    expect(within(table).getByRole('row', { name: /4 amount The amount is not/ })).toBeInTheDocument()
  })

  it('hides the settings from users who cannot change them', async () => {
    await renderScreen('?tab=settings', {}, ['record_payments'])
    expect(screen.queryByRole('tab', { name: 'Settings' })).not.toBeInTheDocument()
    expect(screen.getByRole('tab', { name: 'Fees' })).toHaveAttribute('aria-selected', 'true')
  })
})

it('counts months back across the year', () => {
  expect(monthBefore('2026-02-14', 0)).toEqual({ start_date: '2026-02-01', end_date: '2026-02-28' })
  expect(monthBefore('2026-02-14', 2)).toEqual({ start_date: '2025-12-01', end_date: '2025-12-31' })
})

it('asks before switching tabs discards changes of the settings', async () => {
  const settings = { ...BillingSettings.parse({}), has_logo: false }
  const { router } = await renderScreen('?tab=settings', {
    [`GET ${region}/billing_settings`]: () => settings,
    [`GET ${region}/billing_settings/payers/zephyr`]: () => PayerSettings.parse({}),
  })
  const form = await screen.findByRole('form', { name: 'Invoice settings' })
  await userEvent.type(within(form).getByRole('textbox', { name: 'Name' }), 'City of Port Meridian')
  await userEvent.click(screen.getByRole('tab', { name: 'Fees' }))
  const dialog = await screen.findByRole('dialog', { name: 'Leave without saving?' })
  await userEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }))
  expect(router.state.location.search).toEqual({ tab: 'settings' })
  expect(within(form).getByRole('textbox', { name: 'Name' })).toHaveValue('City of Port Meridian')
})
