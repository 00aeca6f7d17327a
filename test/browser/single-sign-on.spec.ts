import { type RealProvider, startRealProvider } from '../oidc/real-provider.ts'
import { readResponse, expect, type Page, test } from './fixtures.ts'

const failed =
  'There was an error logging you in via your SSO provider. Please contact your account manager to resolve this issue.'
const email = 'planner@portmeridian.example'

let provider: RealProvider
let providerId: string
test.beforeAll(async ({ admin, baseURL }) => {
  const { organizationId } = await readResponse<{ organizationId: string }>(admin.get('/v2/users/me'))
  provider = await startRealProvider(`${baseURL}/api/sso/callback/${organizationId}`)
  provider.people.set('planner', { email, email_verified: true, name: 'Pia Planner' })
  provider.people.set('someone', { email: 'someone@portmeridian.example', email_verified: false })
  const data = {
    name: 'City of Port Meridian',
    issuer: provider.issuer,
    client_id: provider.clientId,
    client_secret: provider.clientSecret,
    email_domains: ['portmeridian.example'],
  }
  providerId = (await readResponse<{ id: string }>(admin.post('/v2/sign_in_providers', { data }))).id
})
test.afterAll(async ({ admin }) => {
  await admin.delete(`/v2/sign_in_providers/${providerId}`)
  provider.close()
})

/** Signs in on the page of the provider, and consents on the next one. */
async function passProvider(page: Page, person: string): Promise<void> {
  await page.waitForURL((url) => url.origin === provider.issuer)
  await page.getByPlaceholder('Enter any login').fill(person)
  await page.getByPlaceholder('and password').fill('any')
  await page.getByRole('button', { name: 'Sign-in' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
}

test('an issuer link leads to its provider and back into the app, and the provider is remembered after signing out', async ({
  page,
}) => {
  await page.goto(`/oidc/login?iss=${encodeURIComponent(provider.issuer)}`)
  await passProvider(page, 'planner')
  await page.waitForURL(/\/[\w-]+\/mobility\//)
  expect(await (await page.request.get('/v2/users/me')).json()).toMatchObject({
    email,
    providerData: expect.arrayContaining([{ providerId: 'password' }, { providerId: `oidc:${providerId}` }]),
  })
  const stored = await page.evaluate(() => JSON.stringify(localStorage))
  expect(stored).toContain('City of Port Meridian')
  expect(stored).not.toMatch(/token|eyJ/)
  expect(await page.evaluate(() => document.cookie)).not.toContain('session')

  await page.goto('/logout')
  await expect(page.getByLabel('E-mail')).toBeDisabled()
  await expect(page.getByLabel('E-mail')).toHaveValue(email)
  await expect(page.getByLabel('Password')).toHaveCount(0)
  expect((await page.request.get('/v2/users/me')).status()).toBe(401)
  // The provider still has a session, so it asks for no second sign-in.
  await page.getByRole('button', { name: 'Login via SSO' }).click()
  await page.waitForURL(/\/[\w-]+\/mobility\//)

  await page.goto('/logout')
  await page.getByRole('button', { name: `Not ${email}? Login with a different email address.` }).click()
  await expect(page.getByLabel('E-mail')).toBeFocused()
  await expect(page.getByRole('button', { name: 'Login', exact: true })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Login', exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Login via SSO' })).toHaveCount(0)
})

test('the first sign-in finds the provider by email and returns to the requested page', async ({ page }) => {
  await page.goto('/port-meridian/mobility/geographies')
  await page.waitForURL(/\/login/)
  await page.getByRole('button', { name: 'Use single sign-on' }).click()
  await expect(page.getByText(/Enter your e-mail address first/)).toBeVisible()
  await page.getByLabel('E-mail').fill('someone@unknown.example')
  await page.getByRole('button', { name: 'Use single sign-on' }).click()
  await expect(page.getByRole('alert')).toContainText(
    'No single sign-on is set up for the domain of this e-mail address.',
  )
  await page.goto('/login?origin=%2Fport-meridian%2Fmobility%2Fgeographies')
  await page.getByLabel('E-mail').fill(email)
  await page.getByRole('button', { name: 'Use single sign-on' }).click()
  // The provider has received the email already.
  await expect(page.getByPlaceholder('Enter any login')).toHaveValue(email)
  await passProvider(page, 'planner')
  await page.waitForURL(/\/port-meridian\/mobility\/geographies/)
})

test('a user whom the provider has not verified is refused, with a code and an id', async ({ page }) => {
  await page.goto(`/oidc/login?provider_id=${providerId}`)
  await passProvider(page, 'someone')
  await expect(page.getByRole('alert')).toContainText(`${failed}SIGN_IN_REFUSED`)
  await expect(page.getByRole('alert')).toContainText(/Error id, for support: [0-9a-f]{8}/)
  expect((await page.request.get('/v2/users/me')).status()).toBe(401)
})

test('a sign-in canceled at the provider shows a message', async ({ page }) => {
  await page.goto(`/oidc/login?provider_id=${providerId}`)
  await page.getByRole('link', { name: /Cancel/ }).click()
  await expect(page.getByRole('alert')).toContainText('SIGN_IN_CANCELLED')
})

test('a popup calls back into the window that opened it, and closes', async ({ page }) => {
  await page.goto('/login')
  const messages = page.evaluate(
    () =>
      new Promise<unknown[]>((resolve) => {
        const messages: unknown[] = []
        const note = (what: unknown) => void (messages.push(what) === 2 && resolve(messages))
        window.addEventListener('message', ({ data, origin }) => note({ data, origin }))
        Object.assign(window, { onOauth2LoginClose: note })
      }),
  )
  const opened = page.waitForEvent('popup')
  await page.evaluate((id) => void window.open(`/api/sso/start?provider_id=${id}&mode=popup`), providerId)
  const popup = await opened
  const closed = popup.waitForEvent('close')
  await passProvider(popup, 'planner')
  await closed
  const hash = `#provider_id=${providerId}`
  expect(await messages).toEqual(
    expect.arrayContaining([
      hash,
      { data: { type: 'oauth2-login-close', hash }, origin: new URL(page.url()).origin },
    ]),
  )
  expect((await page.request.get('/v2/users/me')).status()).toBe(200)
})
