import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Charge, ChargeFields } from '#contract/charges.ts'
import { fakeServer, ErrorResponse, type Responses } from '#web/data/test-server.ts'
import { renderApp, makeScreenEntry } from '#web/shell/test-frame.tsx'
import { signedIn } from '#web/shell/test-responses.ts'
import { ChargeDialog } from './charge-dialog.tsx'

const region = '/v2/regions/port-meridian'
const chargeId = '00000000-0000-4000-8000-000000000001'
const makeCharge = (fields: Partial<ChargeFields>, invoiced: string | null = null): Charge => ({
  ...ChargeFields.parse({ name: 'Permit', kind: 'fixed', amount: 2500, start_date: '2026-01-01', ...fields }),
  charge_id: chargeId,
  currency: 'USD',
  invoiced_until: invoiced,
})

afterEach(() => vi.unstubAllGlobals())

async function renderDialog(edited: Charge | null, responses: Responses = {}) {
  const onClose = vi.fn<() => void>()
  const server = fakeServer({
    ...signedIn(),
    'GET /v2/operators': () => ({
      items: [{ slug: 'zephyr', name: 'Zephyr', colorHex: '#112233' }],
      total: 1,
      page: 1,
      size: 300,
    }),
    [`GET ${region}/curb/revenue/accounts`]: () => ({ items: [] }),
    [`POST ${region}/charges`]: () => makeCharge({}),
    [`PATCH ${region}/charges/${chargeId}`]: () => makeCharge({}),
    ...responses,
  })
  await renderApp(
    [
      makeScreenEntry('/$regionId/charge', 'shell:pages.invoicing', () => (
        <ChargeDialog charge={edited} today="2026-06-20" onClose={onClose} />
      )),
    ],
    '/port-meridian/charge',
  )
  const dialog = within(await screen.findByRole('dialog'))
  const getField = (label: string | RegExp) => dialog.getByLabelText(label, { selector: 'input' })
  return {
    dialog,
    field: getField,
    onClose,
    labels: () => [...document.querySelectorAll('[role=dialog] label')].map((label) => label.textContent),
    choose: async (label: string, option: string) => {
      await userEvent.click(getField(label))
      await userEvent.click(await screen.findByRole('option', { name: option, hidden: true }))
    },
    save: () => userEvent.click(dialog.getByRole('button', { name: 'Save' })),
    sent: () =>
      server.requests
        .filter(({ method }) => method !== 'GET')
        .map(({ method, path, body }) => [`${method} ${path}`, body]),
  }
}

describe('a new charge', () => {
  it('a new charge is by default a yearly amount for all operators from next month', async () => {
    const { field, save, sent, onClose, dialog } = await renderDialog(null)
    expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled()
    await userEvent.type(field(/^Name/), ' Application fee ')
    await userEvent.type(field('Amount'), '5100.32')
    expect(field('Amount')).toHaveValue('5,100.32 USD')
    await save()
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
    expect(sent()).toEqual([
      [
        `POST ${region}/charges`,
        {
          name: 'Application fee',
          operator: null,
          kind: 'fixed',
          start_date: '2026-07-01',
          end_date: null,
          frequency: 'yearly',
          amount: 5100.32,
          percent: null,
          above: 0,
          permitted_quantity: null,
          quantity: null,
          tax_code: null,
          account_code: null,
        },
      ],
    ])
  })

  it('as a share of revenue requires percentage and reported quantity, and sends no amount', async () => {
    const { field, choose, save, sent, labels } = await renderDialog(null)
    await userEvent.type(field(/^Name/), 'Share')
    await userEvent.type(field('Amount'), '5')
    await choose('Kind', 'Share of revenue')
    expect(labels()).toEqual(
      expect.arrayContaining(['Percentage', 'Only above (per month)', 'Reported quantity']),
    )
    expect(labels()).not.toContain('Amount')
    expect(labels()).not.toContain('Charged')
    await save()
    expect(field('Percentage')).toHaveAccessibleDescription('Enter a percentage or an amount, not both')
    expect(field('Reported quantity')).toHaveAccessibleDescription(
      /Enter the name of the quantity that operators report/,
    )
    expect(sent()).toEqual([])
    fireEvent.change(field('Percentage'), { target: { value: '2.5' } })
    fireEvent.change(field('Only above (per month)'), { target: { value: '10000' } })
    await userEvent.type(field('Reported quantity'), 'revenue')
    await choose('Operator', 'Zephyr')
    await save()
    await waitFor(() => expect(sent()).toHaveLength(1))
    expect(sent()[0]?.[1]).toMatchObject({
      kind: 'revenue',
      operator: 'zephyr',
      amount: null,
      percent: 2.5,
      above: 10_000,
      quantity: 'revenue',
      frequency: 'monthly',
    })
  })

  it('a new charge per device has permitted devices, or the name under which they are reported', async () => {
    const { field, choose, save, sent, labels } = await renderDialog(null)
    await userEvent.type(field(/^Name/), 'Devices')
    await choose('Kind', 'Per device')
    await choose('Charged', 'per month')
    await userEvent.type(field('Amount'), '3')
    await userEvent.type(field('Reported quantity'), 'devices')
    await userEvent.type(field('Permitted devices'), '250')
    expect(labels()).not.toContain('Reported quantity')
    await save()
    await waitFor(() => expect(sent()).toHaveLength(1))
    expect(sent()[0]?.[1]).toMatchObject({
      kind: 'device',
      frequency: 'monthly',
      amount: 3,
      permitted_quantity: 250,
      quantity: null,
    })
  })

  it('as a discount is either a percentage or an amount, whichever is entered', async () => {
    const { field, choose, save, sent, labels } = await renderDialog(null)
    await userEvent.type(field(/^Name/), 'Start-up discount')
    await choose('Kind', 'Discount')
    await userEvent.type(field('Amount'), '100')
    expect(labels()).toContain('Charged')
    fireEvent.change(field('Percentage'), { target: { value: '10' } })
    expect(labels()).not.toContain('Amount')
    expect(labels()).not.toContain('Charged')
    await save()
    await waitFor(() => expect(sent()).toHaveLength(1))
    expect(sent()[0]?.[1]).toMatchObject({
      kind: 'discount',
      amount: null,
      percent: 10,
      frequency: 'monthly',
    })
  })

  it('a new charge cannot end before it starts', async () => {
    const { field, save, sent } = await renderDialog(null)
    await userEvent.type(field(/^Name/), 'Permit')
    await userEvent.type(field('Amount'), '1')
    fireEvent.change(field(/^Last day/), { target: { value: '2026-06-30' } })
    await save()
    expect(field(/^Last day/)).toHaveAccessibleDescription(/The charge ends before it starts/)
    expect(sent()).toEqual([])
  })
})

describe('an existing charge', () => {
  it('an existing charge can be changed in all fields while it is on no issued invoice', async () => {
    const { field, save, sent, onClose } = await renderDialog(
      makeCharge({ operator: 'zephyr', frequency: 'yearly' }),
    )
    expect(screen.getByRole('dialog', { name: 'Edit charge' })).toBeInTheDocument()
    fireEvent.change(field('Amount'), { target: { value: '2750' } })
    await userEvent.type(field('Revenue account'), '4100')
    await save()
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
    expect(sent()).toEqual([
      [
        `PATCH ${region}/charges/${chargeId}`,
        expect.objectContaining({ amount: 2750, operator: 'zephyr', account_code: '4100' }) as unknown,
      ],
    ])
  })

  it('an existing charge can only be ended once it is on an issued invoice', async () => {
    const { field, dialog } = await renderDialog(makeCharge({}, '2026-03-31'))
    expect(dialog.getByText('This charge is on an issued invoice')).toBeInTheDocument()
    const fields = [
      /^Name/,
      'Kind',
      'Operator',
      'Amount',
      'Charged',
      'Tax rate',
      'Revenue account',
      /^First day/,
    ]
    for (const label of fields) expect(field(label)).toBeDisabled()
    expect(field(/^Last day/)).toBeEnabled()
  })

  it("stays open and shows the server's error at its field", async () => {
    const { field, save, onClose, dialog } = await renderDialog(makeCharge({}), {
      [`PATCH ${region}/charges/${chargeId}`]: () =>
        new ErrorResponse(409, 'There is no tax rate X.', 'conflict', {
          issues: { 'body.tax_code': 'There is no such rate.' },
        }),
    })
    await save()
    expect(await dialog.findByRole('alert')).toHaveTextContent('The charge was not saved')
    expect(field('Tax rate')).toHaveAccessibleDescription('There is no such rate.')
    expect(onClose).not.toHaveBeenCalled()
  })
})
