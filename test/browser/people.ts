import { type Browser, type BrowserContext, expect, type Page } from '@playwright/test'
import { signInAs } from './sign-in-page.ts'

let people = 0
// A worker that is started anew begins at another one.
let addresses = process.pid * 100

/** As if from another address: ten sign-ins a minute from one are all that the server takes. */
export function fromElsewhere(context: BrowserContext): Promise<void> {
  addresses++
  return context.setExtraHTTPHeaders({
    'x-forwarded-for': `10.${[16, 8, 0].map((bits) => (addresses >> bits) & 255).join('.')}`,
  })
}

/** Does something as the demo's administrator, in a browser of their own. */
export async function asAdmin<T>(browser: Browser, act: (page: Page) => Promise<T>): Promise<T> {
  const context = await browser.newContext()
  await fromElsewhere(context)
  const page = await context.newPage()
  try {
    await signInAs(page, 'administrator')
    return await act(page)
  } finally {
    await context.close()
  }
}

/** Somebody new, with the link of the invitation. */
export async function invite(browser: Browser): Promise<{ email: string; link: string }> {
  const email = `person${++people}-${Date.now()}@portmeridian.example`
  const answer = await asAdmin(browser, async (page) => {
    const invited = await page.request.post('/v2/users', { data: { email, name: `Person ${people}` } })
    expect(invited.status(), await invited.text()).toBe(200)
    return (await invited.json()) as { onboarding_link: string }
  })
  return { email, link: new URL(answer.onboarding_link).pathname }
}

export const password = 'a password of many letters'

/** Somebody new who has a password and has accepted the terms, at the page after the sign-in. */
export async function newPerson(browser: Browser, page: Page): Promise<string> {
  const { email, link } = await invite(browser)
  await page.goto(link)
  await page.getByLabel('New password', { exact: true }).fill(password)
  await page.getByLabel('New password again').fill(password)
  await page.getByRole('button', { name: 'Set password' }).click()
  await expect(page.getByText('Your new password is set. Sign in with it.')).toBeVisible()
  await givePassword(page, email)
  await page.getByRole('dialog', { name: 'Terms of service' }).getByRole('button', { name: 'Accept' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  return email
}

/** E-mail and password; what comes next is the caller's. */
export async function givePassword(page: Page, email: string, secret = password): Promise<void> {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').first().fill(secret)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
}

/** The newest message to somebody, off the development page. */
export async function messageTo(page: Page, to: string, having: RegExp): Promise<string> {
  let found: string | undefined
  await expect(async () => {
    const html = await (await page.request.get('/dev/mail')).text()
    found = html.split('<article>').find((article) => article.includes(`To ${to}`) && having.test(article))
    expect(found).toBeDefined()
  }).toPass()
  return having.exec(found ?? '')?.[1] ?? ''
}
