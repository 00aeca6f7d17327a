import { dayMs } from '#contract/period.ts'
import { expectClean } from './clean.ts'
import { expect, go, type Page, test } from './fixtures.ts'

const map = '/port-meridian/mobility/maps/trips'
// The city of the specs has forty days behind it.
const getDay = (ago: number): string => new Date(Date.now() - ago * dayMs).toISOString().slice(0, 10)
const days = `start_date=${getDay(16)}&end_date=${getDay(3)}`
const formatNumber = (value: number): string => value.toLocaleString('en-US')

interface MapResponse {
  total: number
  shape_data: Record<string, { value: number; counts: { orig: number } }>
}

/** Waits for the next map response of the server. */
const readResponseTo = <Body>(page: Page, act: () => Promise<unknown>, call = '/spatial'): Promise<Body> =>
  Promise.all([
    page.waitForResponse((response) => response.url().endsWith(call) && response.ok(), { timeout: 60_000 }),
    act(),
  ]).then(([response]) => response.json() as Promise<Body>)

// Other maps are tested in web/evaluation/*.test.tsx.
test.use({ role: 'planner' })
test('the map of trips has numbers, a shape, a filter, files, playback and comparison', async ({ page }) => {
  const legend = page.getByRole('region', { name: 'Legend' })
  const { total, shape_data: shapes } = await readResponseTo<MapResponse>(page, () => page.goto(map))
  expect(total).toBeGreaterThan(10_000)
  expect(Object.values(shapes).reduce((sum, { value }) => sum + value, 0)).toBe(total)
  expect(Object.values(shapes).every(({ value, counts }) => value === counts.orig)).toBe(true)
  await expect(legend.getByText(formatNumber(total), { exact: true })).toBeVisible()
  await page.keyboard.press('t')
  await expect(page).toHaveURL(/results=true/)
  const busiest = Math.max(
    ...Object.entries(shapes).map(([id, { value }]) => (id === 'NOT_IN_SHAPE' ? 0 : value)),
  )
  const firstRow = page.getByRole('row').nth(1)
  await expect(firstRow).toContainText(formatNumber(busiest))

  await firstRow.getByRole('button').first().click()
  await expect(page).toHaveURL(/shape=/)
  const chosen = page.url()
  await page.keyboard.press('Escape')
  await expect(page).not.toHaveURL(/shape=/)
  await page.goto(chosen)
  await expect
    .poll(() => page.evaluate(() => (globalThis as { __map?: { getZoom(): number } }).__map?.getZoom() ?? 0))
    .toBeGreaterThanOrEqual(9)
  await expect(firstRow).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page).not.toHaveURL(/shape=/)

  await page.getByRole('button', { name: 'Days and hours', exact: true }).click()
  const onSundays = await readResponseTo<MapResponse>(page, () =>
    page
      .getByRole('button', { name: 'Sun', exact: true })
      .or(page.getByRole('checkbox', { name: /Sun/ }))
      .or(page.getByText('Sun', { exact: true }))
      .first()
      .click(),
  )
  expect(onSundays.total).toBeLessThan(total)
  await expect(page).toHaveURL(/days=/)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download' }).click()
  await page.getByRole('menuitem', { name: 'Daily data (CSV)' }).click()
  expect((await download).suggestedFilename()).toMatch(/^trips-.*\.csv$/)

  const playback = await readResponseTo<{ total: number[] }>(
    page,
    () => go(page, `${map}?${days}&by=hour_of_day&at=8&results=true`),
    '/spatial/by_time',
  )
  const slider = page.getByRole('slider', { name: 'Time' })
  await expect(slider).toHaveAttribute(
    'aria-valuetext',
    `8:00 AM to 9:00 AM: ${formatNumber(playback.total[8] ?? -1)} trips`,
  )
  await slider.press('ArrowRight')
  await expect(legend.getByText(formatNumber(playback.total[9] ?? -1), { exact: true })).toBeVisible()
  await expect(page).toHaveURL(/at=(%22)?9/)
  await expectClean(page, 'playback')

  await go(
    page,
    `${map}?${days}&compare_start_date=${getDay(30)}&compare_end_date=${getDay(17)}&results=true`,
  )
  await expect(page.getByRole('heading', { name: 'Origins: change' })).toBeVisible()
  await expect(page.getByRole('columnheader', { name: /Change \(%\)/ })).toBeVisible()
  await expectClean(page, 'comparison')
  await page.getByText('Side by side').click()
  await expect(page).toHaveURL(/side_by_side=true/)
  await expect(page.locator('.maplibregl-canvas')).toHaveCount(2)
})
