import { currentTotp } from '../current-totp.ts'
import { expectClean } from './clean.ts'
import { readResponse, expect, fillSignIn, findInMessage, type Page, test } from './fixtures.ts'

const path = '/port-meridian/mobility/policies'
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const openProfile = async (page: Page) => {
  await press(page, 'Settings')
  await page.getByRole('menuitem', { name: 'Profile Settings' }).click()
}
const confirmAdded = async (page: Page) => {
  await expect(page.getByRole('status').filter({ hasText: 'Multi-factor device added' })).toBeVisible()
  await press(page, 'Continue')
}

test('an app and a phone are added, requested at sign-in, replaced by a recovery code, and removed', async ({
  page,
  person: { email },
}) => {
  await page.goto(path)
  await openProfile(page)
  await press(page, 'Add authenticator app')
  await expect(page.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible()
  await page.getByLabel('Code from the app').fill('000000')
  await press(page, 'Confirm')
  await expect(page.getByRole('alert')).toHaveText('Multi-factor ErrorThe code is wrong.')
  await expectClean(page, 'QR code')
  const key = (await page.getByText(/^[A-Z2-7]{4}(?: [A-Z2-7]{1,4})+$/).textContent()) ?? ''
  await page.getByLabel('Code from the app').fill(currentTotp(key))
  await press(page, 'Confirm')
  const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await expect(codes).toHaveCount(10)
  await page.keyboard.press('Escape')
  await expectClean(page, 'recovery codes')
  const recovery = (await codes.first().textContent()) ?? ''
  await page.getByLabel('I have stored these codes').check()
  await press(page, 'Continue')
  await expectClean(page, 'added')
  await confirmAdded(page)

  const number = `+1555${String(Date.now()).slice(-7)}`
  await press(page, 'Add text message')
  await page.getByLabel('Phone number').fill('030 1234567')
  await press(page, 'Send code')
  await expect(page.getByText('The phone number must include a country code.')).toBeVisible()
  await expectClean(page, 'phone number')
  await page.getByLabel('Phone number').fill(number)
  await press(page, 'Send code')
  await expect(page.getByText(`The code was sent to ${number}.`)).toBeVisible()
  const first = await findInMessage(page, number, /(\d{6}) is your/)
  await page.getByLabel('Code from the message').fill(first)
  await press(page, 'Confirm')
  await confirmAdded(page)

  await page.goto('/logout')
  await fillSignIn(page, email)
  await expect(page.getByRole('heading', { name: 'Second factor' })).toBeVisible()
  expect((await page.request.get('/v2/users/me')).status()).toBe(401)
  await press(page, 'Use a text message')
  await press(page, 'Send code')
  await expect(page.getByText('The code was sent. It works for five minutes.')).toBeVisible()
  await expectClean(page, 'code sent')
  const sent = await findInMessage(page, number, /(\d{6}) is your/)
  expect(sent).not.toBe(first)
  await page.getByLabel('Code from the message').fill(sent)
  await press(page, 'Verify')
  await page.waitForURL(/\/mobility\//)

  await page.goto('/logout')
  await fillSignIn(page, email)
  await page.getByLabel('Code from the app').pressSequentially('0a0b0c0-0 0')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toHaveText('Multifactor ErrorThe code is wrong.')
  await expectClean(page, 'challenge')
  // The code of the enrollment is used up; a clock may be half a minute fast.
  await page.getByLabel('Code from the app').fill(currentTotp(key, 1))
  await press(page, 'Verify')
  await page.waitForURL(/\/mobility\//)

  await page.goto('/logout')
  await fillSignIn(page, email)
  await press(page, 'Use a recovery code')
  await page.getByLabel('Recovery code').fill(recovery.toUpperCase())
  await press(page, 'Verify')
  await page.waitForURL(/\/mobility\//)
  await openProfile(page)
  await press(page, 'Remove a second factor')
  await expect(page.getByRole('dialog')).toContainText(
    /removed: Authenticator app.*Your other second factors/,
  )
  await expectClean(page, 'removal')
  await press(page, 'Remove')
  await expect(page.getByRole('list', { name: 'Second factors' }).getByRole('listitem')).toHaveText([
    /^Text message/,
  ])
})

test('no page opens without the second factor that the organization requires', async ({
  page,
  person,
  admin,
}) => {
  expect(await readResponse(page.request.get('/v2/users/me'))).toMatchObject({ email: person.email })
  const { organizationId } = await readResponse<{ organizationId: string }>(admin.get('/v2/users/me'))
  const requireSecondFactor = (mfaRequired: boolean) =>
    readResponse(admin.patch(`/v2/organizations/${organizationId}`, { data: { settings: { mfaRequired } } }))
  // An administrator who requires a second factor needs one too, to undo it.
  const { key } = await readResponse<{ key: string }>(
    admin.post('/api/auth/multi-factor/totp/start', { data: {} }),
  )
  await readResponse(admin.post('/api/auth/multi-factor/totp/finish', { data: { code: currentTotp(key) } }))
  await requireSecondFactor(true)
  try {
    await page.goto(path)
    await expect(
      page.getByText('Your organization requires a second factor. Choose one to continue.'),
    ).toBeVisible()
    await expect(page.getByRole('heading', { level: 1, name: 'Policies Library' })).toHaveCount(0)
    expect((await page.request.get('/v2/regions')).status()).toBe(403)
    await expectClean(page, 'chooser')
  } finally {
    await requireSecondFactor(false)
    await readResponse(admin.post('/api/auth/multi-factor/unenrol', { data: {} }))
  }
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'Policies Library' })).toBeVisible()
})
