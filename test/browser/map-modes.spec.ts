import { expectClean } from './clean.ts'
import { expect, type Page, test } from './fixtures.ts'

const maps = '/port-meridian/mobility/maps'
// The city of the specs has forty days behind it.
const day = (ago: number): string => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
const days = `start_date=${day(16)}&end_date=${day(3)}`

interface Found {
  total: number
  shape_data: Record<string, { value: number | null }>
}

/** Opens a map and hears what the server answers it. */
async function open(page: Page, path: string, call = '/spatial'): Promise<unknown> {
  const answered = page.waitForResponse((response) => response.url().endsWith(call) && response.ok())
  await page.goto(`${maps}/${path}`)
  return (await answered).json()
}
const written = (value: number, digits: number): string =>
  value.toLocaleString('en-US', { maximumFractionDigits: digits })

test.use({ role: 'planner' })

for (const [path, digits] of [
  ['parking', 0],
  ['distribution', 1],
  ['operator-drop-offs', 0],
] as const)
  test(`the legend and the table of ${path} say what the API says`, async ({ page }) => {
    const { total, shape_data } = (await open(page, `${path}?${days}&results=true`)) as Found
    const shapes = Object.entries(shape_data)
      .filter(([id]) => id !== 'NOT_IN_SHAPE')
      .map(([, { value }]) => value ?? 0)
    expect(total).toBeGreaterThan(0)
    expect(
      Math.abs(
        shapes.reduce((sum, value) => sum + value, 0) + (shape_data['NOT_IN_SHAPE']?.value ?? 0) - total,
      ),
    ).toBeLessThan(1e-6 * total)
    await expect(
      page.getByRole('region', { name: 'Legend' }).getByText(written(total, digits), { exact: true }),
    ).toBeVisible()
    await expect(page.getByRole('row').nth(1)).toContainText(written(Math.max(...shapes), digits))
  })

test('one step of a playback is on the axis, in the legend, the table and the address', async ({ page }) => {
  const { total } = (await open(
    page,
    `trips?${days}&by=hour_of_day&at=8&results=true`,
    '/spatial/by_time',
  )) as { total: number[] }
  const slider = page.getByRole('slider', { name: 'Time' })
  await expect(slider).toHaveAttribute(
    'aria-valuetext',
    `08:00 to 09:00: ${written(total[8] ?? -1, 0)} trips`,
  )
  await slider.press('ArrowRight')
  await expect(
    page.getByRole('region', { name: 'Legend' }).getByText(written(total[9] ?? -1, 0), { exact: true }),
  ).toBeVisible()
  await expect(page).toHaveURL(/at=(%22)?9/)
  await expectClean(page, 'playback')
})

test('two periods are compared, as a difference and beside each other', async ({ page }) => {
  await open(page, `trips?${days}&compare_start_date=${day(30)}&compare_end_date=${day(17)}&results=true`)
  await expect(page.getByRole('heading', { name: 'Origins: change' })).toBeVisible()
  await expect(page.getByRole('columnheader', { name: /Change \(%\)/ })).toBeVisible()
  await expectClean(page, 'comparison')
  await page.getByText('Side by side').click()
  await expect(page).toHaveURL(/side_by_side=true/)
  await expect(page.locator('.maplibregl-canvas')).toHaveCount(2)
})
