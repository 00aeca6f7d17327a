import { dayMs } from '#contract/period.ts'
import { expectClean } from './clean.ts'
import { readResponse, expect, go, type Page, test } from './fixtures.ts'

const region = '/v2/regions/port-meridian'
const getDay = (ago: number): string => new Date(Date.now() - ago * dayMs).toISOString().slice(0, 10)
const filters = `start_date=${getDay(20)}&end_date=${getDay(2)}&types=${encodeURIComponent('["spec-blocked-ramp"]')}`
const findLegend = (page: Page) => page.getByRole('region', { name: 'Legend' })

/** Thirty requests: 12 open, two without a place, the first three at one place. */
const issues = Array.from({ length: 30 }, (_, index) => {
  const place =
    index >= 28
      ? ','
      : `${(37.05 + (index < 3 ? 0 : index) / 2000).toFixed(5)},${(-75.2 + (index < 3 ? 0 : index % 7) / 900).toFixed(5)}`
  return `SPEC-${index},Spec: blocked ramp,${index < 12 ? 'Open' : 'Closed'},${getDay(10)}T15:00:00Z,${index < 12 ? '' : `${getDay(9)}T21:00:00Z`},${index} Harbor St,${place}`
})
const file = [
  'SR Number,SR Type,Status,Created Date,Closed Date,Street Address,Latitude,Longitude',
  ...issues,
].join('\n')

test.use({ role: 'planner' })
test.beforeAll(async ({ admin }) => {
  const { import_uuid: id } = await readResponse<{ import_uuid: string }>(
    admin.post(`${region}/imports?file_name=spec-311.csv`, {
      data: Buffer.from(file),
      headers: { 'content-type': 'application/octet-stream' },
    }),
  )
  await expect
    .poll(() => readResponse(admin.get(`${region}/imports/${id}`)))
    .toMatchObject({ status: 'done', rows_accepted: 30 })
})

test('issues are counted alike by legend, table, file, shapes, days and a comparison; one is opened by keyboard', async ({
  page,
}) => {
  const map = `/port-meridian/mobility/maps/311?${filters}`
  await page.goto(`${map}&results=true`)
  await expect(findLegend(page).getByRole('heading', { name: '30 issues' })).toBeVisible()
  await expect(findLegend(page).getByRole('listitem').filter({ hasText: 'Open' })).toHaveText('Open12')
  await expect(findLegend(page)).toContainText('2 have no known location')
  await expect(page.getByRole('table', { name: 'Issues shown' })).toHaveAttribute('aria-rowcount', '31')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download' }).click()
  await page.getByRole('menuitem', { name: 'CSV', exact: true }).click()
  expect((await download).suggestedFilename()).toBe(`issues_port-meridian_${getDay(20)}_${getDay(2)}.csv`)
  await page.getByRole('button', { name: 'SPEC-1', exact: true }).focus()
  await page.keyboard.press('Enter')
  const card = page.getByRole('region', { name: 'Selected issue' })
  await expect(card.getByRole('heading', { name: 'Spec: blocked ramp' })).toBeVisible()
  await expect(card).toContainText('of 3 at this location')
  await expect(page).toHaveURL(/issue=files(%3A|:)SPEC-1/)
  await expectClean(page, 'an issue')
  await page.keyboard.press('Escape')
  await expect(card).toHaveCount(0)

  await go(page, `${map}&status=closed&show=shapes`)
  await expect(findLegend(page)).toContainText(/Outside all .*\d+Total18/)
  await page.getByRole('combobox', { name: 'Value' }).click()
  await page.getByRole('option', { name: 'Median resolution time' }).click()
  await expect(findLegend(page)).toContainText('Citywide30')
  await expectClean(page, 'issues by shape')

  await go(page, `${map}&by=day&at=${getDay(11)}`)
  const axis = page.getByRole('slider', { name: 'Time' })
  await expect(axis).toHaveAttribute('aria-valuetext', /: 0 issues$/)
  await axis.press('ArrowRight')
  await expect(axis).toHaveAttribute('aria-valuetext', /: 30 issues$/)
  // For a day, colors count what is on the map; the two without a place are mentioned beside it.
  await expect(findLegend(page).getByRole('listitem').filter({ hasText: 'Closed' })).toHaveText('Closed16')
  await expect(findLegend(page)).toContainText('2 have no known location')
  await expect(page).toHaveURL(new RegExp(`at=${getDay(10)}`))
  await expectClean(page, 'issues of a day')
  await go(page, `${map}&show=shapes&compare_start_date=${getDay(60)}&compare_end_date=${getDay(42)}`)
  await expect(page.getByText(/^No data for these days\. Data starts/)).toBeVisible()
  await go(page, `${map}&show=shapes&compare_start_date=${getDay(8)}&compare_end_date=${getDay(2)}`)
  await expect(findLegend(page).getByRole('heading', { name: 'Issues: change' })).toBeVisible()
  await expect(findLegend(page)).toContainText('Total+30')
  await expectClean(page, 'issues compared')
})
