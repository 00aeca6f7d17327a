import { randomUUID } from 'node:crypto'
import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page, test } from '@playwright/test'
import { postInPage } from './post-in-page.ts'
import { pushAsOperator } from './push-as-operator.ts'
import { signInAs } from './sign-in-page.ts'

// A region and an operator of their own, also when tried again.
const run = randomUUID().slice(0, 8)
const region = `westport-${run}`
const map = `/${region}/mobility/maps/live`
const operator = `live-wheels-${run}`
const providerId = randomUUID()
const devices = Array.from({ length: 5 }, () => randomUUID())

let token = ''
const push = (page: Page, path: string, items: object[]): Promise<void> =>
  pushAsOperator(page, token, path, items)

const event = (n: number, vehicle_state: string, event_type: string, over: object = {}) => ({
  device_id: devices[n],
  provider_id: providerId,
  event_id: randomUUID(),
  vehicle_state,
  event_types: [event_type],
  timestamp: Date.now() - 1000,
  publication_time: Date.now(),
  location: { lat: 37.05 + n / 1000, lng: -75.2 + n / 1000 },
  battery_percent: 20 * n,
  ...over,
})

const counted = (page: Page, count: number) =>
  expect(page.locator('[data-shown]')).toHaveAttribute('data-shown', String(count))
const withResults = `${map}?operators=${encodeURIComponent(JSON.stringify([operator]))}&results=true`

test.describe.configure({ mode: 'serial' })

test('says how to connect feeds as long as there is no vehicle', async ({ page }) => {
  await signInAs(page, 'administrator')
  await page.goto('/admin/regions')
  expect(
    (
      await postInPage(page, '/v2/regions', {
        regionId: region,
        text: `Westport ${run}`,
        lat: 37.05,
        lon: -75.2,
        mapZoom: 12,
        timezone: 'America/New_York',
      })
    ).status,
  ).toBe(200)
  await page.goto(map)
  await expect(page.getByRole('heading', { name: 'No vehicles yet' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Open Operators' })).toHaveAttribute('href', '/admin/operators')
})

test('vehicles appear within five seconds of being received, and move on', async ({ page }) => {
  await signInAs(page, 'administrator')
  await page.goto(map)
  expect(
    (
      await postInPage(page, '/v2/operators', {
        slug: operator,
        name: 'Live Wheels',
        colorHex: '#0E7490',
        providerId,
      })
    ).status,
  ).toBe(200)
  const feed = await postInPage(page, `/v2/regions/${region}/feeds`, {
    operator,
    kind: 'mds_agency',
    version: '2.0',
    name: 'Pushes',
  })
  const made = await postInPage(page, `/v2/regions/${region}/feeds/${String(feed.body['feedId'])}/tokens`, {})
  token = String(made.body['token'])
  await expect(page.getByText('Live', { exact: true }).first()).toBeVisible()

  await push(
    page,
    '/vehicles',
    devices.map((device_id, n) => ({
      device_id,
      provider_id: providerId,
      vehicle_id: `LW-${n}`,
      vehicle_type: 'scooter_standing',
      propulsion_types: ['electric'],
    })),
  )
  await push(
    page,
    '/events',
    devices.map((_, n) => event(n, 'available', 'provider_drop_off', { timestamp: Date.now() - 60_000 })),
  )
  const start = Date.now()
  await counted(page, 5)
  expect(Date.now() - start).toBeLessThan(5000)
  await expect(page.getByRole('checkbox', { name: /^Live Wheels/ })).toBeChecked()
  await expect(page.getByRole('checkbox', { name: /^On trip/ })).toHaveCount(0)
  await push(page, '/events', [event(1, 'on_trip', 'trip_start', { trip_ids: [randomUUID()] })])
  await expect(page.getByRole('checkbox', { name: /^On trip/ })).toBeVisible({ timeout: 5000 })
})

test('the table has the vehicles of the map, and filters change both', async ({ page }) => {
  await signInAs(page, 'viewer')
  await page.goto(withResults)
  const table = page.getByRole('table', { name: 'Vehicles shown' })
  await expect(table).toHaveAttribute('aria-rowcount', '6')
  await counted(page, 5)
  await page
    .getByRole('textbox', { name: 'Battery' })
    .or(page.getByLabel('Battery', { exact: true }))
    .first()
    .click()
  await page.getByRole('option', { name: 'Below 25 %' }).click()
  await expect(page).toHaveURL(/battery=25/)
  await counted(page, 2)
  await expect(table).toHaveAttribute('aria-rowcount', '3')
  await page.keyboard.press('Escape')
  await page.locator('h1').click({ force: true })
  await page.keyboard.press('t')
  await expect(table).toHaveCount(0)
})

test('a vehicle shows its day, stands in the address, and Esc clears it', async ({ page }) => {
  await signInAs(page, 'viewer')
  await page.goto(withResults)
  await page.getByRole('button', { name: 'LW-1', exact: true }).click()
  await expect(page).toHaveURL(new RegExp(`vehicle=${operator}%3ALW-1`))
  const card = page.getByRole('region', { name: 'Selected vehicle' })
  await expect(card.getByText('Live Wheels · On trip')).toBeVisible()
  await expect(card.getByRole('list', { name: /States of today/ })).toContainText('On trip')
  await expect
    .poll(() => page.evaluate(() => (globalThis as { __map?: { getZoom(): number } }).__map?.getZoom() ?? 0))
    .toBeGreaterThanOrEqual(13)
  await page.keyboard.press('Escape')
  await expect(page).not.toHaveURL(/vehicle=/)
  await expect(card).toHaveCount(0)
})

test('says when it is cut off, and catches up by itself', async ({ page }) => {
  await signInAs(page, 'viewer')
  let isCut = false
  const streams: string[] = []
  await page.route('**/vehicles/stream*', (route) => {
    streams.push(route.request().headers()['last-event-id'] ?? '')
    return isCut ? route.abort() : route.continue()
  })
  isCut = true
  await page.goto(map)
  await expect(page.getByText(/^Live updates are interrupted/)).toBeVisible()
  await push(page, '/events', [event(2, 'non_operational', 'battery_low', { battery_percent: 3 })])
  isCut = false
  await expect(page.getByRole('checkbox', { name: /^Non-operational/ })).toBeVisible()
  await expect(page.getByText(/^Live updates are interrupted/)).toHaveCount(0)
  // Each attempt went on after the list.
  expect(new Set(streams).size).toBe(1)
})

for (const scheme of ['light', 'dark'] as const)
  test(`axe finds nothing on the live map (${scheme})`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
    await signInAs(page, 'viewer')
    await page.goto(`${withResults}&vehicle=${operator}%3ALW-1`)
    await expect(page.getByRole('list', { name: /States of today/ })).toBeVisible()
    expect((await new AxeBuilder({ page }).exclude('.maplibregl-ctrl-attrib').analyze()).violations).toEqual(
      [],
    )
  })
