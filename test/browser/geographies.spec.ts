import { expectClean } from './clean.ts'
import { expect, go, type Page, test } from './fixtures.ts'

type Place = [lon: number, lat: number]
type Driven = typeof globalThis & {
  __map?: {
    project(place: Place): { x: number; y: number }
    loaded(): boolean
    areTilesLoaded(): boolean
    isMoving(): boolean
  }
}

test.use({ role: 'administrator' })
const middle: Place = [-75.15, 37.08]
const region = '/v2/regions/port-meridian'
const screen = '/port-meridian/mobility/geographies'
const makeSquare = (west: number, south: number, side: number): Place[][] => [
  [
    [west, south],
    [west + side, south],
    [west + side, south + side],
    [west, south + side],
    [west, south],
  ],
]
let layers = 0

/** Creates a layer of two adjacent squares for a test. */
async function addLayer(
  page: Page,
): Promise<{ id: string; shapes: { shape_uuid: string; shape_name: string; geom: unknown }[] }> {
  const features = [
    ['West', -0.006],
    ['East', 0],
  ].map(([name, off]) => ({
    type: 'Feature',
    properties: { name },
    geometry: { type: 'Polygon', coordinates: makeSquare(middle[0] + Number(off), middle[1] - 0.003, 0.006) },
  }))
  const made = await page.request.post(
    `${region}/shapes/upload?file_name=squares.geojson&layer_name=Squares%20${++layers}-${Date.now()}&name_property=name`,
    {
      headers: { 'content-type': 'application/octet-stream' },
      data: Buffer.from(JSON.stringify({ type: 'FeatureCollection', features })),
    },
  )
  expect(made.status(), await made.text()).toBe(200)
  const id = ((await made.json()) as { layer: { shape_layer_uuid: string } }).layer.shape_layer_uuid
  return { id, shapes: await readShapes(page, id) }
}

const readShapes = async (page: Page, id: string) =>
  (
    (await (await page.request.get(`${region}/shapes?shape_layer_uuid=${id}`)).json()) as {
      items: { shape_uuid: string; shape_name: string; geom: unknown }[]
    }
  ).items

/** Returns the position of a place on the page, moved from the middle by degrees. */
async function getPosition(page: Page, [x, y]: Place): Promise<[number, number]> {
  const box = (await page.locator('.maplibregl-canvas').boundingBox())!
  const spot = await page.evaluate((place) => (globalThis as Driven).__map!.project(place), [
    middle[0] + x,
    middle[1] + y,
  ] as Place)
  return [box.x + spot.x, box.y + spot.y]
}

/** Waits until the map has drawn its data, because a click finds only drawn shapes. */
async function waitForDrawing(page: Page): Promise<void> {
  let calm = 0
  await expect
    .poll(async () => {
      const isCalm = await page.evaluate(() => {
        const map = (globalThis as Driven).__map!
        return map.loaded() && map.areTilesLoaded() && !map.isMoving()
      })
      calm = isCalm ? calm + 1 : 0
      return calm
    })
    .toBeGreaterThan(2)
}

async function click(page: Page, place: Place, options: { button?: 'right' } = {}): Promise<void> {
  await waitForDrawing(page)
  const [x, y] = await getPosition(page, place)
  await page.mouse.move(x, y)
  await page.waitForTimeout(120)
  await page.mouse.click(x, y, { delay: 40, ...options })
  await page.waitForTimeout(260)
}

async function edit(page: Page, id: string, shape?: string): Promise<void> {
  await page.goto(
    `${screen}?layer=${id}&edit=true&view=${encodeURIComponent(JSON.stringify([...middle, 14]))}${shape ? `&shape=${shape}` : ''}`,
  )
  await expect(page.getByRole('toolbar', { name: 'Tools' })).toBeVisible()
  await expect
    .poll(() => page.evaluate(() => Number(document.documentElement.dataset['mapIdle'] ?? 0)))
    .toBeGreaterThan(0)
}

const findChanges = (page: Page) => page.getByRole('list', { name: 'Changes' }).getByRole('listitem')
const drawingWith = (page: Page, tool: 'polygon' | 'line') =>
  expect(page.locator(`[data-drawing-tool="${tool}"]`)).toBeVisible()

test('a shape is drawn, saved, reshaped, split by a line and merged, and undo, redo and the history restore it', async ({
  page,
}) => {
  const { id } = await addLayer(page)
  await edit(page, id)
  await page.getByRole('button', { name: 'Draw an area' }).click()
  await drawingWith(page, 'polygon')
  for (const place of [
    [-0.004, 0.005],
    [0.004, 0.005],
    [0.004, 0.007],
    [-0.004, 0.005],
  ] as Place[])
    await click(page, place)
  await expect(findChanges(page)).toHaveText(/New shape 3.*Created/)
  await page.getByRole('button', { name: 'Save 1 change' }).click()
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  expect(await readShapes(page, id)).toHaveLength(3)

  await page.waitForTimeout(600)
  const [x, y] = await getPosition(page, [0.004, 0.007])
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + 30, y - 10, { steps: 5 })
  await page.mouse.up()
  await expect(findChanges(page)).toHaveText(/New shape 3.*Geometry/)
  await page.keyboard.press('Control+z')
  await expect(page.getByText('No changes yet.')).toBeVisible()
  await page.keyboard.press('Control+Shift+Z')
  await expect(findChanges(page)).toHaveCount(1)
  await page.keyboard.press('Control+z')

  await click(page, [-0.004, 0])
  await expect(page.getByLabel(/^Name/)).toHaveValue('West')

  await page.getByRole('button', { name: 'Split by a line' }).click()
  await drawingWith(page, 'line')
  for (const place of [
    [-0.003, 0.005],
    [-0.003, -0.005],
  ] as Place[])
    await click(page, place)
  await page.keyboard.press('Enter')
  await expect(findChanges(page)).toHaveCount(2)
  await page.getByRole('button', { name: 'Save 2 changes' }).click()
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  expect(await readShapes(page, id)).toHaveLength(4)

  await page.getByRole('button', { name: 'Merge with neighbors' }).click()
  await click(page, [-0.0045, 0])
  await click(page, [-0.0015, 0])
  await expect(findChanges(page)).toHaveCount(2)
  await page.getByRole('button', { name: 'Save 2 changes' }).click()
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  expect(await readShapes(page, id)).toHaveLength(3)

  await go(page, `${screen}?layer=${id}`)
  await page.getByRole('button', { name: 'History', exact: true }).click()
  await page.getByRole('switch', { name: 'Deleted shapes' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Restore .*$/ })
    .click()
  await expect(page.getByRole('region', { name: 'Shape', exact: true })).toBeVisible()
  expect(await readShapes(page, id)).toHaveLength(4)
})

test('a shape is chosen, renamed and restored by keyboard; a draft survives a reload; the second editor sees the difference', async ({
  page,
}) => {
  const { id, shapes } = await addLayer(page)
  await page.goto(`${screen}?layer=${id}`)
  await expect(page.getByRole('button', { name: /^Squares/ }).first()).toBeVisible()
  await page.keyboard.press('t')
  await page.getByRole('button', { name: 'West', exact: true }).focus()
  await page.keyboard.press('Enter')
  const card = page.getByRole('region', { name: 'Shape', exact: true })
  await card.getByRole('button', { name: 'Rename' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByLabel(/^Name/).press('End')
  await page.keyboard.type(' End')
  await page.keyboard.press('Enter')
  await expect(card.getByRole('heading', { name: 'West End' })).toBeVisible()
  await card.getByRole('button', { name: 'History' }).press('Enter')
  await expect(card.getByRole('button', { name: /^Restore the version/ })).toBeVisible()
  await expectClean(page, 'a layer, its table and the history of a shape')
  await card.getByRole('button', { name: /^Restore the version/ }).press('Enter')
  await expect(card.getByRole('heading', { name: 'West', exact: true })).toBeVisible()

  const west = shapes.find(({ shape_name }) => shape_name === 'West')!
  await edit(page, id, west.shape_uuid)
  await page.getByLabel('Description').fill('The old town')
  await page.getByLabel('Description').blur()
  await expect(findChanges(page)).toHaveText(/West.*Description/)
  page.once('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await expect(findChanges(page)).toHaveText(/West.*Description/)

  const theirs = await page.request.patch(`${region}/shapes/${west.shape_uuid}`, {
    data: { shape_name: 'Westend' },
  })
  expect(theirs.status(), await theirs.text()).toBe(200)
  await page.getByRole('button', { name: 'Save 1 change' }).click()
  await expect(page.getByText('Somebody else changed a shape')).toBeVisible()
  await expect(page.getByText('Theirs: Name')).toBeVisible()
  await expectClean(page, 'conflict')
})
