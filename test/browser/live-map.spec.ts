import { randomUUID } from 'node:crypto'
import { expectClean } from './clean.ts'
import { expect, go, heading, type Page, test } from './fixtures.ts'
import { type Fleet, newFleet } from './new-fleet.ts'

let fleet: Fleet
let map = ''
let withResults = ''
const expectCount = (page: Page, count: number) =>
  expect(page.locator('[data-shown]')).toHaveAttribute('data-shown', String(count))

test.use({ role: 'viewer' })
test.beforeAll(async ({ admin }) => {
  fleet = await newFleet(admin, 'West', (n) => ({ lat: 37.05 + n / 1000, lng: -75.2 + n / 1000 }))
  map = `/${fleet.region}/mobility/maps/live`
  withResults = `${map}?operators=${encodeURIComponent(JSON.stringify([fleet.operator]))}&results=true`
})

test('vehicles appear at once and start trips, one shows its day, filters apply, and an interruption is caught up', async ({
  page,
}) => {
  await page.goto(map)
  await expect(page.getByRole('heading', { name: 'No vehicles yet' })).toBeVisible()
  await expect(page.getByText('Live', { exact: true }).first()).toBeVisible()
  await fleet.push(
    '/events',
    [0, 1, 2, 3, 4].map((n) => fleet.event(n)),
  )
  const start = Date.now()
  await expectCount(page, 5)
  expect(Date.now() - start).toBeLessThan(5000)
  await expect(page.getByRole('checkbox', { name: /^Live Wheels/ })).toBeChecked()
  await expect(page.getByRole('checkbox', { name: /^On trip/ })).toHaveCount(0)
  const trip = { vehicle_state: 'on_trip', event_types: ['trip_start'], trip_ids: [randomUUID()] }
  await fleet.push('/events', [fleet.event(1, { ...trip, timestamp: Date.now() - 1000 })])
  await expect(page.getByRole('checkbox', { name: /^On trip/ })).toBeVisible({ timeout: 5000 })

  await go(page, withResults)
  const table = page.getByRole('table', { name: 'Vehicles shown' })
  await expect(table).toHaveAttribute('aria-rowcount', '6')
  await expectCount(page, 5)
  await page.getByRole('button', { name: 'LW-1', exact: true }).click()
  await expect(page).toHaveURL(new RegExp(`vehicle=${fleet.operator}%3ALW-1`))
  const card = page.getByRole('region', { name: 'Selected vehicle' })
  await expect(card.getByText('Live Wheels · On trip')).toBeVisible()
  // Derivation pauses between batches, so the day of a vehicle is seconds behind its position.
  await expect(card.getByRole('list', { name: /States of today/ })).toContainText('On trip', {
    timeout: 60_000,
  })
  await expect
    .poll(() => page.evaluate(() => (globalThis as { __map?: { getZoom(): number } }).__map?.getZoom() ?? 0))
    .toBeGreaterThanOrEqual(13)
  await expectClean(page, 'live map with a vehicle')
  // The card scrolls above the table, also beside an open legend, and nothing of it is behind the table.
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('button', { name: 'Open the legend' }).click()
  const drawer = await page.getByRole('region', { name: 'Results' }).boundingBox()
  const lastLine = card.getByText(/, in progress$|^No trips today$/)
  await lastLine.scrollIntoViewIfNeeded()
  const [box, line] = [await card.boundingBox(), await lastLine.boundingBox()]
  expect(box!.height).toBeGreaterThan(150)
  expect(box!.y + box!.height).toBeLessThan(drawer!.y)
  expect(line!.y + line!.height).toBeLessThanOrEqual(box!.y + box!.height)
  await page.setViewportSize({ width: 1024, height: 640 })
  await page.keyboard.press('Escape')
  await expect(page).not.toHaveURL(/vehicle=/)
  await expect(card).toHaveCount(0)
  await page.getByRole('button', { name: 'Parked time, signal and battery' }).click()
  await page
    .getByRole('textbox', { name: 'Battery' })
    .or(page.getByLabel('Battery', { exact: true }))
    .first()
    .click()
  await page.getByRole('option', { name: 'Below 25%' }).click()
  await expect(page).toHaveURL(/battery=25/)
  await expectCount(page, 1)
  await expect(table).toHaveAttribute('aria-rowcount', '2')

  await go(page, `/${fleet.region}/mobility/policies`)
  await expect(heading(page, 'Policies Library')).toBeVisible()
  let isCut = true
  const streams: string[] = []
  await page.route('**/vehicles/stream*', (route) => {
    streams.push(route.request().headers()['last-event-id'] ?? '')
    return isCut ? route.abort() : route.continue()
  })
  await go(page, map)
  await expect(page.getByText(/^Live updates are interrupted/)).toBeVisible()
  const failure = { vehicle_state: 'non_operational', event_types: ['battery_low'], battery_percent: 3 }
  await fleet.push('/events', [fleet.event(2, { ...failure, timestamp: Date.now() - 1000 })])
  isCut = false
  await expect(page.getByRole('checkbox', { name: /^Non-operational/ })).toBeVisible()
  await expect(page.getByText(/^Live updates are interrupted/)).toHaveCount(0)
  // Each attempt continued after the list.
  expect(new Set(streams).size).toBe(1)
})
