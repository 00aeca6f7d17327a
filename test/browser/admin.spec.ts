import { expect, heading, type Page, test } from './fixtures.ts'

test.use({ role: 'administrator' })
const findRow = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })
const actOn = async (page: Page, email: string, act: string): Promise<void> => {
  await page.getByRole('button', { name: `Actions for ${email}` }).click()
  await page
    .getByRole('menu', { name: `Actions for ${email}` })
    .getByRole('menuitem', { name: act })
    .click()
}

test('administration pages link to one another, and a user is invited by keyboard and disabled', async ({
  page,
}) => {
  await page.goto('/admin')
  await expect(heading(page, 'Organization')).toBeVisible()
  const nav = page.getByRole('navigation', { name: 'Administration' })
  for (const name of ['Regions', 'Roles', 'Sign-in', 'Audit log', 'Organization', 'Users']) {
    await nav.getByRole('link', { name, exact: true }).click()
    await expect(heading(page, name)).toBeVisible()
    await expect(nav.locator('[aria-current=page]')).toHaveText(name)
  }
  const email = `newcomer-${Date.now()}@portmeridian.example`
  await page.getByRole('button', { name: 'Invite a user' }).press('Enter')
  await expect(page.getByRole('dialog', { name: 'Invite a user' }).getByLabel('E-mail')).toBeFocused()
  await page.keyboard.type(email)
  await page.keyboard.press('Tab')
  await page.keyboard.type('New Comer')
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Invitation link', { exact: true })).toHaveValue(
    /\/onboarding\/[0-9a-f-]{36}$/,
  )
  await page.keyboard.press('Escape')
  await expect(findRow(page, email)).toContainText('Invited')
  await actOn(page, email, 'Disable')
  await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
  await expect(findRow(page, email)).toContainText('Disabled')
})

test('an administrator views the app as another user, and the audit log names both', async ({ page }) => {
  await page.goto('/admin/users')
  await actOn(page, 'viewer@portmeridian.example', 'View as this user')
  await expect(page.getByText('Viewing as viewer@portmeridian.example')).toBeVisible()
  await page.goto('/admin/users')
  await expect(heading(page, 'Sorry, we can’t seem to find what you’re looking for...')).toBeVisible()
  await page.getByRole('button', { name: 'End Session' }).click()
  await expect(page.getByText('Viewing as')).toHaveCount(0)
  await page.goto('/admin/audit')
  await page.getByRole('switch', { name: 'Only actions on behalf of others' }).press('Space')
  await expect(page).toHaveURL(/impersonated=true/)
  await expect(findRow(page, 'viewer@portmeridian.example').first()).toContainText(
    'admin@portmeridian.example',
  )
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: /^Download/ }).click()
  await page.getByRole('menuitem', { name: 'CSV', exact: true }).click()
  expect((await download).suggestedFilename()).toMatch(/^audit-log-.*\.csv$/)
})
