import { expect, type Page, test } from '@playwright/test'
import { clean } from './clean.ts'
import { fromElsewhere, givePassword, invite, messageTo, newPerson, password } from './people.ts'

// The first region by name: other specs make some.
const app = /\/[\w-]+\/mobility\//
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })

test.beforeEach(({ context }) => fromElsewhere(context))

test('an invitation leads to a password, and the terms stand before the app until they are accepted', async ({
  page,
  browser,
}) => {
  const { email, link } = await invite(browser)
  await page.goto(link)
  await expect(page).toHaveURL(/\/login\/new-password\?token=/)
  await page.getByLabel('New password', { exact: true }).fill('too short')
  await page.getByRole('button', { name: 'Set password' }).click()
  await expect(page.getByText('The password needs at least 10 characters.')).toBeVisible()
  await clean(page, 'new password')
  await page.getByLabel('New password', { exact: true }).fill(password)
  await page.getByLabel('New password again').fill(`${password}!`)
  await page.keyboard.press('Enter')
  await expect(page.getByText('The two passwords are not the same.')).toBeVisible()
  await page.getByLabel('New password again').fill(password)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Your new password is set. Sign in with it.')).toBeVisible()
  await clean(page, 'confirmation')

  await givePassword(page, email)
  const terms = page.getByRole('dialog', { name: 'Terms of service' })
  await expect(terms).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(terms).toBeVisible()
  await clean(page, 'terms')
  await terms.getByRole('button', { name: 'Cancel' }).click()
  await page.waitForURL(/\/login/)
  expect((await page.request.get('/v2/users/me')).status()).toBe(401)
  await givePassword(page, email)
  await terms.getByRole('button', { name: 'Accept' }).click()
  await expect(terms).toHaveCount(0)
  await page.reload()
  await expect(page.getByRole('button', { name: 'Settings', exact: true })).toBeVisible()
  await expect(terms).toHaveCount(0)
})

test('a forgotten password is reset by mail; the link serves once', async ({ page, browser }) => {
  const email = await newPerson(browser, page)
  await page.goto('/logout')
  await page.getByRole('button', { name: 'Reset Password' }).click()
  await expect(page.getByText('Enter your e-mail address: the mail goes there.')).toBeVisible()
  // Nobody learns whether there is such an account.
  for (const address of ['nobody@portmeridian.example', email]) {
    await page.getByLabel('E-mail').fill(address)
    await page.getByRole('button', { name: 'Reset Password' }).click()
    await expect(page.getByRole('status')).toHaveText(/^Password Reset Email Sent/)
  }
  await clean(page, 'mail sent')
  const link = await messageTo(page, email, /href="[^"]*(\/login\/new-password\?token=[\w-]+)"/)
  await page.goto(link)
  await page.getByLabel('New password', { exact: true }).fill('another password')
  await page.getByLabel('New password again').fill('another password')
  await page.getByRole('button', { name: 'Set password' }).click()
  await page.waitForURL(/\/login\?said=newPassword/)
  await givePassword(page, email)
  await expect(page.getByRole('alert')).toHaveText('Login ErrorThe e-mail or the password is wrong.')
  await givePassword(page, email, 'another password')
  await page.waitForURL(app)

  await page.goto('/logout')
  await expect(page.getByRole('button', { name: 'Login', exact: true })).toBeVisible()
  await page.goto(link)
  await page.getByLabel('New password', { exact: true }).fill(password)
  await page.getByLabel('New password again').fill(password)
  await page.getByRole('button', { name: 'Set password' }).click()
  await expect(page.getByRole('alert')).toContainText('This link was used already or is too old.')
  await page.getByRole('link', { name: 'Ask for a new link' }).click()
  await expect(page.getByRole('button', { name: 'Reset Password' })).toBeVisible()
})

test('name and password are changed in the profile', async ({ page, browser }) => {
  const email = await newPerson(browser, page)
  await page.getByRole('button', { name: 'Settings', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Profile Settings' }).click()
  const profile = page.getByRole('dialog', { name: 'Profile Settings' })
  await expect(profile.getByLabel('E-mail')).toHaveValue(email)
  await profile.getByLabel('Name').fill('Nadia New')
  await profile.getByRole('button', { name: 'Save' }).click()
  await expect(profile.getByText('Saved')).toBeVisible()
  await profile.getByRole('button', { name: 'Reset Password' }).click()
  await expect(profile.getByText('Password Reset Email Sent')).toBeVisible()
  await clean(page, 'profile')
  await profile.getByRole('button', { name: 'Change password' }).click()
  const form = page.getByRole('dialog', { name: 'Change password' })
  await form.getByLabel('Current password').fill('not this one')
  await form.getByLabel('New password', { exact: true }).fill('another password')
  await form.getByLabel('New password again').fill('another password')
  await form.getByRole('button', { name: 'Change password' }).click()
  await expect(form.getByText('The current password is wrong.')).toBeVisible()
  await clean(page, 'change password')
  await form.getByLabel('Current password').fill(password)
  await form.getByRole('button', { name: 'Change password' }).click()
  await expect(profile.getByText('Password changed')).toBeVisible()
  await page.reload()
  await page.getByRole('button', { name: 'Settings', exact: true }).click()
  await expect(page.getByText('Nadia New')).toBeVisible()
  await page.goto('/logout')
  await givePassword(page, email, 'another password')
  await page.waitForURL(app)
})

test('who does nothing for an hour is signed out, and comes back to the same place', async ({
  page,
  browser,
}) => {
  const email = await newPerson(browser, page)
  await page.clock.install()
  await page.goto('/port-meridian/mobility/geographies')
  await expect(heading(page, 'Geographies')).toBeVisible()
  await page.clock.fastForward('59:00')
  await page.mouse.move(200, 200)
  await page.clock.runFor(1000)
  await page.clock.fastForward('59:00')
  await expect(heading(page, 'Geographies')).toBeVisible()
  await page.clock.fastForward('01:00')
  await page.waitForURL(/\/login/)
  await expect(page.getByText('You were signed out because nothing was done for 60 minutes.')).toBeVisible()
  expect((await page.request.get('/v2/users/me')).status()).toBe(401)
  await givePassword(page, email)
  await page.waitForURL('/port-meridian/mobility/geographies')
  await expect(heading(page, 'Geographies')).toBeVisible()
})

test('an hour away counts at load too', async ({ page, browser }) => {
  await newPerson(browser, page)
  await page.goto('/port-meridian/mobility/geographies')
  await expect(heading(page, 'Geographies')).toBeVisible()
  await page.evaluate(() => localStorage.setItem('publicway.last-active', String(Date.now() - 3_600_000)))
  await page.reload()
  await page.waitForURL(/\/login.*said=idle/)
  expect((await page.request.get('/v2/users/me')).status()).toBe(401)
})

test('a sign-out in one tab leads all tabs to the sign-in page, and nothing of the user stays', async ({
  page,
  context,
  browser,
}) => {
  await newPerson(browser, page)
  const other = await context.newPage()
  await other.goto('/port-meridian/mobility/geographies')
  await expect(heading(other, 'Geographies')).toBeVisible()
  await page.getByRole('button', { name: 'Settings', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Sign Out' }).click()
  await page.waitForURL(/\/login/)
  await other.waitForURL(/\/login\?origin=/)
  await expect(other.getByLabel('E-mail')).toHaveValue('')
  expect(
    await page.evaluate(() => [
      localStorage.getItem('publicway.user'),
      localStorage.getItem('publicway.last-active'),
    ]),
  ).toEqual([null, null])
})

test('an expired session keeps whose it was; the sign-in page begins with the address', async ({
  page,
  context,
  browser,
}) => {
  const email = await newPerson(browser, page)
  await context.clearCookies()
  await page.goto('/port-meridian/curb/geographies')
  await page.waitForURL(/\/login\?origin=/)
  await expect(page.getByLabel('E-mail')).toHaveValue(email)
  await givePassword(page, email)
  await page.waitForURL('/port-meridian/curb/geographies')
})

test('the sign-in page in Spanish, its terms, and whom to ask for a demo', async ({ page }) => {
  await page.goto('/login')
  await expect(page.getByRole('link', { name: 'Request a demo' })).toHaveAttribute('href', /^mailto:/)
  await page.getByRole('link', { name: 'Terms of service' }).click()
  await expect(heading(page, 'Terms of service')).toBeVisible()
  await clean(page, 'terms page')
  await page.getByRole('link', { name: 'To the sign-in page' }).click()
  await page.getByLabel('Language').selectOption('Español')
  await expect(page.getByRole('button', { name: 'Entrar', exact: true })).toBeVisible()
  await page.reload()
  await page.getByLabel('Correo electrónico').fill('viewer@portmeridian.example')
  await page.getByLabel('Contraseña').first().fill('no es')
  await page.getByRole('button', { name: 'Entrar', exact: true }).click()
  await expect(page.getByRole('alert')).toHaveText(
    'Error de inicio de sesiónEl correo o la contraseña no son correctos.',
  )
  await clean(page, 'Spanish')
  await page.getByRole('link', { name: 'Condiciones del servicio' }).click()
  await expect(heading(page, 'Condiciones del servicio')).toBeVisible()
})
