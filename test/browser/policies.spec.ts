import { expectClean } from './clean.ts'
import { expect, test } from './fixtures.ts'

test.use({ role: 'administrator' })
const library = '/port-meridian/mobility/policies'

test('a policy is written by keyboard, published, read by everybody, and not left by accident', async ({
  page,
}) => {
  const name = `No riding by night ${Date.now()}`
  await page.goto(`${library}/create`)
  await page.getByRole('button', { name: 'Save' }).press('Enter')
  await expect(page.getByText('Please resolve errors to save.')).toBeVisible()
  await expect(page.getByLabel('Policy name')).toBeFocused()

  await page.keyboard.type(name)
  await page.getByRole('combobox', { name: 'Policy type' }).focus()
  await page.keyboard.type('No ride')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('combobox', { name: 'Geography' }).focus()
  await page.keyboard.type('Neighborhoods')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('radio', { name: 'Only these areas' }).press('Space')
  const shape = page.getByRole('group', { name: 'Areas of Neighborhoods' }).getByRole('checkbox').first()
  await shape.press('Space')
  await expect(shape).toBeChecked()
  await page.getByLabel('Start time').fill('22:00')
  await page.getByLabel('End time').fill('6')
  await page.getByLabel('End time').press('Enter')
  await expect(page.getByText('Runs overnight')).toBeVisible()
  await expectClean(page, 'a policy being written')
  await page.getByRole('button', { name: 'Save' }).press('Enter')

  await expect(page.getByRole('heading', { name })).toBeVisible()
  await page.getByRole('button', { name: 'Publish' }).press('Enter')
  await page
    .getByRole('dialog', { name: 'PUBLISH POLICY?' })
    .getByRole('button', { name: 'Publish' })
    .press('Enter')
  await expect(page.getByText('Published', { exact: true }).first()).toBeVisible()

  await page.getByRole('link', { name: 'Edit' }).press('Enter')
  await page.getByLabel('Policy name').fill(`${name} and day`)
  await page.goBack()
  await page
    .getByRole('dialog', { name: 'ARE YOU SURE?' })
    .getByRole('button', { name: 'Cancel' })
    .press('Enter')
  await expect(page.getByLabel('Policy name')).toHaveValue(`${name} and day`)
  await page.getByRole('button', { name: 'Save' }).press('Enter')

  await page.getByLabel('Search by name or description').fill(name)
  await expect(page.getByRole('row').filter({ hasText: name })).toContainText(
    'SavedEarlier revision published',
  )
  await expectClean(page, 'the library')
  await page.context().clearCookies()
  await page.goto('/port-meridian/public/policies')
  await expect(page.getByRole('heading', { name, exact: true })).toBeVisible()
})

test('the requirements of operators are set by keyboard and published in the feed', async ({
  page,
  request,
}) => {
  await page.goto('/admin/regions')
  await page.getByRole('link', { name: 'Requirements of Port Meridian' }).press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Requirements of Port Meridian' })).toBeVisible()
  await page
    .getByRole('radiogroup', { name: 'Trips and vehicles (MDS Provider)' })
    .getByRole('radio', { name: 'Not required' })
    .focus()
  await page.keyboard.press('ArrowRight')
  await page.getByRole('checkbox', { name: 'trips', exact: true }).press('Space')
  await page.getByText(/^Fields of trips/).focus()
  await page.keyboard.press('Enter')
  await page.getByLabel('parking_category of trips').selectOption('Required')
  await expectClean(page, 'requirements')
  await page.getByRole('button', { name: 'Save' }).press('Enter')
  await expect(page.getByText('Saved. The feed is updated within a minute.')).toBeVisible()
  const feed = (await (await request.get('/mds/policy/port-meridian/requirements')).json()) as {
    programs: { required_data_specs: object[] }[]
  }
  expect(feed.programs[0]?.required_data_specs[0]).toMatchObject({
    required_apis: [
      {
        api_name: 'provider',
        required_endpoints: [{ endpoint_name: 'trips', required_fields: ['parking_category'] }],
      },
    ],
  })
})

test('the shape under the pointer is in the address only while the pointer is on it, without a history entry', async ({
  page,
}) => {
  await page.goto(library)
  await page.getByRole('link', { name: 'No parking in the Old Port by night' }).first().click()
  await expect(
    page.getByRole('heading', { level: 1, name: 'No parking in the Old Port by night' }),
  ).toBeVisible()
  // A link that was shared with the pointer on a shape.
  await page.goto(`${page.url()}?hover=of-somebody-else`)
  const canvas = page.locator('.maplibregl-canvas')
  await expect(canvas).toBeVisible()
  await expect(page).not.toHaveURL(/hover/)
  const steps = await page.evaluate(() => history.length)
  await expect(async () => {
    // The map moves to the policy, so another shape is under the pointer.
    await canvas.hover({ position: { x: 150 + Math.random() * 8, y: 150 } })
    await expect(page).toHaveURL(/hover=[0-9a-f-]{36}/, { timeout: 1500 })
  }).toPass()
  await page.mouse.move(5, 5)
  await expect(page).not.toHaveURL(/hover/)
  expect(await page.evaluate(() => history.length)).toBe(steps)
})
