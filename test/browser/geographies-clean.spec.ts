import { expect, test } from '@playwright/test'
import { clean } from './clean.ts'
import { signInAs } from './sign-in-page.ts'

const region = '/v2/regions/port-meridian'
const square = (west: number, south: number): [number, number][][] => [
  [
    [west, south],
    [west + 0.006, south],
    [west + 0.006, south + 0.006],
    [west, south + 0.006],
    [west, south],
  ],
]

test('axe finds nothing on geographies while a layer is looked at, imported and edited, nor where two editors meet', async ({
  page,
}) => {
  await signInAs(page, 'administrator')
  const file = {
    type: 'FeatureCollection',
    features: [
      {
        type: 'Feature',
        properties: { name: 'West' },
        geometry: { type: 'Polygon', coordinates: square(-75.156, 37.08) },
      },
    ],
  }
  const made = await page.request.post(
    `${region}/shapes/upload?file_name=clean.geojson&layer_name=Clean&name_property=name`,
    { headers: { 'content-type': 'application/octet-stream' }, data: Buffer.from(JSON.stringify(file)) },
  )
  const id = ((await made.json()) as { layer: { shape_layer_uuid: string } }).layer.shape_layer_uuid
  const { items } = (await (await page.request.get(`${region}/shapes?shape_layer_uuid=${id}`)).json()) as {
    items: { shape_uuid: string }[]
  }
  const shape = items[0]!.shape_uuid

  await page.goto(`/port-meridian/mobility/geographies?layer=${id}&shape=${shape}&results=true`)
  const card = page.getByRole('region', { name: 'Shape', exact: true })
  await card.getByRole('button', { name: 'History' }).click()
  await expect(card.getByRole('listitem')).toHaveCount(1)
  await clean(page, 'a layer, its table, and the history of a shape')

  await page.getByRole('button', { name: 'Import a file' }).click()
  await page
    .getByRole('dialog')
    .locator('input[type=file]')
    .setInputFiles({
      name: 'more.geojson',
      mimeType: 'application/geo+json',
      buffer: Buffer.from(JSON.stringify(file)),
    })
  await expect(page.getByRole('button', { name: 'Create layer' })).toBeVisible()
  await clean(page, 'what is in a file')

  await page.goto(`/port-meridian/mobility/geographies?layer=${id}&shape=${shape}&edit=true`)
  await page.getByLabel('Description').fill('Mine')
  await page.getByLabel('Description').blur()
  await page.request.patch(`${region}/shapes/${shape}`, { data: { shape_description: 'Theirs' } })
  await page.getByRole('button', { name: 'Save 1 change' }).click()
  await expect(page.getByText('Somebody else changed a shape meanwhile')).toBeVisible()
  await clean(page, 'the editor with a conflict')
})
