import { expect, type Page, test } from '@playwright/test'
import { totpOf } from '../totp-of.ts'
import { clean } from './clean.ts'
import { fromElsewhere, givePassword, messageTo, newPerson } from './people.ts'
import { signInByForm } from './sign-in-page.ts'

// The first region by name: other specs make some.
const app = /\/[\w-]+\/mobility\//

const openProfile = async (page: Page) => {
  await page.getByRole('button', { name: 'Settings', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Profile Settings' }).click()
}
/** The key below the QR code, with the first code typed. */
async function scan(page: Page): Promise<string> {
  await expect(page.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible()
  const key = (await page.getByText(/^[A-Z2-7]{4}(?: [A-Z2-7]{1,4})+$/).textContent()) ?? ''
  await page.getByLabel('Code of the app').fill(totpOf(key))
  await page.getByRole('button', { name: 'Confirm' }).click()
  return key
}
/** Reads the recovery codes, and says that they are kept. */
async function keepCodes(page: Page): Promise<string[]> {
  const list = page.getByRole('list', { name: 'Recovery codes' })
  await expect(list.getByRole('listitem')).toHaveCount(10)
  const codes = await list.getByRole('listitem').allTextContents()
  await page.getByLabel('I have kept these codes').check()
  await page.getByRole('button', { name: 'Continue' }).click()
  return codes
}
const confirmAdded = async (page: Page) => {
  await expect(page.getByRole('status').filter({ hasText: 'Multi-factor device added' })).toBeVisible()
  await page.getByRole('button', { name: 'Continue' }).click()
}

test.beforeEach(({ context }) => fromElsewhere(context))

test('an authenticator app is added, asked for, replaced by a recovery code, and removed', async ({
  page,
  browser,
}) => {
  test.setTimeout(120_000)
  const email = await newPerson(browser, page)
  await openProfile(page)
  await page.getByRole('button', { name: 'Add authenticator app' }).click()
  await expect(page.getByLabel('Code of the app')).toBeVisible()
  await clean(page, 'QR code')
  await page.getByLabel('Code of the app').fill('000000')
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByRole('alert')).toHaveText('Multi-factor ErrorThe code is wrong.')
  const key = await scan(page)
  await expect(page.getByRole('list', { name: 'Recovery codes' })).toBeVisible()
  await page.keyboard.press('Escape')
  await clean(page, 'recovery codes')
  const [recovery = ''] = await keepCodes(page)
  await clean(page, 'added')
  await confirmAdded(page)
  await expect(page.getByRole('list', { name: 'Second factors' })).toContainText('Authenticator app')

  await page.goto('/logout')
  await givePassword(page, email)
  await expect(page.getByRole('heading', { name: 'Second factor' })).toBeVisible()
  expect((await page.request.get('/v2/users/me')).status()).toBe(401)
  await page.getByRole('button', { name: 'Verify' }).click()
  await expect(page.getByText('MFA code required')).toBeVisible()
  await page.getByLabel('Code of the app').pressSequentially('0a0b0c0-0 0')
  await expect(page.getByLabel('Code of the app')).toHaveValue('000000')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toHaveText('Multifactor ErrorThe code is wrong.')
  await clean(page, 'challenge')
  // The code of the enrolment was used; a clock may be half a minute fast.
  await page.getByLabel('Code of the app').fill(totpOf(key, 1))
  await page.getByRole('button', { name: 'Verify' }).click()
  await page.waitForURL(app)

  await page.goto('/logout')
  await givePassword(page, email)
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await page.getByLabel('Recovery code').fill(recovery.toUpperCase())
  await page.getByRole('button', { name: 'Verify' }).click()
  await page.waitForURL(app)
  await openProfile(page)
  await page.getByRole('button', { name: 'Renew recovery codes' }).click()
  await page.getByRole('button', { name: 'Renew recovery codes' }).click()
  const renewed = await keepCodes(page)
  expect(renewed).not.toContain(recovery)

  await page.getByRole('button', { name: 'Remove a second factor' }).click()
  await expect(page.getByRole('dialog')).toContainText(
    'Only the first enrolled second factor is removed: Authenticator app.',
  )
  await clean(page, 'removal')
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(page.getByText('Multi-factor device removed')).toBeVisible()
  await page.goto('/logout')
  await givePassword(page, email)
  await page.waitForURL(app)
})

test('a phone is added with its country code, and its code signs in; the older one is removed first', async ({
  page,
  browser,
}) => {
  test.setTimeout(120_000)
  const email = await newPerson(browser, page)
  const number = `+1555${String(Date.now()).slice(-7)}`
  await openProfile(page)
  await page.getByRole('button', { name: 'Add text message' }).click()
  await page.getByRole('button', { name: 'Send code' }).click()
  await expect(page.getByText('All fields are required.')).toBeVisible()
  await page.getByLabel('Phone number').fill('030 1234567')
  await page.getByRole('button', { name: 'Send code' }).click()
  await expect(page.getByText('The phone number must include a country code.')).toBeVisible()
  await clean(page, 'phone number')
  // The plus is added.
  await page.getByLabel('Phone number').fill(number.slice(1))
  await page.getByRole('button', { name: 'Send code' }).click()
  await expect(page.getByText(`The code was sent to ${number}.`)).toBeVisible()
  await page.getByLabel('Code of the message').fill(await messageTo(page, number, /(\d{6}) is your/))
  await page.getByRole('button', { name: 'Confirm' }).click()
  await keepCodes(page)
  await confirmAdded(page)
  await page.getByRole('button', { name: 'Add authenticator app' }).click()
  const key = await scan(page)
  // The recovery codes of the first factor go on.
  await confirmAdded(page)

  await page.goto('/logout')
  await givePassword(page, email)
  await expect(
    page.getByText(
      `A code is sent as a text message to ${'•'.repeat(number.length - 2)}${number.slice(-2)}.`,
    ),
  ).toBeVisible()
  await expect(page.getByRole('button', { name: 'Use the authenticator app' })).toBeVisible()
  const before = await messageTo(page, number, /(\d{6}) is your/)
  await page.getByRole('button', { name: 'Send code' }).click()
  await expect(page.getByText('The code was sent. It works for five minutes.')).toBeVisible()
  await clean(page, 'code sent')
  const sent = await messageTo(page, number, /(\d{6}) is your/)
  expect(sent).not.toBe(before)
  await page.getByLabel('Code of the message').fill(sent)
  await page.getByRole('button', { name: 'Verify' }).click()
  await page.waitForURL(app)

  await openProfile(page)
  await page.getByRole('button', { name: 'Remove a second factor' }).click()
  await expect(page.getByRole('dialog')).toContainText(/removed: Text message to .*The others stay/)
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(page.getByRole('list', { name: 'Second factors' }).getByRole('listitem')).toHaveText([
    /^Authenticator app/,
  ])
  await page.goto('/logout')
  await givePassword(page, email)
  await page.getByLabel('Code of the app').fill(totpOf(key, 1))
  await page.getByRole('button', { name: 'Verify' }).click()
  await page.waitForURL(app)
})

test('too many wrong codes lead back to the password, with the reason', async ({ page, browser }) => {
  test.setTimeout(120_000)
  const email = await newPerson(browser, page)
  await openProfile(page)
  await page.getByRole('button', { name: 'Add authenticator app' }).click()
  await scan(page)
  await keepCodes(page)
  await confirmAdded(page)
  await page.goto('/logout')
  await givePassword(page, email)
  await expect(page.getByLabel('Code of the app')).toBeVisible()
  const back = page.getByLabel('Password').first()
  for (let i = 0; i < 14 && !(await back.isVisible()); i++) {
    await page.getByLabel('Code of the app').fill('000000')
    await page.getByRole('button', { name: 'Verify' }).click()
    await expect(page.getByRole('alert')).toBeVisible()
    await expect(back.or(page.getByLabel('Code of the app')).first()).toHaveValue('')
  }
  await expect(back).toHaveValue('')
  await expect(page.getByRole('alert')).toHaveText(
    'Multifactor ErrorToo many attempts. Wait a while and try again.',
  )
})

test('a sign-in that is too old signs out, and the enrolment goes on after the next', async ({
  page,
  browser,
}) => {
  const email = await newPerson(browser, page)
  await page.route(
    '**/api/auth/multi-factor/totp/start',
    (route) => route.fulfill({ status: 403, json: { code: 'CREDENTIAL_TOO_OLD_LOGIN_AGAIN', message: 'x' } }),
    { times: 1 },
  )
  await openProfile(page)
  await page.getByRole('button', { name: 'Add authenticator app' }).click()
  await page.waitForURL(/\/login.*said=tooOld/)
  expect((await page.request.get('/v2/users/me')).status()).toBe(401)
  await givePassword(page, email)
  await expect(page.getByRole('heading', { name: 'Add a second factor' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Not now' })).toBeVisible()
  await clean(page, 'chooser')
  await page.getByRole('button', { name: /^Authenticator app/ }).click()
  await scan(page)
  await keepCodes(page)
  await confirmAdded(page)
  await page.waitForURL(app)
  await expect(page.getByRole('button', { name: 'Settings', exact: true })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Settings', exact: true })).toBeVisible()
})

test('where the organization requires a second factor, nobody is in without one', async ({
  page,
  browser,
}) => {
  test.setTimeout(120_000)
  const email = await newPerson(browser, page)
  const adminContext = await browser.newContext()
  await fromElsewhere(adminContext)
  const admin = await adminContext.newPage()
  await signInByForm(admin, 'administrator')
  const post = async (path: string, data: object = {}) => {
    const answer = await admin.request.post(`/api/auth${path}`, {
      data,
      headers: { origin: new URL(admin.url()).origin },
    })
    expect(answer.status(), await answer.text()).toBe(200)
    return (await answer.json()) as { key?: string }
  }
  const require = async (mfaRequired: boolean) => {
    const { organizationId } = (await (await admin.request.get('/v2/users/me')).json()) as {
      organizationId: string
    }
    expect(
      (
        await admin.request.patch(`/v2/organizations/${organizationId}`, {
          data: { settings: { mfaRequired } },
        })
      ).status(),
    ).toBe(200)
  }
  // Who requires it needs one too, to take it back.
  const { key = '' } = await post('/multi-factor/totp/start')
  await post('/multi-factor/totp/finish', { code: totpOf(key) })
  await require(true)
  try {
    await page.goto('/port-meridian/mobility/geographies')
    await expect(
      page.getByText('Your organization requires a second factor. Choose one to go on.'),
    ).toBeVisible()
    await expect(page.getByRole('button', { name: 'Not now' })).toHaveCount(0)
    await expect(page.getByRole('heading', { level: 1, name: 'Geographies' })).toHaveCount(0)
    expect((await page.request.get('/v2/regions')).status()).toBe(403)
    await page.getByRole('button', { name: /^Text message/ }).click()
    await page.getByRole('button', { name: 'Back' }).click()
    await page.getByRole('button', { name: /^Authenticator app/ }).click()
    await scan(page)
    await keepCodes(page)
    await clean(page, 'added')
    await confirmAdded(page)
    await expect(page.getByRole('heading', { level: 1, name: 'Geographies' })).toBeVisible()
    // Without the only one the gate is shut again.
    await openProfile(page)
    await page.getByRole('button', { name: 'Remove a second factor' }).click()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await expect(
      page.getByText('Your organization requires a second factor. Choose one to go on.'),
    ).toBeVisible()
  } finally {
    await require(false)
    await post('/multi-factor/unenrol')
    await adminContext.close()
  }
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'Geographies' })).toBeVisible()
  expect(email).toContain('@')
})
