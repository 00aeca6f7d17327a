import { writePmtiles } from '../pmtiles-writer.ts'
import { expectClean } from './clean.ts'
import { expect, type Page, test } from './fixtures.ts'
import { positions } from '../positions.ts'

const screen = '/port-meridian/mobility/geographies'

declare global {
  interface Window {
    __map?: {
      getStyle(): { layers: { id: string }[] }
      getPaintProperty(layer: string, name: string): unknown
      queryRenderedFeatures(options: { layers: string[] }): unknown[]
    }
  }
}

test.use({ role: 'viewer' })

const findSource = (page: Page) => page.getByRole('paragraph').filter({ hasText: 'Map data:' })
const readStreetColor = (page: Page) =>
  page.evaluate(() => {
    const layer = window.__map?.getStyle().layers.find(({ id }) => id.endsWith(':local'))
    return layer ? window.__map?.getPaintProperty(layer.id, 'line-color') : null
  })

test('streets of the region are drawn in the colors of the scheme, with their attribution', async ({
  page,
}) => {
  await page.goto(screen)
  await expect.poll(() => readStreetColor(page)).toMatch(/^#/)
  const light = await readStreetColor(page)
  await expect(findSource(page)).toBeVisible()
  await expect(findSource(page)).toContainText('Basemap: ')
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(() => readStreetColor(page)).not.toBe(light)
})

test('tiles of the deployment are drawn, with attribution links that the keyboard reaches', async ({
  page,
}) => {
  const sea: GeoJSON.Feature = {
    type: 'Feature',
    properties: {},
    geometry: { type: 'Polygon', coordinates: [positions('-179 -80, 179 -80, 179 80, -179 80, -179 -80')] },
  }
  const bytes = writePmtiles({ layers: { water: [sea] } })
  const parts: string[] = []
  await page.route('**/v2/basemap', (route) =>
    route.fulfill({
      json: {
        kind: 'tiles',
        url: '/basemap/tiles.pmtiles?v=1',
        attribution: '<a href="https://city.example/maps">City of Alder</a>',
        layers: ['water'],
        min_zoom: 0,
        max_zoom: 0,
        bounds: [-180, -85, 180, 85],
      },
    }),
  )
  await page.route('**/basemap/tiles.pmtiles?v=1', (route) => {
    const [, from = '0', to = '0'] =
      /^bytes=(\d+)-(\d+)$/.exec(route.request().headers()['range'] ?? '') ?? []
    parts.push(`${from}-${to}`)
    const last = Math.min(Number(to), bytes.length - 1)
    return route.fulfill({
      status: 206,
      contentType: 'application/vnd.pmtiles',
      headers: { 'content-range': `bytes ${from}-${last}/${bytes.length}`, etag: '"1"' },
      body: bytes.subarray(Number(from), last + 1),
    })
  })
  await page.goto(screen)
  await expect
    .poll(() =>
      page.evaluate(() =>
        window.__map?.getStyle().layers.some(({ id }) => id === 'basemap:water')
          ? window.__map.queryRenderedFeatures({ layers: ['basemap:water'] }).length
          : 0,
      ),
    )
    .toBeGreaterThan(0)
  expect(parts.length).toBeGreaterThan(0)
  const link = findSource(page).getByRole('link', { name: 'City of Alder' })
  await expect(link).toHaveAttribute('href', 'https://city.example/maps')
  await link.focus()
  await expect(link).toBeFocused()
  for (const [width, height] of [
    [1024, 640],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height })
    await expect(link).toBeInViewport({ ratio: 1 })
  }
  await expectClean(page, 'attribution')
})

test('a map style that cannot be loaded is reported, and the layers of the region are drawn', async ({
  page,
}) => {
  await page.route('**/v2/basemap', (route) =>
    route.fulfill({ json: { kind: 'style', url: 'https://maps.invalid/style.json' } }),
  )
  await page.goto(screen)
  await expect(
    page.getByText("The basemap at maps.invalid did not respond. The region's own layers are shown instead."),
  ).toBeVisible()
  await expect.poll(() => readStreetColor(page)).toMatch(/^#/)
})
