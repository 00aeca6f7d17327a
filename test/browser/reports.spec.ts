import { dayMs } from '#contract/period.ts'
import { expect, go, test } from './fixtures.ts'

const getDay = (ago: number): string => new Date(Date.now() - ago * dayMs).toISOString().slice(0, 10)
const days = `start_date=${getDay(16)}&end_date=${getDay(3)}`
const reporting = '/port-meridian/mobility/reporting'

test.use({ role: 'planner' })
test('reports show counts by week and type, their table, all metrics and the week by hour', async ({
  page,
}) => {
  await page.goto(`${reporting}/trip-counts?${days}`)
  const table = page.getByRole('table', { name: 'Counts by operator and vehicle type' })
  await expect(table.getByRole('row', { name: /^Zephyr / }).first()).toBeVisible()
  const total = table.getByRole('row', { name: /^Total/ })
  await expect(total).toContainText(/\d,\d{3}/)
  const trips = (await total.locator('th, td').nth(2).textContent()) ?? ''
  await page.getByRole('combobox', { name: 'By', exact: true }).click()
  await page.getByRole('option', { name: 'Week' }).click()
  await expect(page).toHaveURL(/grain=week/)
  await expect(page.getByRole('figure', { name: 'Trips by week' })).toBeVisible()
  await page.getByRole('button', { name: 'Show Trips by week as a table' }).click()
  await expect(
    page
      .getByRole('figure', { name: 'Trips by week' })
      .getByText(/^Week of /)
      .first(),
  ).toBeVisible()

  await go(page, `${reporting}/mobility-metrics?${days}`)
  const metrics = page.getByRole('table', { name: 'All metrics by operator' })
  await expect(metrics.getByRole('row', { name: /^Trips \d/ })).toContainText(trips)
  await page.getByRole('switch', { name: 'Compare the four ways to count vehicles' }).click()
  await expect(metrics.getByRole('row')).toHaveCount(5)

  await go(page, `${reporting}/time-of-day?${days}`)
  await expect(page.getByRole('figure', { name: 'Trips by hour and weekday' })).toBeVisible()

  await go(page, `${reporting}/bikeshare-stations?${days}`)
  const stations = page.getByRole('table', { name: 'Stations' })
  // Twenty stations, the header and the total.
  await expect(stations.getByRole('row')).toHaveCount(22)
  await page.getByLabel('Price per minute (USD)').fill('0.25')
  await page.getByLabel('Price per minute (USD)').press('Enter')
  await expect(page).toHaveURL(/price=/)
  await expect(page.getByRole('button', { name: /^Penalty\s*\$/ })).toBeVisible()
})
