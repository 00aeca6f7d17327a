import { expect, type Page, test } from '@playwright/test'
import { clean } from './clean.ts'
import { signInAs } from './sign-in-page.ts'

const newcomer = {
  email: `newcomer-${Date.now()}@portmeridian.example`,
  name: 'New Comer',
  password: 'the newcomer has a password',
}
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const lost = 'Sorry, we can’t seem to find what you’re looking for...'

const open = async (page: Page, path: string, name: string): Promise<void> => {
  await page.goto(path)
  await expect(heading(page, name)).toBeVisible()
  await page.waitForLoadState('networkidle')
}
const actOn = async (page: Page, email: string, act: string): Promise<void> => {
  await page.getByRole('button', { name: `Actions for ${email}` }).click()
  await page
    .getByRole('menu', { name: `Actions for ${email}` })
    .getByRole('menuitem', { name: act })
    .click()
}
const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })

test('administration opens with the organization, and its pages lead to one another', async ({ page }) => {
  await signInAs(page, 'administrator')
  await page.goto('/admin')
  await expect(heading(page, 'Organization')).toBeVisible()
  const nav = page.getByRole('navigation', { name: 'Administration' })
  for (const name of ['Regions', 'Users', 'Roles', 'Sign-in', 'Audit log', 'Organization']) {
    await nav.getByRole('link', { name, exact: true }).click()
    await expect(heading(page, name)).toBeVisible()
    await expect(nav.locator('[aria-current=page]')).toHaveText(name)
    await expect(page).toHaveTitle(`Mobility Manager · ${name}`)
  }
})

test('a user is invited, chooses a password by the link and signs in; the link is over then', async ({
  page,
  browser,
  baseURL,
}) => {
  await signInAs(page, 'administrator')
  await open(page, '/admin/users', 'Users')
  await page.getByRole('button', { name: 'Invite a user' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Invite a user' })
  await expect(dialog.getByLabel('E-mail')).toBeFocused()
  await page.keyboard.type(newcomer.email)
  await page.keyboard.press('Tab')
  await page.keyboard.type(newcomer.name)
  await page.keyboard.press('Enter')
  const link = await page.getByLabel('Link of the invitation', { exact: true }).inputValue()
  expect(link).toMatch(/\/onboarding\/[0-9a-f-]{36}$/)
  await page.keyboard.press('Escape')
  await expect(rowOf(page, newcomer.email)).toContainText('Invited')

  const theirs = await (await browser.newContext({ baseURL })).newPage()
  await theirs.goto(new URL(link).pathname)
  await theirs.waitForURL(/\/login\/new-password\?token=/)
  await theirs.getByLabel('New password', { exact: true }).fill(newcomer.password)
  await theirs.getByLabel('New password again').fill(newcomer.password)
  await theirs.getByRole('button', { name: 'Set password' }).click()
  await theirs.waitForURL((url) => url.pathname === '/login')
  await theirs.getByLabel('E-mail').fill(newcomer.email)
  await theirs.getByLabel('Password').first().fill(newcomer.password)
  await theirs.getByRole('button', { name: 'Login', exact: true }).click()
  await theirs.waitForURL((url) => !url.pathname.startsWith('/login'))
  expect((await (await theirs.request.get('/v2/users/me')).json()) as object).toMatchObject({
    email: newcomer.email,
  })
  await theirs.goto(new URL(link).pathname)
  await expect(heading(theirs, 'This invitation is over')).toBeVisible()

  // Disabled, they are out at once.
  await page.reload()
  await expect(rowOf(page, newcomer.email)).toContainText('Active')
  await actOn(page, newcomer.email, 'Disable')
  await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
  await expect(rowOf(page, newcomer.email)).toContainText('Disabled')
  expect((await theirs.request.get('/v2/users/me')).status()).toBe(403)
  await theirs.context().close()
  await open(page, `/admin/audit?search=changeUser`, 'Audit log')
  await expect(rowOf(page, 'admin@portmeridian.example').first()).toContainText('changeUser')
})

test('a role gives its permissions to who has it, and takes them along when it goes', async ({ page }) => {
  await signInAs(page, 'administrator')
  await open(page, '/admin/roles', 'Roles')
  await page.getByRole('button', { name: 'Add a role' }).first().click()
  await page.getByRole('dialog').getByLabel('Name').fill('Policy desk')
  await page.getByRole('switch', { name: 'Edit policies' }).press('Space')
  await page.getByRole('button', { name: 'Create role' }).click()
  await expect(rowOf(page, 'Policy desk')).toContainText('Edit policies')

  await open(page, '/admin/users', 'Users')
  await actOn(page, 'viewer@portmeridian.example', 'Change name, operator, roles, regions')
  await page.getByRole('checkbox', { name: 'Policy desk' }).check()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(rowOf(page, 'viewer@portmeridian.example')).toContainText('Policy desk')

  await open(page, '/admin/roles', 'Roles')
  await page.getByRole('button', { name: 'Delete Policy desk' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('No roles yet')).toBeVisible()
  await open(page, '/admin/users', 'Users')
  await expect(rowOf(page, 'viewer@portmeridian.example')).toContainText('None')
})

test('the last administrator stays one, and it is said where it was tried', async ({ page }) => {
  await signInAs(page, 'administrator')
  await open(page, '/admin/users', 'Users')
  await actOn(page, 'admin@portmeridian.example', 'Change name, operator, roles, regions')
  await page.getByRole('switch', { name: 'Administrator' }).press('Space')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText(
    'This would leave your organization without an administrator.',
  )
})

test('an administrator looks on as another user, and the audit log names both', async ({ page }) => {
  await signInAs(page, 'administrator')
  await open(page, '/admin/users', 'Users')
  await actOn(page, 'viewer@portmeridian.example', 'View as this user')
  await expect(page.getByText('Viewing as viewer@portmeridian.example')).toBeVisible()
  await page.goto('/admin/users')
  await expect(heading(page, lost)).toBeVisible()
  await page.getByRole('button', { name: 'End Session' }).click()
  await expect(page.getByText('Viewing as')).toHaveCount(0)
  await open(page, '/admin/audit', 'Audit log')
  await page.getByRole('switch', { name: 'Only in another’s name' }).press('Space')
  await expect(page).toHaveURL(/impersonated=true/)
  await expect(rowOf(page, 'viewer@portmeridian.example').first()).toContainText('admin@portmeridian.example')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: /^Download CSV/ }).click()
  expect((await download).suggestedFilename()).toMatch(/^audit-log-.*\.csv$/)
})

test('whom nobody may look on as is said plainly', async ({ page }) => {
  await signInAs(page, 'administrator')
  await page.goto('/impersonate?id=nobody&email=nobody%40portmeridian.example')
  await expect(page.getByText('There is no such user in your organization.')).toBeVisible()
  await page.goto('/impersonate?id=nobody')
  await expect(page.getByText('The address must name the user by id and e-mail')).toBeVisible()
})

test('a feature that is switched off is gone from the app, and one is asked before changes are lost', async ({
  page,
}) => {
  const counts = '/port-meridian/mobility/reporting/trip-counts'
  await signInAs(page, 'administrator')
  await open(page, '/admin/organization', 'Organization')
  const flag = page.getByRole('switch', { name: 'Vehicle and trip counts' })
  const turn = async (told: string): Promise<void> => {
    await flag.press('Space')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText(`Saved. Vehicle and trip counts: ${told}`)).toBeVisible()
  }
  await turn('off')
  try {
    await page.goto(counts)
    await expect(heading(page, lost)).toBeVisible()
  } finally {
    await open(page, '/admin/organization', 'Organization')
    await turn('on')
  }
  await page.goto(counts)
  await expect(heading(page, 'Vehicle & Trip Counts')).toBeVisible()

  await open(page, '/admin/organization', 'Organization')
  await flag.press('Space')
  await page.getByRole('link', { name: 'Roles' }).click()
  await page
    .getByRole('dialog', { name: 'Leave without saving?' })
    .getByRole('button', { name: 'Cancel' })
    .click()
  await expect(flag).not.toBeChecked()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('link', { name: 'Roles' }).click()
  await expect(heading(page, 'Roles')).toBeVisible()
})

test('a broken invitation says so, with little JavaScript', async ({ page }) => {
  const scripts: number[] = []
  page.on('response', async (response) => {
    if (response.url().endsWith('.js'))
      scripts.push(Number((await response.request().sizes()).responseBodySize))
  })
  await page.goto('/onboarding/8f14e45f-ceea-467f-a0e6-7a1d2b3c4d5e')
  await expect(heading(page, 'This invitation is over')).toBeVisible()
  await page.waitForLoadState('networkidle')
  expect(scripts.length).toBeGreaterThan(0)
  expect(scripts.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(160_000)
})

test('axe finds nothing on the pages and dialogs of administrators, light and dark', async ({ page }) => {
  test.setTimeout(180_000)
  const check = (what: string): Promise<void> => clean(page, what)
  await page.goto('/onboarding/none')
  await expect(heading(page, 'This invitation is over')).toBeVisible()
  await check('onboarding')
  await signInAs(page, 'administrator')
  for (const [path, name] of [
    ['organization', 'Organization'],
    ['regions', 'Regions'],
    ['users', 'Users'],
    ['roles', 'Roles'],
    ['sign-in', 'Sign-in'],
    ['audit', 'Audit log'],
  ] as const) {
    await open(page, `/admin/${path}`, name)
    await check(path)
  }
  for (const [path, button] of [
    ['users', 'Invite a user'],
    ['roles', 'Add a role'],
    ['sign-in', 'Add a provider'],
    ['regions', 'Add a region'],
    ['users', 'Actions for admin@portmeridian.example'],
  ] as const) {
    await page.goto(`/admin/${path}`)
    await page.getByRole('button', { name: button }).first().click()
    await expect(page.getByRole('dialog').or(page.getByRole('menu'))).toBeVisible()
    await check(button)
  }
  await page.getByRole('menuitem', { name: 'Change name, operator, roles, regions' }).click()
  await page.getByRole('dialog').getByRole('radio', { name: 'Only these' }).check()
  await check('a user')
  await page.goto('/impersonate')
  await expect(page.getByRole('alert')).toBeVisible()
  await check('impersonate')
})
