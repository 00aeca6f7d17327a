import { expectClean } from './clean.ts'
import { expect, fillSignIn, findInMessage, heading, password, test } from './fixtures.ts'

// The first region by name: other specs create some.
const app = /\/[\w-]+\/mobility\//

test('an invited user sets a password, signs in, accepts the terms, and resets a forgotten password by email', async ({
  page,
  invited,
}) => {
  await page.goto(invited.link)
  await expect(page).toHaveURL(/\/login\/new-password\?token=/)
  await page.getByLabel('New password', { exact: true }).fill(password)
  await page.getByLabel('New password again').fill(`${password}!`)
  await page.keyboard.press('Enter')
  await expect(page.getByText('The two passwords are not the same.')).toBeVisible()
  await expectClean(page, 'new password')
  await page.getByLabel('New password again').fill(password)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Your new password is set. Sign in with it.')).toBeVisible()
  await fillSignIn(page, invited.email)
  const terms = page.getByRole('dialog', { name: 'Terms of service' })
  await expect(terms).toBeVisible()
  await expectClean(page, 'terms')
  await terms.getByRole('button', { name: 'Accept' }).click()
  await expect(terms).toHaveCount(0)
  await page.reload()
  await expect(page.getByRole('button', { name: 'Settings', exact: true })).toBeVisible()
  await expect(terms).toHaveCount(0)

  await page.goto('/logout')
  await page.getByLabel('E-mail').fill(invited.email)
  await page.getByRole('button', { name: 'Reset Password' }).click()
  await expect(page.getByRole('status')).toHaveText(/^Password Reset Email Sent/)
  await page.goto(
    await findInMessage(page, invited.email, /href="[^"]*(\/login\/new-password\?token=[\w-]+)"/),
  )
  await page.getByLabel('New password', { exact: true }).fill('another password')
  await page.getByLabel('New password again').fill('another password')
  await page.getByRole('button', { name: 'Set password' }).click()
  await page.waitForURL(/\/login\?said=newPassword/)
  await fillSignIn(page, invited.email, 'another password')
  await page.waitForURL(app)
})

test('name and password are changed, and an hour without activity or a sign-out in another tab signs out', async ({
  page,
  context,
  person,
}) => {
  const screen = '/port-meridian/mobility/policies'
  await page.goto(screen)
  await page.getByRole('button', { name: 'Settings', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Profile Settings' }).click()
  const profile = page.getByRole('dialog', { name: 'Profile Settings' })
  await expect(profile.getByLabel('E-mail')).toHaveValue(person.email)
  await profile.getByLabel('Name').fill('Nadia New')
  await profile.getByRole('button', { name: 'Save' }).click()
  await expect(profile.getByText('Saved')).toBeVisible()
  await expectClean(page, 'profile')
  await profile.getByRole('button', { name: 'Change password' }).click()
  const form = page.getByRole('dialog', { name: 'Change password' })
  await form.getByLabel('Current password').fill('not this one')
  await form.getByLabel('New password', { exact: true }).fill('another password')
  await form.getByLabel('New password again').fill('another password')
  await form.getByRole('button', { name: 'Change password' }).click()
  await expect(form.getByText('The current password is wrong.')).toBeVisible()
  await expectClean(page, 'change password')
  await form.getByLabel('Current password').fill(password)
  await form.getByRole('button', { name: 'Change password' }).click()
  await expect(profile.getByText('Password changed')).toBeVisible()
  await page.reload()
  await page.getByRole('button', { name: 'Settings', exact: true }).click()
  await expect(page.getByText('Nadia New')).toBeVisible()

  const makeLastActivity = (minutesAgo: number) =>
    page.evaluate(
      (ms) => localStorage.setItem('publicway.last-active', String(Date.now() - ms)),
      minutesAgo * 60_000,
    )
  // Without a fake clock, which replays a frame for each 16 ms and takes many times as long on a busy machine.
  await makeLastActivity(59)
  await page.mouse.move(200, 200)
  await expect
    .poll(() => page.evaluate(() => Date.now() - Number(localStorage.getItem('publicway.last-active'))))
    .toBeLessThan(60_000)
  await makeLastActivity(60)
  await page.mouse.move(300, 300)
  await page.waitForURL(/\/login/)
  await expect(page.getByText('You were signed out after 60 minutes without activity.')).toBeVisible()
  expect((await page.request.get('/v2/users/me')).status()).toBe(401)
  await fillSignIn(page, person.email, 'another password')
  await page.waitForURL(screen)
  await expect(heading(page, 'Policies Library')).toBeVisible()

  const otherTab = await context.newPage()
  await otherTab.goto(screen)
  await expect(heading(otherTab, 'Policies Library')).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('publicway.user'))).toContain(person.email)
  await page.getByRole('button', { name: 'Settings', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Sign Out' }).click()
  await page.waitForURL(/\/login/)
  await otherTab.waitForURL(/\/login\?origin=/)
  await expect(otherTab.getByLabel('E-mail')).toHaveValue('')
  const readStorage = () =>
    ['publicway.user', 'publicway.last-active'].map((key) => localStorage.getItem(key))
  expect(await page.evaluate(readStorage)).toEqual([null, null])
})
