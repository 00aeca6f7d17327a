import { randomUUID } from 'node:crypto'
import type { APIRequestContext } from '@playwright/test'
import { dayMs, hourMs } from '#contract/period.ts'
import { readResponse, expect, go, heading, test } from './fixtures.ts'

const curb = '/port-meridian/curb'
const api = '/v2/regions/port-meridian/curb'
/** Returns the UTC date this many days from now, negative for the past. */
const getDay = (ahead: number): string => new Date(Date.now() + ahead * dayMs).toISOString().slice(0, 10)

/** Pushes three payments at three pay stations, made 26 to 28 hours ago, with a new token. */
async function pushPayments(admin: APIRequestContext): Promise<void> {
  const { token } = await readResponse<{ token: string }>(
    admin.post(`${api}/tokens`, { data: { name: `Pushes ${randomUUID()}`, access: 'payments' } }),
  )
  const pushed = await admin.post('/cds/payments/port-meridian/payments', {
    headers: { authorization: `Bearer ${token}` },
    data: {
      payments: ['Card', 'Coins', 'Card'].map((payment_type, index) => ({
        payment_id: randomUUID(),
        location_id: `P${index}`,
        location_name: `Pay station ${index}`,
        payment_time: new Date(Date.now() - (26 + index) * hourMs).toISOString(),
        purchased_minutes: 30,
        amount: 1.25 + index,
        payment_type,
      })),
    },
  })
  expect(pushed.status()).toBe(201)
}

/** Creates a proposal of rates from measured occupancy, as the administrator. */
async function proposeRates(admin: APIRequestContext, name: string): Promise<string> {
  await readResponse(
    admin.patch(`${api}/pricing_settings`, {
      data: { floor: 50, ceiling: 600, notice_days: 7, needs_second_person: true, is_public: true },
    }),
  )
  const parameters = {
    preset: 'san_francisco',
    bands: [{ key: 'day', from: 480, until: 1200, day_types: [] }],
    day_types: [{ key: 'every_day', weekdays: [1, 2, 3, 4, 5, 6] }],
    start_date: getDay(-30),
    end_date: getDay(-1),
    kinds: ['measured'],
    min_days: 5,
    min_coverage: 0.2,
    target: { from: 0.1, until: 0.2 },
    steps: [
      { from: 0, until: 0.1, change: -25 },
      { from: 0.1, until: 0.2, change: 0 },
      { from: 0.2, until: null, change: 25 },
    ],
    floor: 50,
    ceiling: 600,
    max_change: { amount: 50, share: null },
    min_days_between: 28,
    rounding: 25,
    effective_date: getDay(30),
  }
  // The occupancy of past days is derived in the background.
  await expect
    .poll(
      async () => {
        const url = '/v2/regions/port-meridian/pricing_engine/occupancy_target/aggregated'
        const { outcomes } = await readResponse<{ outcomes: { up: number; down: number } }>(
          admin.post(url, { data: { parameters } }),
        )
        return outcomes.up + outcomes.down
      },
      { timeout: 180_000 },
    )
    .toBeGreaterThan(0)
  const { proposal_id: id } = await readResponse<{ proposal_id: string }>(
    admin.post(`${api}/price_proposals`, { data: { name, parameters } }),
  )
  return id
}

/** Gives an invited person the permission to approve rates. */
async function permitApproval(admin: APIRequestContext, email: string): Promise<void> {
  const role = await readResponse<{ id: string }>(
    admin.post('/v2/user_roles', {
      data: {
        name: `Curb ${randomUUID().slice(0, 8)}`,
        keys: ['edit_curb_regulations', 'approve_curb_prices'],
      },
    }),
  )
  const { items } = await readResponse<{ items: { id: string; email: string }[] }>(
    admin.get(`/v2/users?search=${encodeURIComponent(email)}&size=300`),
  )
  const id = items.find((user) => user.email === email)?.id ?? ''
  await readResponse(admin.patch(`/v2/user_roles/${id}`, { data: { role_ids: [role.id] } }))
}

const nextWednesday = [1, 2, 3, 4, 5, 6, 7]
  .map((ahead) => getDay(ahead))
  .find((date) => new Date(date).getUTCDay() === 3)

test('the curb pages show a rule on the map, transactions, occupancy, rates that a second person approves, and the public table', async ({
  page,
  admin,
  person,
}) => {
  await permitApproval(admin, person.email)
  await pushPayments(admin)
  // At noon on a weekday, meters charge; at night parking is free.
  await page.goto(
    `${curb}/regulations/map?results=true&at=${nextWednesday}T12:00&states=${encodeURIComponent('["paid_parking"]')}`,
  )
  const zones = page.getByRole('table', { name: 'Curb zones' })
  await zones
    .getByRole('row', { name: /Paid parking/ })
    .first()
    .getByRole('button')
    .first()
    .click()
  const card = page.getByRole('region', { name: 'Curb zone' })
  await expect(card.getByRole('heading', { name: 'This week' })).toBeVisible()
  await expect(card.getByText(/for the first hour|per hour/).first()).toBeVisible()
  // The rules for a truck at another time.
  await page.getByRole('combobox', { name: 'Vehicle' }).click()
  await page.getByRole('option', { name: 'Truck' }).click()
  await expect(page).toHaveURL(/vehicle=truck/)
  await expect(card.getByRole('heading', { name: 'Regulations, by priority' })).toBeVisible()

  await go(page, `${curb}/parking-insights/transactions?start_date=${getDay(-4)}&end_date=${getDay(0)}`)
  const payments = page.getByRole('table', { name: 'Transactions' })
  await expect(payments.getByRole('row', { name: /Pay station/ })).toHaveCount(3)
  await go(
    page,
    `${curb}/parking-insights/transactions?start_date=${getDay(-4)}&end_date=${getDay(0)}&types=Coins`,
  )
  await expect(payments.getByRole('row', { name: /Pay station/ })).toHaveCount(1)
  await go(page, `${curb}/parking-insights/transactions/locations`)
  await expect(page.getByRole('row', { name: /Pay station 0/ })).toContainText('No zone')

  await go(page, `${curb}/parking-insights/occupancy`)
  await expect(heading(page, 'Occupancy')).toBeVisible()
  await expect(page.getByRole('figure').first()).toBeVisible()

  const name = `Rates ${randomUUID().slice(0, 8)}`
  await go(page, `${curb}/parking-insights/pricing-engine/${await proposeRates(admin, name)}`)
  await expect(heading(page, name)).toBeVisible()
  await page.getByRole('button', { name: 'Approve' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Approve' })
  await dialog.getByLabel('Note').fill('Council file 12')
  await dialog.getByRole('button', { name: 'Approve' }).press('Enter')
  await expect(page.getByText('Council file 12')).toBeVisible()
  // The button was removed, so the focus moves to the title.
  await expect(heading(page, name)).toBeFocused()

  await page.goto('/port-meridian/public/rates')
  await expect(heading(page, 'Parking rates of Port Meridian')).toBeVisible()
  await expect(page.getByRole('heading', { name: /^Announced: from/ }).first()).toBeVisible()
  await expect(page.getByText(new RegExp(name)).first()).toBeVisible()
})
