import { AxeBuilder } from '@axe-core/playwright'
import { expect, test } from '@playwright/test'
import { signInAs, signInByForm } from './sign-in-page.ts'

test('the sign-in page loads no map and no chart, and at most 160 kB of JavaScript', async ({ page }) => {
  const scripts: { url: string; bytes: number }[] = []
  page.on('response', async (response) => {
    if (response.url().endsWith('.js'))
      scripts.push({
        url: response.url(),
        bytes: Number((await response.request().sizes()).responseBodySize),
      })
  })
  await page.goto('/login')
  await expect(page.getByRole('button', { name: 'Login', exact: true })).toBeVisible()
  await page.waitForLoadState('networkidle')
  expect(scripts.length).toBeGreaterThan(0)
  expect(scripts.filter(({ url }) => /maplibre|deck|trips-screen|echarts/i.test(url))).toEqual([])
  expect(scripts.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(160_000)
})

test('a wrong password says so, a right one opens the map, and the session outlives a reload', async ({
  page,
}) => {
  await page.goto('/port-meridian/mobility/geographies')
  await page.waitForURL(/\/login/)
  await page.getByLabel('E-mail').fill('planner@portmeridian.example')
  await page.getByLabel('Password').first().fill('not the password')
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(page.getByText('Login Error')).toBeVisible()
  await page.getByLabel('Password').first().fill('meridian-planner')
  await page.keyboard.press('Enter')
  // Back where one came from.
  await page.waitForURL(/\/port-meridian\/mobility\/geographies/)
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'Geographies' })).toBeVisible()
})

test('signing out ends the session', async ({ page }) => {
  await signInByForm(page, 'viewer')
  await page.goto('/logout')
  await page.waitForURL(/\/login/)
  expect((await page.request.get('/v2/users/me')).status()).toBe(401)
})

for (const scheme of ['light', 'dark'] as const)
  test(`axe finds nothing on the sign-in page and the reading pages (${scheme})`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
    await page.goto('/login')
    await expect(page.getByRole('button', { name: 'Login', exact: true })).toBeVisible()
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
    await signInAs(page, 'administrator')
    for (const path of [
      '/port-meridian/mobility/geographies',
      '/port-meridian/mobility/trip-files',
      '/admin/regions',
    ]) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await page.waitForLoadState('networkidle')
      expect((await new AxeBuilder({ page }).analyze()).violations, path).toEqual([])
    }
  })
