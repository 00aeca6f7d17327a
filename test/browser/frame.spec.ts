import { expect, type Page, test } from '@playwright/test'
import { clean } from './clean.ts'
import { signInAs } from './sign-in-page.ts'

const home = '/port-meridian'
const mobility = (path: string) => `mobility/${path}`
const curb = (path: string) => `curb/${path}`

/** Every page of the route tree with what the tab and the page call it; `heading` where the two differ. */
const pages: readonly [
  path: string,
  product: 'Mobility Manager' | 'Curb Manager',
  name: string,
  heading?: string,
][] = [
  ...(
    [
      ['activity-summary', 'Activity Summary'],
      ['maps/live', 'Live'],
      ['maps/311', '311'],
      ['maps/distribution', 'Vehicle Distribution'],
      ['maps/operator-drop-offs', 'Operator Drop-offs'],
      ['maps/parking', 'Parking'],
      ['reporting/trip-counts', 'Vehicle & Trip Counts'],
      ['reporting/mobility-metrics', 'Mobility Metrics'],
      ['reporting/export', 'Export'],
      ['reporting/trip-distance', 'Trip Distances'],
      ['reporting/trip-duration', 'Trip Durations'],
      ['reporting/time-of-day', 'Times and Days'],
      ['reporting/trip-distance-by-tech', 'Trip Distance by Tech'],
      ['reporting/trip-speed-by-tech', 'Trip Speed by Tech'],
      ['reporting/parking-time', 'Parked Time'],
      ['reporting/parking-time-by-district', 'Parked Time by District'],
      ['policies', 'Policies Library'],
      ['policies/create', 'Create Policy'],
      ['policies/compliance', 'Compliance'],
      ['invoicing', 'Policy Fees and Invoicing'],
      ['geographies', 'Geographies'],
      ['data-health', 'MDS Data Health'],
      ['trip-files', 'Files'],
    ] as const
  ).map(([path, name]) => [mobility(path), 'Mobility Manager', name] as [string, 'Mobility Manager', string]),
  ...(
    [
      ['management/metrics', 'Dashboard Metrics'],
      ['management/activity', 'Activity Map'],
      ['parking-insights/revenue', 'Parking Revenue'],
      ['parking-insights/transactions', 'Transactions'],
      ['parking-insights/pricing-engine', 'Pricing Engine'],
      ['parking-insights/occupancy', 'Occupancy'],
      ['regulations/library', 'Regulations Library'],
      ['regulations/map', 'Regulations Map'],
      ['revenue/fees-and-revenue', 'Fees and Revenue'],
      ['geographies', 'Geographies'],
    ] as const
  ).map(([path, name]) => [curb(path), 'Curb Manager', name] as [string, 'Curb Manager', string]),
  [
    mobility('policies/duplicate'),
    'Mobility Manager',
    'Duplicate Policy',
    "The policy you selected can't be found",
  ],
  ['mobile/live', 'Mobility Manager', 'Mobile Live Map', 'Live map of Port Meridian'],
]

/** What the page writes to the console as errors, and what it throws. */
function errorsOf(page: Page): string[] {
  const errors: string[] = []
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  page.on('pageerror', (error) => errors.push(String(error)))
  return errors
}
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const lost = 'Sorry, we can’t seem to find what you’re looking for...'

test('every page of the tree opens by its address, with its title and heading and no error', async ({
  page,
}) => {
  test.setTimeout(240_000)
  const errors = errorsOf(page)
  await signInAs(page, 'administrator')
  for (const [path, product, name, shown = name] of pages) {
    await page.goto(`${home}/${path}`)
    await expect(heading(page, shown), path).toBeVisible()
    await expect(page, path).toHaveTitle(`${product} · ${name}`)
    await expect(page, path).toHaveURL(new RegExp(`${home}/${path}(?:\\?|$)`))
  }
  expect(errors).toEqual([])
})

test('addresses that lead on arrive: indexes, unknown ones, other names', async ({ page }) => {
  await signInAs(page, 'administrator')
  for (const path of [
    '',
    '/mobility',
    '/mobility/maps',
    '/mobility/maps/nowhere',
    '/mobility/no/such/page',
  ]) {
    await page.goto(`${home}${path}`)
    await expect(page, path).toHaveURL(`${home}/mobility/maps/live`)
  }
  for (const path of [
    '/curb',
    '/curb/regulations',
    '/curb/management',
    '/curb/parking-insights',
    '/curb/revenue',
  ]) {
    await page.goto(`${home}${path}`)
    await expect(page, path).toHaveURL(`${home}/curb/management/metrics`)
  }
  await page.goto(`${home}/mobility/mds-data-health`)
  await expect(page).toHaveURL(`${home}/mobility/data-health`)
  await page.goto('/nowhere-at-all/mobility/geographies')
  await expect(page).toHaveURL(`${home}/mobility/maps/live`)
})

test('the Routes map is off in a city without MDS data', async ({ page }) => {
  await signInAs(page, 'administrator')
  const region = (await (await page.request.get('/v2/regions/port-meridian')).json()) as {
    hasMdsData: boolean
  }
  await page.goto(`${home}/mobility/maps/routes`)
  await expect(heading(page, region.hasMdsData ? 'Routes' : lost)).toBeVisible()
  await page.getByRole('button', { name: 'Maps' }).click()
  await expect(page.getByRole('link', { name: 'Routes', exact: true })).toHaveCount(region.hasMdsData ? 1 : 0)
})

test('what is not there says so: addresses, policies', async ({ page }) => {
  await signInAs(page, 'administrator')
  for (const path of ['/404', '/curb/nowhere', '/nothing/here']) {
    await page.goto(`${home}${path}`)
    await expect(heading(page, lost), path).toBeVisible()
    await expect(page).toHaveTitle(/^(?:Mobility|Curb) Manager · Not found$/)
  }
  await page.getByRole('button', { name: 'Contact the team' }).click()
  await expect(page.getByRole('dialog', { name: 'Contact the team' }).getByLabel('Message')).toHaveValue(
    /I cannot find what I am looking for at .*nothing\/here/,
  )
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Return to the app' }).click()
  await expect(page).toHaveURL(`${home}/mobility/maps/live`)
  for (const path of ['policies/17', 'policies/17/edit']) {
    await page.goto(`${home}/mobility/${path}`)
    await expect(heading(page, "The policy you selected can't be found"), path).toBeVisible()
  }
  await page.getByRole('link', { name: 'Open the Policies Library' }).click()
  await expect(heading(page, 'Policies Library')).toBeVisible()
})

test('public pages need no sign-in, all others lead to it', async ({ page }) => {
  for (const [path, title, text] of [
    ['policies', 'Mobility Manager · Public Policies', 'Two days at one place'],
    ['routes', 'Mobility Manager · Public Routes', 'Streets with fewer than 10 trips'],
    ['regulations', 'Curb Manager · Public Regulations', 'No curb regulations are published yet.'],
  ] as const) {
    await page.goto(`${home}/public/${path}`)
    await expect(page).toHaveTitle(title)
    await expect(page.getByText(text).first()).toBeVisible()
  }
  await page.goto(`${home}/curb/geographies`)
  await page.waitForURL(/\/login\?origin=/)
})

test('a viewer finds no page that needs a permission, and no administration', async ({ page }) => {
  await signInAs(page, 'viewer')
  for (const path of ['mobility/policies/create', 'mobility/policies/17/edit', 'mobility/trip-files']) {
    await page.goto(`${home}/${path}`)
    await expect(heading(page, lost), path).toBeVisible()
  }
  await page.getByRole('button', { name: 'Settings', exact: true }).click()
  await expect(page.getByRole('menuitem', { name: 'Sign Out' })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: 'Admin' })).toHaveCount(0)
})

test('the shelf works by keyboard alone, and marks where one is', async ({ page }) => {
  await signInAs(page, 'administrator')
  await page.goto(`${home}/mobility/geographies`)
  const shelf = page.getByRole('navigation', { name: 'Areas' })
  await shelf.getByRole('button', { name: 'Reporting' }).focus()
  await page.keyboard.press('Enter')
  const drawer = shelf.getByRole('heading', { name: 'Reporting' }).locator('..')
  expect(Math.round((await drawer.boundingBox())?.width ?? 0)).toBe(240)
  await expect(drawer.getByRole('link')).toHaveText([
    'Vehicle & Trip Counts',
    'Mobility Metrics',
    'Time & Distance',
    'Micromobility Parking',
    'Export',
  ])
  await page.keyboard.press('Tab')
  await expect(drawer.getByRole('link', { name: 'Vehicle & Trip Counts' })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(heading(page, 'Trip Distances')).toBeVisible()
  await page.getByRole('button', { name: 'Next dashboard' }).click()
  await expect(page).toHaveURL(`${home}/mobility/reporting/trip-duration`)
  await page.getByLabel('Dashboard', { exact: true }).selectOption('Times and Days')
  await expect(heading(page, 'Times and Days')).toBeVisible()
  await shelf.getByRole('button', { name: 'Reporting' }).press('Enter')
  await expect(shelf.getByRole('link', { name: 'Time & Distance' })).toHaveAttribute('aria-current', 'page')
  await page.keyboard.press('Escape')
  await expect(shelf.getByRole('link', { name: 'Time & Distance' })).toHaveCount(0)
})

test('the product is changed, and the curb unfolds into its side drawer and stays so', async ({ page }) => {
  await signInAs(page, 'administrator')
  await page.goto(`${home}/mobility/geographies`)
  await page.getByRole('button', { name: /^Mobility Manager/ }).click()
  await page.getByRole('menuitem', { name: 'Curb Manager' }).click()
  await expect(page).toHaveURL(`${home}/curb/management/metrics`)
  await page.getByRole('button', { name: 'Open the side drawer' }).click()
  await page.reload()
  const drawer = page.getByRole('navigation', { name: 'Areas' })
  await expect(drawer.getByRole('heading')).toHaveText([
    'Digital Smart Zones',
    'Parking Insights',
    'Regulations',
    'Geographies',
  ])
  expect(Math.round((await drawer.boundingBox())?.width ?? 0)).toBe(240)
  await drawer.getByRole('button', { name: 'Switch' }).click()
  await page.getByRole('dialog', { name: 'Switch' }).getByRole('link', { name: 'Mobility Manager' }).click()
  await expect(page).toHaveURL(`${home}/mobility/maps/live`)
})

test('administration opens in a new tab, help leads to the help site', async ({ page, context }) => {
  await signInAs(page, 'administrator')
  await page.goto(`${home}/mobility/geographies`)
  await page.getByRole('button', { name: 'Settings', exact: true }).click()
  const [tab] = await Promise.all([
    context.waitForEvent('page'),
    page.getByRole('menuitem', { name: 'Admin' }).click(),
  ])
  await expect(tab).toHaveURL(/\/admin/)
  await tab.close()
  await page.getByRole('button', { name: 'Settings', exact: true }).click()
  const [help] = await Promise.all([
    context.waitForEvent('page'),
    page.getByRole('menu', { name: 'Settings' }).getByRole('menuitem', { name: 'Help' }).click(),
  ])
  await expect(help).toHaveURL(/\/v2\/docs/)
  await help.close()
  await page.getByRole('button', { name: 'Settings', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click()
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Settings', exact: true })).toBeFocused()
})

test('without a network a blocker stands in the way, whether or not anything is asked', async ({
  page,
  context,
}) => {
  await signInAs(page, 'planner')
  await page.goto(`${home}/mobility/geographies`)
  await expect(heading(page, 'Geographies')).toBeVisible()
  await context.setOffline(true)
  const blocker = page.getByRole('dialog', { name: 'No Internet Connection' })
  await expect(blocker).toContainText('Please reconnect in order to continue using the app')
  await page.keyboard.press('Escape')
  await expect(blocker).toBeVisible()
  await context.setOffline(false)
  await expect(blocker).toHaveCount(0)
})

test('small screens choose once between the live map and the full app', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signInAs(page, 'planner')
  await page.goto(`${home}/mobility/geographies`)
  await page.getByRole('button', { name: 'View the full app' }).click()
  await expect(heading(page, 'Geographies')).toBeVisible()
  await page.reload()
  await expect(heading(page, 'Geographies')).toBeVisible()
  await expect(page.getByRole('button', { name: 'View the full app' })).toHaveCount(0)
  await page.evaluate(() => localStorage.removeItem('publicway.screen-size'))
  await page.reload()
  await page.getByRole('button', { name: 'View the mobile Live Map' }).click()
  await expect(page).toHaveURL(`${home}/mobile/live`)
})

test('sizes between are told of the beta, once', async ({ page }) => {
  await page.setViewportSize({ width: 900, height: 700 })
  await signInAs(page, 'planner')
  await page.goto(`${home}/mobility/geographies`)
  const notice = page.getByRole('dialog', { name: 'Mobile Beta' })
  await expect(notice).toContainText('not optimized')
  await expect(notice.getByRole('button', { name: 'Contact the team' })).toBeVisible()
  await notice.getByRole('button', { name: 'Continue' }).click()
  await page.reload()
  await expect(heading(page, 'Geographies')).toBeVisible()
  await expect(notice).toHaveCount(0)
})

test('another version of the server is told in the way', async ({ page }) => {
  await signInAs(page, 'planner')
  await page.route('**/v2/regions/port-meridian', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, headers: { ...answer.headers(), 'x-api-version': '48.69.0' } })
  })
  await page.goto(`${home}/mobility/geographies`)
  await expect(page.getByRole('dialog', { name: 'The app was updated' })).toBeVisible()
})

test('axe finds nothing in the frame, light and dark', async ({ page }) => {
  test.setTimeout(180_000)
  for (const [path, name] of [
    ['policies', 'Public policies of Port Meridian'],
    ['regulations', 'Public curb regulations of Port Meridian'],
  ] as const) {
    await page.goto(`${home}/public/${path}`)
    await expect(heading(page, name)).toBeVisible()
    await clean(page, `public ${path}`)
  }
  await signInAs(page, 'administrator')
  for (const path of [
    'mobility/maps/distribution',
    'mobility/reporting/trip-distance',
    'mobility/policies/17',
    'curb/management/metrics',
    'curb/geographies',
    '404',
  ]) {
    await page.goto(`${home}/${path}`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.waitForLoadState('networkidle')
    await clean(page, path)
  }
  await page.getByRole('button', { name: 'Contact the team' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await clean(page, 'contact')
  await page.goto(`${home}/mobility/maps/distribution`)
  await expect(heading(page, 'Vehicle Distribution')).toBeVisible()
  await page.getByRole('button', { name: 'Reporting' }).click()
  await clean(page, 'drawer')
  await page.getByRole('button', { name: 'Settings', exact: true }).click()
  await expect(page.getByRole('menu', { name: 'Settings' })).toBeVisible()
  await clean(page, 'settings')
  await page.evaluate(() => localStorage.setItem('publicway.curb-drawer', 'true'))
  await page.goto(`${home}/curb/regulations/library`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.getByRole('button', { name: 'Switch' }).click()
  await expect(page.getByRole('dialog', { name: 'Switch' })).toBeVisible()
  await clean(page, 'side drawer')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${home}/mobility/maps/distribution`)
  await expect(page.getByRole('button', { name: 'View the full app' })).toBeVisible()
  await page.waitForLoadState('networkidle')
  await clean(page, 'small screen')
  await page.getByRole('button', { name: 'View the full app' }).click()
  await page.getByRole('button', { name: 'Menu' }).click()
  await expect(page.getByRole('dialog', { name: 'Menu' })).toBeVisible()
  await clean(page, 'menu')
})
