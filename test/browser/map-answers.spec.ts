import { expect, test } from './fixtures.ts'

test.use({ role: 'planner' })
const map = '/port-meridian/mobility/maps/trips'

test('the legend, the table and the API say the same numbers, and they add up', async ({ page }) => {
  const answered = page.waitForResponse((response) => response.url().endsWith('/spatial') && response.ok())
  await page.goto(map)
  const { total, shape_data } = (await (await answered).json()) as {
    total: number
    shape_data: Record<string, { value: number; counts: { orig: number } }>
  }
  expect(total).toBeGreaterThan(10_000)
  expect(Object.values(shape_data).reduce((sum, { value }) => sum + value, 0)).toBe(total)
  expect(Object.values(shape_data).every(({ value, counts }) => value === counts.orig)).toBe(true)
  await expect(page.getByText(total.toLocaleString('en-US')).first()).toBeVisible()
  await page.keyboard.press('t')
  await expect(page).toHaveURL(/results=true/)
  const busiest = Object.entries(shape_data)
    .filter(([id]) => id !== 'NOT_IN_SHAPE')
    .sort(([, a], [, b]) => b.value - a.value)[0]
  await expect(
    page
      .getByRole('row')
      .filter({ hasText: (busiest?.[1].value ?? -1).toLocaleString('en-US') })
      .first(),
  ).toBeVisible()
})

test('a shape chosen in the table is in the address, the map flies to it, and Esc clears it', async ({
  page,
}) => {
  await page.goto(`${map}?results=true`)
  await page.getByRole('row').nth(1).getByRole('button').first().click()
  await expect(page).toHaveURL(/shape=/)
  const chosen = page.url()
  await page.keyboard.press('Escape')
  await expect(page).not.toHaveURL(/shape=/)
  await page.goto(chosen)
  await expect
    .poll(() => page.evaluate(() => (globalThis as { __map?: { getZoom(): number } }).__map?.getZoom() ?? 0))
    .toBeGreaterThanOrEqual(9)
})

test('a filter changes the numbers and the address; the file by day downloads', async ({ page }) => {
  const first = page.waitForResponse((response) => response.url().endsWith('/spatial') && response.ok())
  await page.goto(map)
  const before = ((await (await first).json()) as { total: number }).total
  const second = page.waitForResponse((response) => response.url().endsWith('/spatial') && response.ok())
  await page
    .getByRole('button', { name: 'Sun', exact: true })
    .or(page.getByRole('checkbox', { name: /Sun/ }))
    .or(page.getByText('Sun', { exact: true }))
    .first()
    .click()
  const after = ((await (await second).json()) as { total: number }).total
  expect(after).toBeLessThan(before)
  await expect(page).toHaveURL(/days=/)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'CSV by day' }).click()
  expect((await download).suggestedFilename()).toMatch(/^trips-.*\.csv$/)
})
