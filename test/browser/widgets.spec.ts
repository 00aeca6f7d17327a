import { expect, test } from './fixtures.ts'

// Tests that need the focus and layout of a browser. Others are in web/kit/**/*.test.tsx.
test('a range is chosen by keyboard, and no widget is wider than a phone', async ({ page }) => {
  await page.clock.setFixedTime('2026-11-21T12:00:00Z')
  await page.goto('/dev/gallery')
  const findField = (name: string) => page.getByRole('button', { name: new RegExp(`^${name}`) })
  await findField('Empty').focus()
  const focusRing = (label: string) =>
    page.evaluate((of) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement!)
      return `${of}: ${outlineStyle} ${outlineWidth}`
    }, label)
  expect(await focusRing('field')).toBe('field: solid 2px')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: 'Start date' })).toBeFocused()
  expect(await focusRing('text')).toBe('text: solid 2px')
  await page.keyboard.type('11/03/2026')
  await expect(page.getByRole('textbox', { name: 'End date' })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('button', { name: 'Tuesday, November 3, 2026' })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  // 100 ms after the last day the calendar is closed, and the next step has the focus.
  await expect(page.getByRole('group', { name: 'Choose the end date' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Done' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(findField('Empty')).toHaveText(/Nov 3\s–\s10, 2026/)
  await expect(findField('Empty')).toBeFocused()

  await page.setViewportSize({ width: 390, height: 844 })
  await findField('Filled').first().click()
  await expect(page.getByRole('table')).toHaveCount(1)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  const box = await page.getByRole('dialog').boundingBox()
  expect(box && box.x >= 0 && box.x + box.width <= 390).toBe(true)
})
