import { expect, type Page, test } from './fixtures.ts'

test.beforeEach(async ({ page }) => {
  await page.clock.setFixedTime('2026-11-21T12:00:00Z')
  await page.goto('/dev/gallery')
  await expect(page.getByRole('heading', { level: 1, name: 'Widgets' })).toBeVisible()
})

const field = (page: Page, name: string) => page.getByRole('button', { name: new RegExp(`^${name}`) })
const start = (page: Page) => page.getByRole('textbox', { name: 'Start date' })
const end = (page: Page) => page.getByRole('textbox', { name: 'End date' })
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

test('a range by keyboard alone: typed start, calendar for the end, Done', async ({ page }) => {
  await field(page, 'Empty').focus()
  await page.keyboard.press('Enter')
  await expect(start(page)).toBeFocused()
  await page.keyboard.type('11/03/2026')
  await expect(end(page)).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('button', { name: 'Tuesday, November 3, 2026' })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  // 100 ms after the last day the calendar is gone, and the next step has the focus.
  await expect(page.getByRole('group', { name: 'Choose the end date' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Done' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(field(page, 'Empty')).toHaveText(/Nov 3\s–\s10, 2026/)
  await expect(field(page, 'Empty')).toBeFocused()
})

test('a range by mouse: two days of two months, a start after the end clears it', async ({ page }) => {
  await field(page, 'Filled').first().click()
  await expect(page.getByRole('combobox', { name: 'Range' })).toHaveValue('lastMonth')
  await expect(page.getByRole('table')).toHaveCount(2)
  await press(page, 'Friday, November 6, 2026')
  await expect(end(page)).toHaveValue('')
  await expect(page.getByRole('combobox', { name: 'Range' })).toHaveValue('custom')
  await press(page, 'Monday, November 9, 2026')
  await expect(end(page)).toHaveValue('11/09/2026')
  await press(page, 'Done')
  await expect(field(page, 'Filled').first()).toHaveText(/Nov 6\s–\s9, 2026/)
})

test('presets set both dates and switch the mode; Cancel and Esc give back what was applied', async ({
  page,
}) => {
  for (const leave of [() => press(page, 'Cancel'), () => page.keyboard.press('Escape')]) {
    await field(page, 'Filled').first().click()
    await press(page, 'This Month')
    await expect(page.getByRole('combobox', { name: 'Range' })).toHaveValue('thisMonth')
    await expect(end(page)).toHaveValue('11/21/2026')
    await leave()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(field(page, 'Filled').first()).toHaveText(/Oct 1\s–\s31, 2026/)
  }
})

test('Done checks in order: required, turned, too long, too early, too late', async ({ page }) => {
  const wrong = async (first: string, last: string, at: 'start' | 'end', text: string): Promise<void> => {
    await start(page).fill(first)
    await start(page).press('End')
    await end(page).fill(last)
    await end(page).press('End')
    await press(page, 'Done')
    await expect(at === 'start' ? start(page) : end(page)).toHaveAccessibleDescription(new RegExp(text))
    await expect(at === 'start' ? end(page) : start(page)).not.toHaveAccessibleDescription(new RegExp(text))
  }
  await field(page, 'Required').click()
  await press(page, 'Done')
  await expect(start(page)).toHaveAccessibleDescription(/Date input is required/)
  await expect(end(page)).toHaveAccessibleDescription(/Date input is required/)
  await wrong('', '12/31/2027', 'start', 'Date input is required')
  await wrong('12/01/2025', '01/02/2026', 'end', 'Maximum date range is 31 days')
  await wrong('12/31/2025', '01/02/2026', 'start', 'Date is before the earliest allowed')
  await wrong('12/31/2026', '01/02/2027', 'end', 'Date is after the latest allowed')
  await wrong('12/01/2026', '13/40/2026', 'end', 'Invalid date format')
  await end(page).fill('12/31/2026')
  await end(page).press('Enter')
  await expect(field(page, 'Required')).toHaveText(/Dec 1\s–\s31, 2026/)
})

test('the other widgets by keyboard: time, money, days, dropdown', async ({ page }) => {
  const times = page.getByRole('region', { name: 'Times' })
  await times.getByLabel('Empty').fill('930')
  await page.keyboard.press('Tab')
  await expect(times.getByLabel('Empty')).toHaveValue('09:30')
  const money = page.getByRole('region', { name: 'Money' })
  await money.getByLabel('Empty').pressSequentially('12.5x')
  await page.keyboard.press('Tab')
  await expect(money.getByLabel('Empty')).toHaveValue('$12.50')
  const days = page.getByRole('region', { name: 'Days of the week' }).getByRole('group', { name: 'Empty' })
  await days.getByRole('button', { name: 'Sunday' }).press('Space')
  await expect(days.getByRole('button', { pressed: true })).toHaveText('Sun')
  const one = page.getByRole('combobox', { name: 'One · Empty' })
  await one.pressSequentially('sun')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(one).toHaveValue('Amber')
})

test('nothing is wider than a phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await field(page, 'Filled').first().click()
  await expect(page.getByRole('table')).toHaveCount(1)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  const box = await page.getByRole('dialog').boundingBox()
  expect(box && box.x >= 0 && box.x + box.width <= 390).toBe(true)
})
