import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { BillingSettings, PayerSettings } from '#contract/billing-settings.ts'
import type { PermissionKey } from '#contract/permission.ts'
import { fakeServer, Refusal } from '#web/data/fake-server.ts'
import { renderApp } from '#web/shell/test-frame.tsx'
import { signedIn } from '#web/shell/test-replies.ts'
import { InvoicingScreen } from './invoicing-screen.tsx'
import { monthBefore } from './months.ts'
import { testInvoice } from './test-invoices.ts'

const region = '/v2/regions/port-meridian'
const page = <T,>(items: T[]) => ({ items, total: items.length, page: 1, size: 50 })

afterEach(() => vi.unstubAllGlobals())

async function open(search: string, replies: Parameters<typeof fakeServer>[0], keys?: PermissionKey[]) {
  const server = fakeServer({
    ...signedIn(keys),
    'GET /v2/operators': () => page([{ slug: 'zephyr', name: 'Zephyr', colorHex: '#112233' }]),
    ...replies,
  })
  const router = await renderApp(
    [
      {
        path: '/$regionId/mobility/invoicing',
        title: 'shell:pages.invoicing',
        permission: 'signed_in',
        Screen: InvoicingScreen,
      },
    ],
    `/port-meridian/mobility/invoicing${search}`,
  )
  await screen.findByRole('heading', { level: 1 })
  return { ...server, router }
}

describe('the page of fees and invoices', () => {
  it('lists invoices by the filters of the URL, and carries the operator to another tab', async () => {
    const { asked, router } = await open('?tab=invoices&operator=zephyr&status=sent', {
      [`GET ${region}/invoices`]: () => page([testInvoice()]),
      [`GET ${region}/invoice_payments`]: () => page([]),
    })
    const row = await screen.findByRole('row', { name: /port-meridian-2026-7/ })
    expect(within(row).getByText('Sent')).toBeInTheDocument()
    const query = asked.find(({ path }) => path === `${region}/invoices`)?.query
    expect([query?.get('operator'), query?.get('status')]).toEqual(['zephyr', 'sent'])
    await userEvent.click(screen.getByRole('tab', { name: 'Payments' }))
    expect(await screen.findByText('There are no payments')).toBeInTheDocument()
    expect(router.state.location.search).toEqual({ tab: 'payments', operator: 'zephyr' })
  })

  it('shows what the server refuses of a new draft at its field', async () => {
    await open('?tab=invoices', {
      [`GET ${region}/invoices`]: () => page([]),
      [`POST ${region}/invoices`]: () =>
        new Refusal(409, 'There is a draft with days of this period.', 'conflict', {
          'body.start_date': 'There is a draft with days of this period.',
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

  it('reports the rows of a file of payments that were refused', async () => {
    await open('?tab=payments', {
      [`GET ${region}/invoice_payments`]: () => page([]),
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
      await within(dialog).findByText(/One payment was recorded\. One row was recorded before/),
    ).toBeVisible()
    const table = within(dialog).getByRole('table', { name: 'Rows that were refused' })
    expect(within(table).getByRole('row', { name: /4 amount The amount is not/ })).toBeInTheDocument()
  })

  it('has no settings for those who cannot change them', async () => {
    await open('?tab=settings', {}, ['record_payments'])
    expect(screen.queryByRole('tab', { name: 'Settings' })).not.toBeInTheDocument()
    expect(screen.getByRole('tab', { name: 'Fees' })).toHaveAttribute('aria-selected', 'true')
  })
})

it('months are counted back over the year', () => {
  expect(monthBefore('2026-02-14', 0)).toEqual({ start_date: '2026-02-01', end_date: '2026-02-28' })
  expect(monthBefore('2026-02-14', 2)).toEqual({ start_date: '2025-12-01', end_date: '2025-12-31' })
})

it('asks before another tab discards changes of the settings', async () => {
  const settings = { ...BillingSettings.parse({}), has_logo: false }
  const { router } = await open('?tab=settings', {
    [`GET ${region}/billing_settings`]: () => settings,
    [`GET ${region}/billing_settings/payers/zephyr`]: () => PayerSettings.parse({}),
  })
  const form = await screen.findByRole('form', { name: 'Settings of invoices' })
  await userEvent.type(within(form).getByRole('textbox', { name: 'Name' }), 'City of Port Meridian')
  await userEvent.click(screen.getByRole('tab', { name: 'Fees' }))
  const dialog = await screen.findByRole('dialog', { name: 'Leave without saving?' })
  await userEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }))
  expect(router.state.location.search).toEqual({ tab: 'settings' })
  expect(within(form).getByRole('textbox', { name: 'Name' })).toHaveValue('City of Port Meridian')
})
