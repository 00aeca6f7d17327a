import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { type Charge, ChargeFields } from '#contract/charges.ts'
import { fakeServer, ErrorResponse, type Responses } from '#web/data/test-server.ts'
import { renderApp } from '#web/shell/test-frame.tsx'
import { signedIn } from '#web/shell/test-responses.ts'
import { InvoicingScreen } from '../invoicing-screen.tsx'

const region = '/v2/regions/port-meridian'
const permit: Charge = {
  ...ChargeFields.parse({
    name: 'Permit',
    kind: 'fixed',
    operator: 'zephyr',
    frequency: 'yearly',
    amount: 2500,
    start_date: '2026-01-01',
  }),
  charge_id: '00000000-0000-4000-8000-000000000001',
  currency: 'USD',
  invoiced_until: '2026-03-31',
}
const missing = {
  operator: 'zephyr',
  quantity: 'revenue',
  month: '2026-03-01',
  value: null,
  is_estimate: false,
  reported_by: null,
  reported_time: null,
}

afterEach(() => vi.unstubAllGlobals())

async function renderTab(responses: Responses) {
  const server = fakeServer({
    ...signedIn(),
    'GET /v2/operators': () => ({
      items: [{ slug: 'zephyr', name: 'Zephyr', colorHex: '#112233' }],
      total: 1,
      page: 1,
      size: 50,
    }),
    [`GET ${region}/charges`]: () => ({ items: [permit] }),
    [`GET ${region}/reported_quantities`]: () => ({ items: [missing] }),
    ...responses,
  })
  await renderApp(
    [
      {
        path: '/$regionId/mobility/invoicing',
        title: 'shell:pages.invoicing',
        permission: 'signed_in',
        Screen: InvoicingScreen,
      },
    ],
    '/port-meridian/mobility/invoicing?tab=charges',
  )
  await screen.findByRole('heading', { level: 1 })
  return server
}

it("validates a new charge at its fields, and shows the server's errors", async () => {
  const { requests } = await renderTab({
    [`POST ${region}/charges`]: () =>
      new ErrorResponse(409, 'Days until 2026-03-31 are on invoice 7.', 'conflict', {
        issues: { 'body.start_date': 'Days until 2026-03-31 are on invoice 7.' },
      }),
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Add charge' }))
  const dialog = await screen.findByRole('dialog', { name: 'Add charge' })
  await userEvent.type(within(dialog).getByRole('textbox', { name: 'Name' }), 'Application fee')
  await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }))
  expect(within(dialog).getByRole('textbox', { name: 'Amount' })).toHaveAccessibleDescription(
    'Enter an amount',
  )
  expect(requests.some(({ method }) => method === 'POST')).toBe(false)
  await userEvent.type(within(dialog).getByRole('textbox', { name: 'Amount' }), '5100.32')
  await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }))
  expect(await within(dialog).findByLabelText(/^First day/)).toHaveAccessibleDescription(
    /Days until 2026-03-31 are on invoice 7/,
  )
})

it('ends a charge that is on an invoice, and enters a missing quantity', async () => {
  const { requests } = await renderTab({
    [`PATCH ${region}/charges/${permit.charge_id}`]: () => permit,
    [`POST ${region}/reported_quantities`]: () => ({ items: [{ ...missing, value: '1200' }] }),
  })
  const row = await screen.findByRole('row', { name: /Permit/ })
  expect(within(row).getByText('$2,500.00 per year')).toBeInTheDocument()
  await userEvent.click(within(row).getByRole('button', { name: 'Actions for Permit' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Change the end' }))
  const dialog = await screen.findByRole('dialog', { name: 'Change the end of a charge' })
  expect(within(dialog).getByRole('textbox', { name: 'Name' })).toBeDisabled()
  await userEvent.type(within(dialog).getByLabelText(/^Last day/), '2026-12-31')
  await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }))
  await vi.waitFor(() =>
    expect(requests.find(({ method }) => method === 'PATCH')?.body).toMatchObject({
      amount: 2500,
      end_date: '2026-12-31',
    }),
  )

  await userEvent.click(screen.getByRole('button', { name: 'Enter revenue, Zephyr, March 2026' }))
  const enter = await screen.findByRole('dialog', { name: 'revenue, Zephyr, March 2026' })
  await userEvent.type(within(enter).getByRole('textbox', { name: 'Reported' }), '1200')
  await userEvent.click(within(enter).getByRole('button', { name: 'Save' }))
  await vi.waitFor(() =>
    expect(requests.findLast(({ method }) => method === 'POST')?.body).toEqual({
      items: [
        { operator: 'zephyr', quantity: 'revenue', month: '2026-03-01', value: '1200', is_estimate: false },
      ],
    }),
  )
})
