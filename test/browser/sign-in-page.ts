import type { Cookie, Page } from '@playwright/test'
import { signIns } from '../../demo/sign-ins.ts'

/** Sessions of this run by role: ten sign-ins a minute from one address are all that the server takes. */
const sessions = new Map<string, Cookie[]>()

/** Signs in by the form as the demo's user of a role, and waits for the first screen. */
export async function signInByForm(page: Page, role: string): Promise<void> {
  const user = signIns.find((each) => each.role === role)
  if (!user) throw new Error(`No demo user is ${role}`)
  await page.goto('/login')
  await page.getByLabel('E-mail').fill(user.email)
  await page.getByLabel('Password').first().fill(user.password)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await page.waitForURL((url) => !url.pathname.startsWith('/login'))
}

/** Signed in as the demo's user of a role: by the form the first time, by the same session after that. */
export async function signInAs(page: Page, role: string): Promise<void> {
  const kept = sessions.get(role)
  if (kept) return page.context().addCookies(kept)
  await signInByForm(page, role)
  sessions.set(role, await page.context().cookies())
}
