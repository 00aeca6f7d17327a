import fs from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import Papa from 'papaparse'
import { dayMs } from '#contract/period.ts'
import { readResponse, expect, test } from './fixtures.ts'

const getDay = (ago: number): string => new Date(Date.now() - ago * dayMs).toISOString().slice(0, 10)
const period = { start_date: getDay(12), end_date: getDay(5) }

test.use({ role: 'planner' })
test('an export of trips of some days has as many rows as reports count', async ({ page, admin }) => {
  await page.goto(`/port-meridian/mobility/reporting/export?${new URLSearchParams(period)}`)
  await expect(page.getByText(/^[\d,]+ rows on 8 days$/)).toBeVisible()
  await page.getByRole('button', { name: /^Columns: 16 of 16/ }).click()
  await page.getByRole('checkbox', { name: 'quality_flags' }).click()
  await expect(page).toHaveURL(/without=/)
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  const row = page.getByRole('table', { name: 'Your exports' }).getByRole('row').nth(1)
  await expect(row.getByText('Ready')).toBeVisible({ timeout: 60_000 })
  const downloading = page.waitForEvent('download')
  await row.getByRole('link', { name: 'Download' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toBe(
    `trips_port-meridian_${period.start_date}_${period.end_date}.csv.gz`,
  )
  const text = gunzipSync(await fs.readFile(await download.path())).toString()
  const { data, meta } = Papa.parse<Record<string, string>>(text, { header: true, skipEmptyLines: true })
  const { period: counted } = await readResponse<{ period: { totals: number[] } }>(
    admin.post('/v2/regions/port-meridian/metrics/query', { data: { ...period, measures: ['trips'] } }),
  )
  expect(data.length).toBeGreaterThan(1000)
  expect(data).toHaveLength(counted.totals[0] ?? -1)
  expect(meta.fields).toHaveLength(15)
  await page.getByRole('combobox', { name: 'Table' }).click()
  await page.getByRole('option', { name: 'Areas' }).click()
  await expect(page).toHaveURL(/table=shapes/)
  await expect(page.getByRole('combobox', { name: 'Layer' })).toBeVisible()
})
