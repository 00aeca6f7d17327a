import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { expectClean } from './clean.ts'
import { expect, test } from './fixtures.ts'

const providerId = '5f0cbe2c-4bb9-41ad-a2d5-84ca3bb9bd5a'
const deviceId = 'b1b5c6d2-9c1f-4d3b-8f6e-3a1f0c9d7e11'
const token = 'browser-secret'

/** Opens an operator's MDS Provider server with one vehicle and an event each hour, protected by a token. */
async function openProvider() {
  const paths: string[] = []
  const server = http.createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://operator')
    paths.push(url.pathname)
    if (request.headers.authorization !== `Bearer ${token}`) return response.writeHead(401).end()
    const respond = (body: object) =>
      response
        .writeHead(200, { 'content-type': 'application/vnd.mds+json;version=2.0' })
        .end(JSON.stringify({ version: '2.0.0', last_updated: Date.now(), ttl: 60_000, ...body }))
    const hour = url.searchParams.get('event_time')
    if (url.pathname.endsWith('/vehicles'))
      return respond({
        vehicles: [
          {
            device_id: deviceId,
            provider_id: providerId,
            vehicle_id: 'G-1',
            vehicle_type: 'scooter_standing',
            propulsion_types: ['electric'],
          },
        ],
        links: { next: null },
      })
    if (url.pathname.endsWith('/vehicles/status')) return respond({ vehicles_status: [] })
    if (url.pathname.endsWith('/events/historical') && hour) {
      const time = Date.parse(`${hour}:00:00Z`)
      const id = `00000000-0000-4000-8000-${String(time).slice(0, 12).padStart(12, '0')}`
      return respond({
        events: [
          {
            device_id: deviceId,
            provider_id: providerId,
            event_id: id,
            vehicle_state: 'available',
            event_types: ['service_start'],
            timestamp: time + 60_000,
            location: { lat: 41.5, lng: -72.5 },
            battery_percent: 80,
          },
        ],
      })
    }
    if (url.pathname.endsWith('/events/recent')) return respond({ events: [] })
    if (url.pathname.endsWith('/trips')) return respond({ trips: [] })
    if (url.pathname.endsWith('/telemetry')) return respond({ telemetry: [] })
    if (url.pathname.endsWith('/stops')) return respond({ stops: [] })
    response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mds`,
    paths,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

test.use({ role: 'administrator' })
test('an operator is added with a feed that is tested, saved and pulled', async ({ page }) => {
  const provider = await openProvider()
  try {
    await page.goto('/admin')
    await page
      .getByRole('navigation', { name: 'Administration' })
      .getByRole('link', { name: 'Operators and feeds' })
      .click()
    await expect(page.getByRole('heading', { level: 1, name: 'Operators and feeds' })).toBeVisible()

    await page.getByRole('button', { name: 'Add an operator' }).press('Enter')
    const adding = page.getByRole('dialog', { name: 'Add an operator' })
    await expect(adding.getByRole('textbox', { name: 'Name', exact: true })).toBeFocused()
    await page.keyboard.type('Glide Moto')
    await expect(adding.getByLabel('Short name')).toHaveValue('glide-moto')
    await adding.getByLabel('Provider id (MDS)').fill(providerId)
    await page.keyboard.press('Enter')
    const card = page.getByRole('region', { name: 'Glide Moto' })
    await expect(card).toContainText('No feeds in this region yet.')

    await card.getByRole('button', { name: 'Add a feed to Glide Moto' }).click()
    const form = page.getByRole('dialog', { name: 'Add a feed to Glide Moto' })
    await form.getByLabel('URL').fill(provider.url)
    await form.getByLabel(/^Token/).fill('wrong')
    await form.getByRole('button', { name: 'Test this feed now' }).click()
    await expect(form.getByText(/refused the request \(401\)/).first()).toBeVisible()
    await form.getByLabel(/^Token/).fill(token)
    await form.getByRole('button', { name: 'Test this feed now' }).click()
    await expect(
      form
        .getByRole('table', { name: 'First records: events' })
        .getByRole('cell', { name: deviceId })
        .first(),
    ).toBeVisible()
    await form.getByRole('button', { name: 'Save feed' }).click()

    await expect(card.getByText(/^(On time|Late since)/)).toBeVisible({ timeout: 30_000 })
    await expect(card.getByText(/hours fetched, 0 remaining/)).toBeVisible({ timeout: 30_000 })
    await expect(page.locator('body')).not.toContainText(token)
    await expectClean(page, 'operators and feeds')

    await card
      .getByRole('button', { name: /^Actions for Glide/ })
      .last()
      .click()
    await page.getByRole('menuitem', { name: 'Hours fetched' }).click()
    const pullWindows = page.getByRole('dialog', { name: /^Hours fetched/ })
    await expect(pullWindows.getByRole('table', { name: 'Hours of events by day' })).toBeVisible()
    await expect(pullWindows.getByRole('row').filter({ hasText: 'Done' }).first()).toBeVisible()
    await expectClean(page, 'hours of a feed')
    await page.keyboard.press('Escape')

    // Restores the city.
    await card
      .getByRole('button', { name: /^Actions for Glide/ })
      .last()
      .click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await page
      .getByRole('dialog', { name: /^Remove/ })
      .getByRole('button', { name: 'Remove' })
      .click()
    await expect(card).toContainText('No feeds in this region yet.')
  } finally {
    await provider.close()
  }
})
