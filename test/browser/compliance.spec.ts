import { readFile } from 'node:fs/promises'
import type { ComplianceRecord } from '../../contract/compliance.ts'
import { expectClean } from './clean.ts'
import { expect, test } from './fixtures.ts'

const compliance = '/port-meridian/mobility/policies/compliance'
const policy = 'No parking in the Old Port by night'

test.use({ role: 'planner' })

test('compliance is read from the summary down to single facts by keyboard, and downloaded', async ({
  page,
}) => {
  await page.goto(compliance)
  await page.getByLabel('Search by policy name').fill('old port')
  const row = page.getByRole('row').filter({ hasText: policy }).filter({ hasText: 'Non-compliant' }).first()
  // Days are measured on the first request.
  await expect(row).toBeVisible({ timeout: 90_000 })
  await expectClean(page, 'the summary of compliance')
  const operator = await row.getByRole('cell').nth(2).textContent()
  await row.getByRole('link', { name: policy }).press('Enter')

  await expect(page.getByRole('heading', { name: policy })).toBeVisible()
  const day = page.getByRole('button', { name: new RegExp(`^${operator}, .*: Non-compliant`) }).first()
  await day.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: /^Where: / })).toBeVisible()
  const facts = page.getByRole('table', { name: 'Records behind these numbers' })
  await expect(facts.getByRole('row').nth(1)).toContainText('Old Port', { timeout: 60_000 })
  // The facts of all days may be shown until those of the day are loaded.
  await expect(async () => {
    await facts.getByRole('button').first().press('Enter')
    await expect(facts.getByRole('button').first()).toHaveAttribute('aria-pressed', 'true', { timeout: 2000 })
  }).toPass()
  await page.getByRole('button', { name: 'Show all days' }).press('Enter')
  await expectClean(page, 'the compliance with a policy')

  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download', exact: true }).first().press('Enter')
  await page.getByRole('menuitem', { name: 'CSV', exact: true }).click()
  const file = await downloading
  expect(file.suggestedFilename()).toMatch(
    new RegExp(
      `^No-parking_No-parking-in-the-Old-Port-by-night_All-operators_\\d{4}-\\d\\d-\\d\\d_\\d{4}-\\d\\d-\\d\\d\\.csv$`,
    ),
  )
  const [head = '', ...lines] = (await readFile(await file.path(), 'utf8')).trim().split('\r\n')
  const columns = head.split(',')
  const broken = lines
    .map((line) => line.split(','))
    .filter((cells) => cells[columns.indexOf('status')] === 'non_compliant')
  await expect(page.getByRole('button', { name: `Days with violations ${broken.length} of` })).toBeVisible()

  await page.getByRole('button', { name: 'Printable report' }).press('Enter')
  await expect(page.getByRole('article', { name: `Compliance report: ${policy}` })).toContainText(
    'What the figures mean',
  )
  await expectClean(page, 'the report of compliance')
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('banner')).toBeHidden()
  await expect(page.getByRole('article')).toBeVisible()
})

test('a draft is tried on past days, and a moved limit is shown at once', async ({ page }) => {
  test.slow()
  await page.goto('/port-meridian/mobility/policies')
  await page.getByRole('link', { name: 'Fleet size per operator' }).press('Enter')
  await page.getByRole('link', { name: 'Edit', exact: true }).press('Enter')
  const first = page.waitForResponse((response) => response.url().endsWith('/compliance/try'), {
    timeout: 120_000,
  })
  await page.getByRole('button', { name: 'Test on past data' }).press('Enter')
  await first
  const panel = page.getByRole('region', { name: 'Test on past data' })
  const slider = panel.getByRole('slider', { name: 'Maximum' })
  await expect(slider).toBeVisible()
  await expectClean(page, 'a draft that is tried')

  const next = page.waitForResponse(
    (response) =>
      response.url().endsWith('/compliance/try') && response.request().postDataJSON().policy.maximum === 500,
    { timeout: 120_000 },
  )
  await page.getByLabel('Maximum', { exact: true }).and(page.getByRole('textbox')).fill('500')
  const { records } = (await (await next).json()) as { records: ComplianceRecord[] }
  const violations = records
    .filter(({ status }) => status === 'non_compliant')
    .reduce((sum, record) => sum + record.violations, 0)
  expect(violations).toBeGreaterThan(0)
  // The column header of the table has the same word.
  await expect(panel.getByRole('button', { name: /^Violations\s*\d/ })).toContainText(
    `${violations}Published: `,
  )
  await expect(slider).toHaveAttribute('aria-valuenow', '500')
  await slider.press('ArrowRight')
  await expect(page.getByLabel('Maximum', { exact: true }).and(page.getByRole('textbox'))).toHaveValue('501')
})
