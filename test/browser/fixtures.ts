import { randomUUID } from 'node:crypto'
import { type APIRequestContext, expect, type Page, test as base } from '@playwright/test'
import { ports, sessionFile } from './servers.js'

export const password = 'a password of many letters'

export interface Person {
  email: string
  /** The path of the invitation. */
  link: string
}

/** Each worker has a server of its own, so that tests in it follow one another. */
const getAddress = (worker: number): string => `http://127.0.0.1:${ports[worker]}`

/** Every test has its own IP address: the server limits sign-ins per address. */
let address = process.pid * 100

export const test = base.extend<
  {
    /** Signs the test in as the demo's user of this role. */
    role: 'administrator' | 'planner' | 'viewer' | null
    /** An invited user without a password. */
    invited: Person
    /** A new user, signed in, with a password and accepted terms. */
    person: Person
  },
  { admin: APIRequestContext }
>({
  baseURL: ({}, provide, { parallelIndex }) => provide(getAddress(parallelIndex)),
  role: [null, { option: true }],
  storageState: ({ role }, provide) => provide(role ? sessionFile(role) : undefined),
  extraHTTPHeaders: async ({}, provide) => {
    address++
    await provide({ 'x-forwarded-for': `10.${[16, 8, 0].map((bits) => (address >> bits) & 255).join('.')}` })
  },
  /** The API as an administrator, without a page. */
  admin: [
    async ({ playwright }, provide, { parallelIndex }) => {
      const baseURL = getAddress(parallelIndex)
      const admin = await playwright.request.newContext({
        baseURL,
        storageState: sessionFile('administrator'),
        extraHTTPHeaders: { origin: baseURL },
      })
      await provide(admin)
      await admin.dispose()
    },
    { scope: 'worker' },
  ],
  invited: async ({ admin }, provide) => {
    const email = `person-${randomUUID()}@portmeridian.example`
    const { onboarding_link: link } = await readResponse<{ onboarding_link: string }>(
      admin.post('/v2/users', { data: { email, name: 'New Person' } }),
    )
    await provide({ email, link: new URL(link).pathname })
  },
  person: async ({ invited, context, baseURL }, provide) => {
    const { request } = context
    const headers = { origin: baseURL ?? '' }
    const uuid = invited.link.split('/').at(-1)
    const { link } = await readResponse<{ link: string }>(
      request.get(`/v2/users/get_user_onboarding_link/${uuid}`),
    )
    const token = new URL(link, baseURL).searchParams.get('token')
    const { email } = invited
    await readResponse(
      request.post('/api/auth/reset-password', { headers, data: { token, newPassword: password } }),
    )
    await readResponse(request.post('/api/auth/sign-in/email', { headers, data: { email, password } }))
    await readResponse(request.patch('/v2/users/me', { data: { acceptedTermsOfService: true } }))
    await provide(invited)
  },
})

/** The JSON of a response, which must be a success. */
export async function readResponse<T>(sent: ReturnType<APIRequestContext['fetch']>): Promise<T> {
  const response = await sent
  expect(response.status(), `${response.url()}: ${await response.text()}`).toBe(200)
  return (await response.json()) as T
}

export async function fillSignIn(page: Page, email: string, secret = password): Promise<void> {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').first().fill(secret)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
}

/** Goes to an address of the app as its links do: without a page load, which takes seconds of both processors. */
export const go = (page: Page, path: string): Promise<void> =>
  page.evaluate((to) => history.pushState(null, '', to), path)

/** The newest match in messages to an address or phone number, from the development page. */
export async function findInMessage(page: Page, to: string, pattern: RegExp): Promise<string> {
  let found: string | undefined
  await expect(async () => {
    const html = await (await page.request.get('/dev/mail')).text()
    found = html
      .split('<article>')
      .filter((article) => article.includes(`To ${to}`))
      .flatMap((article) => pattern.exec(article)?.[1] ?? [])[0]
    expect(found).toBeDefined()
  }).toPass()
  return found ?? ''
}

export const heading = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { level: 1, name, exact: true })

/** Errors that the page writes to the console, throws or receives from the server. */
export function collectErrors(page: Page): string[] {
  const errors: string[] = []
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  page.on('pageerror', (error) => errors.push(String(error)))
  page.on('response', (response) => {
    if (response.status() >= 400) errors.push(`${response.status()} ${response.url()}`)
  })
  // Maps cancel requests for tiles that they no longer need.
  page.on('requestfailed', (failed) => {
    const text = failed.failure()?.errorText
    if (text !== 'net::ERR_ABORTED') errors.push(`${text} ${failed.url()}`)
  })
  return errors
}
export { expect, type Page }
