import { expect, go, heading, type Page, test } from './fixtures.ts'

test.use({ role: 'administrator' })
const home = '/port-meridian'
const findSettings = (page: Page) => page.getByRole('button', { name: 'Settings', exact: true })

test('the app frame works by keyboard: areas, dashboards, product, new tabs, no network, an unknown address', async ({
  page,
  context,
}) => {
  await page.goto(`${home}/mobility/policies`)
  const shelf = page.getByRole('navigation', { name: 'Areas' })
  await shelf.getByRole('button', { name: 'Maps' }).focus()
  await page.keyboard.press('Enter')
  const drawer = shelf.getByRole('heading', { name: 'Maps' }).locator('..')
  expect(Math.round((await drawer.boundingBox())?.width ?? 0)).toBe(240)
  await page.keyboard.press('Tab')
  await expect(drawer.getByRole('link', { name: 'Live' })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(heading(page, 'Vehicle Distribution')).toBeVisible()
  await go(page, `${home}/mobility/reporting/trip-distance`)
  await expect(heading(page, 'Trip Distances')).toBeVisible()
  await page.getByRole('button', { name: 'Next dashboard' }).click()
  await expect(page).toHaveURL(`${home}/mobility/reporting/trip-duration`)
  await page.getByLabel('Dashboard', { exact: true }).selectOption('Times and Days')
  await expect(heading(page, 'Times and Days')).toBeVisible()

  for (const [name, address] of [
    ['Admin', /\/admin/],
    ['Help', /\/help$/],
  ] as const) {
    await findSettings(page).click()
    const [tab] = await Promise.all([
      context.waitForEvent('page'),
      page.getByRole('menu', { name: 'Settings' }).getByRole('menuitem', { name }).click(),
    ])
    await expect(tab).toHaveURL(address)
    await tab.close()
  }
  await findSettings(page).click()
  await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click()
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(findSettings(page)).toBeFocused()

  await page.getByRole('button', { name: /^Mobility Manager/ }).click()
  await page.getByRole('menuitem', { name: 'Curb Manager' }).click()
  await expect(page).toHaveURL(`${home}/curb/management/metrics`)
  await page.getByRole('button', { name: 'Open the side drawer' }).click()
  await page.reload()
  expect(Math.round((await shelf.boundingBox())?.width ?? 0)).toBe(240)

  await context.setOffline(true)
  const blocker = page.getByRole('dialog', { name: 'No Internet Connection' })
  await expect(blocker).toContainText('Please reconnect in order to continue using the app')
  await page.keyboard.press('Escape')
  await expect(blocker).toBeVisible()
  await context.setOffline(false)
  await expect(blocker).toHaveCount(0)

  // A city with MDS data has the map of routes.
  await go(page, `${home}/mobility/no/such/page`)
  await expect(page).toHaveURL(`${home}/mobility/maps/live`)
  await page.getByRole('button', { name: 'Maps' }).click()
  await page.getByRole('link', { name: 'Routes', exact: true }).click()
  await expect(heading(page, 'Routes')).toBeVisible()
})
