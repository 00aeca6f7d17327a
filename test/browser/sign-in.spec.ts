import { signIns } from '../../demo/sign-ins.ts'
import { expect, fillSignIn, heading, test } from './fixtures.ts'

for (const [path, name] of [
  ['/login', /./],
  ['/onboarding/8f14e45f-ceea-467f-a0e6-7a1d2b3c4d5e', 'This invitation is no longer valid'],
] as const)
  test(`${path} loads no map and no chart, and at most 160 kB of JavaScript`, async ({ page }) => {
    const scripts: { url: string; bytes: number }[] = []
    page.on('response', async (response) => {
      if (!response.url().endsWith('.js')) return
      scripts.push({ url: response.url(), bytes: (await response.request().sizes()).responseBodySize })
    })
    await page.goto(path)
    await expect(heading(page, name)).toBeVisible()
    await page.waitForLoadState('networkidle')
    expect(scripts.length).toBeGreaterThan(0)
    expect(scripts.filter(({ url }) => /maplibre|deck|trips-screen|echarts/i.test(url))).toEqual([])
    expect(scripts.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(160_000)
  })

test('a wrong password is rejected, and the right one returns to the page until the sign-out', async ({
  page,
}) => {
  const { email, password } = signIns.find(({ role }) => role === 'viewer')!
  await page.goto('/port-meridian/mobility/geographies')
  await page.waitForURL(/\/login/)
  await fillSignIn(page, email, 'not the password')
  await expect(page.getByText('Login Error')).toBeVisible()
  await page.getByLabel('Password').first().fill(password)
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/port-meridian\/mobility\/geographies/)
  await page.reload()
  await expect(heading(page, 'Geographies')).toBeVisible()
  await page.goto('/logout')
  await page.waitForURL(/\/login/)
  expect((await page.request.get('/v2/users/me')).status()).toBe(401)
})
