// Opens every screen by its address, checks its title, and expects that axe finds nothing in both color schemes.
import { expectClean } from './clean.ts'
import { collectErrors, expect, go, heading, type Page, test } from './fixtures.ts'

interface Screen {
  what: string
  /** The screen opens from the one before if absent. */
  path?: string
  /** Opens by a page load instead of a link of the screen before. */
  isLoaded?: boolean
  /** Title of the tab. */
  title?: string
  heading?: string | RegExp
  open?: (page: Page) => Promise<unknown>
  /** Whether the server rejects a request of this screen, which the console shows. */
  isRefused?: boolean
  /** Rules of axe that do not apply. */
  without?: string[]
}
const press = (name: string | RegExp) => (page: Page) =>
  page.getByRole('button', { name, exact: true }).first().click()

const reading: Screen[] = [
  ['activity-summary', 'Activity Summary'],
  ['maps/live', 'Live'],
  ['maps/distribution', 'Vehicle Distribution'],
  ['maps/trips', 'Trips'],
  ['policies', 'Policies Library'],
  ['policies/create', 'Create Policy'],
  ['policies/duplicate', 'Duplicate Policy', "The policy you selected can't be found"],
  ['policies/17', 'Policy', "The policy you selected can't be found"],
  ['geographies', 'Geographies'],
  ['data-health', 'MDS Data Health'],
  ['trip-files', 'Files'],
].map(([path = '', title = '', other]) => ({
  what: path,
  path: `/port-meridian/mobility/${path}`,
  title: `Mobility Manager · ${title}`,
  heading: other ?? title,
}))
const reports: Screen[] = [
  ['trip-counts', 'Vehicle & Trip Counts', 'Counts by operator and vehicle type'],
  ['mobility-metrics', 'Mobility Metrics', 'All metrics by operator'],
  ['trip-distance', 'Trip Distances', 'Summary by group'],
  ['parking-time-by-district', 'Parked Time by District', 'Parking events by area'],
  ['bikeshare-stations', 'Bikeshare Stations', 'Stations'],
].map(([path = '', title = '', table = '']) => ({
  what: `reporting/${path}`,
  path: `/port-meridian/mobility/reporting/${path}?period=last_30_days`,
  title: `Mobility Manager · ${title}`,
  heading: title,
  open: (page) => expect(page.getByRole('table', { name: table })).toBeVisible(),
}))
const invoicing: Screen[] = [
  ...(['invoices', 'payments', 'aging', 'settings'] as const).map((tab) => ({
    what: `invoicing, ${tab}`,
    path: `/port-meridian/mobility/invoicing?tab=${tab}`,
    title: 'Mobility Manager · Policy Fees and Invoicing',
    heading: 'Policy Fees and Invoicing',
  })),
  {
    what: 'new draft invoice',
    path: '/port-meridian/mobility/invoicing?tab=invoices',
    open: async (page) => {
      await press('New draft')(page)
      const dialog = page.getByRole('dialog', { name: 'New draft invoice' })
      await dialog.getByRole('combobox', { name: 'Operator' }).click()
      await page.getByRole('option', { name: 'Zephyr' }).click()
    },
  },
  {
    what: 'unknown invoice',
    path: '/port-meridian/mobility/invoicing/17',
    title: 'Mobility Manager · Invoice',
    heading: 'There is no such invoice',
  },
]
const curb: Screen[] = [
  ['management/metrics', 'Dashboard Metrics'],
  ['management/activity', 'Activity Map'],
  ['parking-insights/revenue', 'Parking Revenue'],
  ['parking-insights/transactions', 'Transactions'],
  ['parking-insights/transactions/imports', 'Payment Imports'],
  ['parking-insights/transactions/locations', 'Payment Locations'],
  ['parking-insights/pricing-engine', 'Pricing Engine'],
  ['parking-insights/pricing-engine?mode=back_test', 'Pricing Engine'],
  ['parking-insights/occupancy', 'Occupancy'],
  ['parking-insights/occupancy/counts', 'Counts and Calibration'],
  ['regulations/library', 'Regulations Library'],
  ['regulations/zones', 'Curb Zones'],
  ['regulations/zones/history', 'History of Curb Zones'],
  ['regulations/imports', 'Curb Imports'],
  ['regulations/map', 'Regulations Map'],
  ['regulations/allocation', 'Curb Allocation'],
  ['revenue/fees-and-revenue', 'Fees and Revenue'],
].map(([path = '', title = '']) => ({
  what: `curb/${path}`,
  path: `/port-meridian/curb/${path}`,
  title: `Curb Manager · ${title}`,
}))
const exporting: Screen = {
  what: 'reporting/export',
  path: '/port-meridian/mobility/reporting/export',
  title: 'Mobility Manager · Export',
  heading: 'Export',
  open: async (page) => {
    await page.getByRole('button', { name: /^Columns: / }).click()
    await expect(page.getByRole('checkbox', { name: 'trip_id' })).toBeVisible()
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    const table = page.getByRole('table', { name: 'Your exports' })
    await expect(table.getByText('Ready').first()).toBeVisible({ timeout: 60_000 })
  },
}
const lost = 'Sorry, we can’t seem to find what you’re looking for...'

const frame: Screen[] = [
  {
    what: 'area drawer',
    path: '/port-meridian/mobility/geographies',
    title: 'Mobility Manager · Geographies',
    heading: 'Geographies',
    open: press('Maps'),
  },
  {
    what: 'settings',
    open: (page) =>
      press('Settings')(page).then(() => expect(page.getByRole('menu', { name: 'Settings' })).toBeVisible()),
  },
  {
    what: 'side drawer',
    path: '/port-meridian/curb/management/metrics',
    title: 'Curb Manager · Dashboard Metrics',
    heading: 'Dashboard Metrics',
    open: async (page) => {
      await press('Open the side drawer')(page)
      await press('Switch')(page)
      await expect(page.getByRole('dialog', { name: 'Switch' })).toBeVisible()
    },
  },
  {
    what: 'contact',
    path: '/port-meridian/404',
    title: 'Mobility Manager · Not found',
    heading: lost,
    open: press('Contact the team'),
  },
  {
    what: 'notice for tablets',
    path: '/port-meridian/mobility/activity-summary',
    open: async (page) => {
      await page.setViewportSize({ width: 900, height: 700 })
      await expect(page.getByRole('dialog', { name: 'Mobile Beta' })).toBeVisible()
    },
  },
  {
    what: 'notice for phones',
    open: async (page) => {
      await page.setViewportSize({ width: 390, height: 844 })
      await expect(page.getByRole('button', { name: 'View the full app' })).toBeVisible()
    },
  },
  {
    what: 'menu',
    open: async (page) => {
      await press('View the full app')(page)
      await press('Menu')(page)
      await expect(page.getByRole('dialog', { name: 'Menu' })).toBeVisible()
    },
  },
]

const makeDialog = (what: string, path: string, button: string): Screen => ({
  what,
  path: `/admin/${path}`,
  isLoaded: true,
  open: async (page) => {
    await press(button)(page)
    await expect(page.getByRole('dialog').or(page.getByRole('menu'))).toBeVisible()
  },
})
const administration: Screen[] = [
  ...[
    ['organization', 'Organization'],
    ['regions', 'Regions'],
    ['users', 'Users'],
    ['roles', 'Roles'],
    ['sign-in', 'Sign-in'],
    ['audit', 'Audit log'],
    ['work', 'Background work'],
  ].map(([path = '', title = '']) => ({
    what: path,
    path: `/admin/${path}`,
    title: `Mobility Manager · ${title}`,
    heading: title,
  })),
  {
    what: 'background work on a phone',
    open: async (page) => {
      await page.setViewportSize({ width: 390, height: 844 })
      // Rows become lists without anything beside the screen.
      const jobs = page.getByRole('table', { name: 'Jobs' })
      await expect.poll(() => jobs.evaluate(({ scrollWidth }) => scrollWidth)).toBeLessThanOrEqual(390)
      await expect(jobs.getByText('Next run').first()).toBeVisible()
    },
  },
  {
    what: 'selected users',
    path: '/admin/users',
    open: async (page) => {
      await page.setViewportSize({ width: 1024, height: 640 })
      await page.getByRole('checkbox', { name: 'Select all rows on this page' }).check()
    },
  },
  {
    ...makeDialog('an API key', 'api-keys', 'Create a key'),
    // The buttons at the bottom never cover the field with the focus.
    open: async (page) => {
      await press('Create a key')(page)
      const lastScope = page.getByRole('checkbox', { name: 'Read CDS Metrics' })
      await page.getByRole('checkbox', { name: 'Read curb events' }).focus()
      await page.keyboard.press('Tab')
      await expect(lastScope).toBeFocused()
      const [field, foot] = [
        await lastScope.boundingBox(),
        await page.getByRole('button', { name: 'Create key' }).boundingBox(),
      ]
      expect((field?.y ?? 0) + (field?.height ?? 0)).toBeLessThan(foot?.y ?? 0)
    },
  },
  makeDialog('a webhook', 'webhooks', 'Add a webhook'),
  { what: 'calls of the API', path: '/admin/try-api' },
  makeDialog('a region', 'regions', 'Add a region'),
  makeDialog('a role', 'roles', 'Add a role'),
  makeDialog('a provider', 'sign-in', 'Add a provider'),
  makeDialog('an invitation', 'users', 'Invite a user'),
  makeDialog('actions', 'users', 'Actions for admin@portmeridian.example'),
  {
    what: 'a user',
    open: async (page) => {
      await page.getByRole('menuitem', { name: 'Edit name, operator, roles, regions' }).click()
      await page.getByRole('dialog').getByRole('radio', { name: 'Only these regions' }).check()
    },
  },
  {
    what: 'impersonation without a user',
    path: '/impersonate',
    open: (page) => expect(page.getByRole('alert')).toBeVisible(),
  },
]

const signIn: Screen[] = [
  { what: 'sign-in', path: '/login', title: 'Mobility Manager · Sign in' },
  { what: 'terms', path: '/terms', heading: 'Terms of service' },
  {
    what: 'public policies',
    path: '/port-meridian/public/policies',
    heading: 'Public policies of Port Meridian',
  },
  {
    what: 'public regulations',
    path: '/port-meridian/public/regulations',
    heading: 'Public curb regulations of Port Meridian',
  },
  { what: 'public rates', path: '/port-meridian/public/rates', heading: /rates/i },
  {
    what: 'invitation that is over',
    path: '/onboarding/none',
    heading: 'This invitation is no longer valid',
    isRefused: true,
  },
  {
    what: 'mail',
    path: '/login',
    open: async (page) => {
      await page.getByLabel('E-mail').fill('nobody@portmeridian.example')
      await press('Reset Password')(page)
      await expect(page.getByRole('status')).toHaveText(/^Password Reset Email Sent/)
    },
  },
  {
    what: 'password is set',
    path: '/login?said=newPassword',
    open: (page) => expect(page.getByText('Your new password is set.')).toBeVisible(),
  },
  {
    what: 'provider failed',
    path: '/login?sso_error=SIGN_IN_REFUSED&sso_id=0123abcd',
    open: async (page) => {
      await expect(page.getByRole('alert')).toBeVisible()
      await press('Use single sign-on')(page)
    },
  },
  {
    what: 'single sign-on without a provider',
    path: '/oidc/login',
    open: (page) => expect(page.getByRole('alert')).toBeVisible(),
  },
  {
    what: 'popup',
    path: '/oauth2/login/close',
    open: (page) => expect(page.getByText('You can close this window.')).toBeVisible(),
  },
  {
    what: 'known provider',
    path: '/login',
    open: async (page) => {
      const provider = { providerId: 'city', name: 'City', email: 'planner@portmeridian.example' }
      await page.evaluate(
        (stored) => localStorage.setItem('publicway.sign-in-provider', stored),
        JSON.stringify(provider),
      )
      await page.reload()
      await expect(page.getByRole('button', { name: 'Login via SSO' })).toBeVisible()
      await page.evaluate(() => localStorage.clear())
    },
  },
  {
    what: 'error in Spanish',
    isRefused: true,
    path: '/login',
    open: async (page) => {
      await page.getByLabel('Language').selectOption('Español')
      await page.getByLabel('Correo electrónico').fill('viewer@portmeridian.example')
      await page.getByLabel('Contraseña').first().fill('no es')
      await press('Iniciar sesión')(page)
      await expect(page.getByRole('alert')).toContainText(
        'El correo electrónico o la contraseña no son correctos.',
      )
    },
  },
]
const gallery: Screen[] = [
  { what: 'charts', path: '/dev/gallery/charts', heading: 'Trips of two operators' },
  { what: 'gallery', path: '/dev/gallery', heading: 'Widgets' },
  {
    what: 'date range',
    open: async (page) => {
      await page
        .getByRole('button', { name: /^Filled/ })
        .first()
        .click()
      await expect(page.getByRole('table')).toHaveCount(2)
    },
  },
  {
    what: 'date range with an error',
    open: async (page) => {
      await page.getByRole('textbox', { name: 'Start date' }).fill('13/45/2026')
      await press('Done')(page)
    },
  },
  {
    what: 'list of a combobox',
    open: async (page) => {
      await press('Cancel')(page)
      await page.getByRole('combobox', { name: 'Many · Filled' }).click()
      await expect(page.getByRole('option', { name: 'Amber' })).toBeVisible()
    },
    // The list is at the end of the page, outside of the regions, so that nothing clips it.
    without: ['region'],
  },
]

test.describe.configure({ mode: 'parallel' })
for (const [group, role, screens] of [
  ['reading', 'administrator', [...reading, ...reports, exporting]],
  ['invoicing', 'administrator', invoicing],
  ['the curb', 'administrator', curb],
  ['the frame', 'administrator', frame],
  ['administration', 'administrator', administration],
  ['sign-in', null, signIn],
  ['widgets', null, gallery],
] as const)
  test.describe(group, () => {
    test.use({ role })
    test(`${group}: opens without errors, and axe finds nothing`, async ({ page }) => {
      const errors = collectErrors(page)
      for (const [at, screen] of screens.entries()) {
        const { what, path, title, heading: name, open, without, isRefused } = screen
        if (path) await (at === 0 || !role || screen.isLoaded ? page.goto(path) : go(page, path))
        if (name) await expect(heading(page, name), what).toBeVisible()
        if (title) await expect(page, what).toHaveTitle(title)
        await open?.(page)
        await expect(page.locator('[aria-busy=true]'), what).toHaveCount(0)
        await expectClean(page, what, without)
        expect(isRefused ? [] : errors, what).toEqual([])
        errors.length = 0
      }
    })
  })
