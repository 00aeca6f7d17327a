import { expectClean } from './clean.ts'
import { expect, test } from './fixtures.ts'

const makeSquare = (name: string, x: number) => ({
  type: 'Feature',
  properties: { zone: name, code: x },
  geometry: {
    type: 'Polygon',
    coordinates: [
      [
        [-75.2 + x, 37.05],
        [-75.19 + x, 37.05],
        [-75.19 + x, 37.06],
        [-75.2 + x, 37.06],
        [-75.2 + x, 37.05],
      ],
    ],
  },
})
const boundaries = JSON.stringify({
  type: 'FeatureCollection',
  features: [makeSquare('Harbour zone', 0), makeSquare('Hill zone', 0.02)],
})

test.use({ role: 'administrator' })

test('a boundary file is previewed, named by a property and stored, and its layer deleted again', async ({
  page,
}) => {
  await page.goto('/port-meridian/mobility/geographies')
  await page.getByRole('button', { name: 'Import a file' }).click()
  await page.locator('input[type=file]').setInputFiles({
    name: 'zones.geojson',
    mimeType: 'application/geo+json',
    buffer: Buffer.from(boundaries),
  })
  const dialog = page.getByRole('dialog', { name: 'zones.geojson' })
  await expect(dialog).toContainText('Harbour zone')
  await expectClean(page, 'content of a file')
  await dialog.getByRole('button', { name: /create layer/i }).click()
  await expect(
    page
      .getByRole('cell', { name: 'zones' })
      .or(page.getByText('zones', { exact: true }))
      .first(),
  ).toBeVisible()
  const { items } = (await (await page.request.get('/v2/regions/port-meridian/layers')).json()) as {
    items: { layer_name: string; shape_count: number; shape_layer_uuid: string }[]
  }
  const made = items.find(({ layer_name }) => layer_name === 'zones')
  expect(made?.shape_count).toBe(2)
  expect(
    (
      await page.request.delete(`/v2/regions/port-meridian/layers/${made?.shape_layer_uuid}?confirm=true`)
    ).ok(),
  ).toBe(true)
})

test('a file of unknown columns is mapped with a live preview, imported and removed', async ({ page }) => {
  await page.goto('/port-meridian/mobility/trip-files')
  const rows = Array.from(
    { length: 30 },
    (_, k) =>
      `r${k},2026-05-0${(k % 9) + 1} 08:${String(10 + k)}:00,2026-05-0${(k % 9) + 1} 08:55:00,-75.2,37.05,-75.19,37.06,1500`,
  )
  const csv = `reference,left_at,came_at,x_from,y_from,x_to,y_to,how_far\n${rows.join('\n')}\nbroken,when?,,,,,,\n`
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'odd-columns.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
  await page.getByRole('button', { name: 'Map columns' }).first().click()
  const dialog = page.getByRole('dialog')
  for (const [meaning, column] of [
    ['Trip id', 'reference'],
    ['Start, date and time', 'left_at'],
    ['End, date and time', 'came_at'],
    ['Start longitude', 'x_from'],
    ['Start latitude', 'y_from'],
    ['End longitude', 'x_to'],
    ['End latitude', 'y_to'],
  ] as const) {
    await dialog.getByRole('combobox', { name: meaning, exact: true }).click()
    await page.getByRole('option', { name: column, exact: true }).click()
  }
  await expect(dialog.getByText('Accepted').first()).toBeVisible()
  await dialog.getByRole('button', { name: 'Import', exact: true }).click()
  const card = page.locator('article, li, section').filter({ hasText: 'odd-columns.csv' }).last()
  await expect(card.getByText('Done')).toBeVisible()
  await expect(card).toContainText('30')
  const aside = await page.request.get(
    (await card.getByRole('link', { name: /rejected rows/ }).getAttribute('href')) ?? '',
  )
  expect(await aside.text()).toContain('The start time is not valid')
  await card.getByRole('button', { name: 'Undo import of odd-columns.csv' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Undo import', exact: true }).click()
  await expect(page.getByText('odd-columns.csv')).toHaveCount(0)
})
