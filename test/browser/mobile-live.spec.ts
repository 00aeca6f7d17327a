import { expectClean } from './clean.ts'
import { expect, go, type Page, test } from './fixtures.ts'
import { type Fleet, newFleet } from './new-fleet.ts'

const at = { longitude: -75.2, latitude: 37.05 }
let fleet: Fleet
let map = ''

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, role: 'viewer' })
test.beforeAll(async ({ admin }) => {
  fleet = await newFleet(admin, 'East', (n) => ({ lat: at.latitude, lng: at.longitude + n / 50 }))
  await fleet.push(
    '/events',
    [0, 1, 2, 3].map((n) => fleet.event(n)),
  )
  map = `/${fleet.region}/mobile/live`
})

const findSheet = (page: Page) => page.getByRole('region', { name: 'Vehicles, filters and legend' })
const list = (page: Page) => page.getByRole('list', { name: 'Vehicles shown' })
const expectCount = (page: Page, count: number) =>
  expect(page.locator('[data-shown]')).toHaveAttribute('data-shown', String(count))

test('a small screen offers the mobile map, which can be installed with this region as its start', async ({
  page,
}) => {
  await page.goto(`/${fleet.region}/mobility/geographies`)
  await page.getByRole('button', { name: 'View the mobile Live Map' }).click()
  await expect(page).toHaveURL(new RegExp(`${map}$`))
  await expect(page.getByRole('heading', { name: /^Live map of Eastport/ })).toBeAttached()
  await expectCount(page, 4)
  const cdp = await page.context().newCDPSession(page)
  const manifest = await cdp.send('Page.getAppManifest')
  expect([manifest.errors, manifest.url]).toEqual([
    [],
    expect.stringMatching(new RegExp(`${map}\\.webmanifest$`)),
  ])
  const { installabilityErrors } = await cdp.send('Page.getInstallabilityErrors')
  // The browsers of the specs are incognito, which is the only reason against an installation.
  expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito')).toEqual([])
  await page.getByRole('link', { name: 'View the full app' }).click()
  await expect(page).toHaveURL(new RegExp(`/${fleet.region}/mobility/maps/live`))
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('the mobile map works by keyboard: the sheet, a filter, a vehicle and its day; everything fits and is large enough', async ({
  page,
}) => {
  await page.goto(map)
  await expectCount(page, 4)
  await expect(list(page)).toHaveCount(0)
  await page.keyboard.press('t')
  await expect(list(page).getByRole('listitem')).toHaveCount(4)
  const height = page.getByRole('slider', { name: 'Height of the sheet' })
  await height.focus()
  await page.keyboard.press('End')
  await expect(height).toHaveAttribute('aria-valuetext', 'Full height')
  await page.getByRole('tab', { name: 'Vehicles' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('tab', { name: 'Filters' })).toHaveAttribute('aria-selected', 'true')
  await page.getByRole('button', { name: 'Parked time, signal and battery' }).press('Enter')
  await page
    .getByRole('combobox', { name: 'Battery' })
    .or(page.getByRole('textbox', { name: 'Battery' }))
    .first()
    .focus()
  await page.keyboard.press('Enter')
  await page.getByRole('option', { name: 'Below 50%' }).click()
  await expectCount(page, 3)
  await page.getByRole('tab', { name: 'Vehicles' }).press('Enter')
  await list(page).getByRole('button', { name: /^LW-1/ }).press('Enter')
  await expect(page).toHaveURL(new RegExp(`vehicle=${fleet.operator}%3ALW-1`))
  const card = page.getByRole('region', { name: 'Selected vehicle' })
  await expect(card.getByRole('list', { name: /States of today/ })).toContainText('Available')
  await expect(height).toHaveAttribute('aria-valuetext', 'Half height')
  await page.keyboard.press('Escape')
  await expect(card).toHaveCount(0)
  await expect(page).not.toHaveURL(/vehicle=/)
  await expect(page.getByRole('tab', { name: 'Vehicles' })).toBeFocused()

  await page.setViewportSize({ width: 360, height: 640 })
  await go(page, `${map}?vehicle=${fleet.operator}%3ALW-1`)
  await expect(page.getByRole('list', { name: /States of today/ })).toBeVisible()
  await expectClean(page, 'a vehicle')
  await page.keyboard.press('Escape')
  await page.getByRole('tab', { name: 'Vehicles' }).click()
  await expect(list(page)).toBeVisible()
  await expectClean(page, 'the vehicles')
  await page.getByRole('tab', { name: 'Filters' }).click()
  await expect(page.getByRole('checkbox', { name: /^Live Wheels/ })).toBeVisible()
  await expectClean(page, 'the filters')
  expect(await page.evaluate(findSmallTargets, 44)).toEqual([])
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
  ).toBeLessThanOrEqual(0)
})

test('the mobile map works by touch: a vehicle stays visible above its card, the sheet is dragged, the position is shown on request', async ({
  page,
  context,
}) => {
  // LW-0 is a little below the middle of the map.
  await page.goto(`${map}?view=[${at.longitude},${at.latitude + 0.004},15]`)
  await expectCount(page, 4)
  const readShownPosition = (): Promise<number[]> =>
    page.evaluate(
      ([lon, lat]) => {
        const shown = (
          globalThis as {
            __map?: { project(place: number[]): { x: number; y: number }; getCanvas(): HTMLElement }
          }
        ).__map
        const [spot, { x, y }] = [
          shown?.project([lon, lat]) ?? { x: 0, y: 0 },
          shown?.getCanvas().getBoundingClientRect() ?? { x: 0, y: 0 },
        ]
        return [spot.x + x, spot.y + y]
      },
      [at.longitude, at.latitude] as const,
    )
  await expect(async () => {
    const [x = 0, y = 0] = await readShownPosition()
    // A finger is less exact.
    await page.touchscreen.tap(x + 8, y - 8)
    await expect(page).toHaveURL(new RegExp(`vehicle=${fleet.operator}%3ALW-0`), { timeout: 2000 })
  }).toPass()
  const edge = (await findSheet(page).boundingBox())?.y ?? 0
  await expect.poll(async () => (await readShownPosition())[1]).toBeLessThan(edge - 20)
  await page.keyboard.press('Escape')
  await expect(findSheet(page)).toHaveAttribute('data-sheet', 'peek')

  const box = await findSheet(page).boundingBox()
  await page.mouse.move(120, (box?.y ?? 0) + 8)
  await page.mouse.down()
  for (const y of [700, 620, 540, 470]) await page.mouse.move(120, y, { steps: 3 })
  // A pause of 100 ms before the finger leaves is no fling.
  await page.waitForTimeout(100)
  await page.mouse.move(120, 471)
  await page.mouse.up()
  await expect(findSheet(page)).toHaveAttribute('data-sheet', 'half')
  expect(await page.evaluate(() => window.scrollY)).toBe(0)

  await page.getByRole('button', { name: 'Show my position' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Your position was not shared' })).toBeVisible()
  await context.grantPermissions(['geolocation'])
  await context.setGeolocation({ ...at, accuracy: 30 })
  await page.getByRole('button', { name: 'Show my position' }).click()
  await expect(page.getByRole('button', { name: 'Go to my position' })).toBeVisible()
  await expect
    .poll(() => page.evaluate(() => (globalThis as { __map?: { getZoom(): number } }).__map?.getZoom() ?? 0))
    .toBeGreaterThanOrEqual(15.9)
  await page.getByRole('tab', { name: 'Vehicles' }).click()
  await expect(list(page).getByRole('listitem').first()).toContainText(/LW-0.*\d ft$/)
})

test('the full app has controls on a phone that are large enough for a finger', async ({ page }) => {
  await page.goto('/port-meridian/mobility/maps/trips?period=last_week')
  await page.getByRole('button', { name: 'View the full app' }).click()
  await page.getByRole('button', { name: 'Filters' }).click()
  await expect(page.getByRole('combobox', { name: 'Show' })).toBeVisible()
  expect(await page.evaluate(findSmallTargets, 40)).toEqual([])
  await page.getByRole('button', { name: /^Dates/ }).click()
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Done' })).toBeVisible()
  expect(await page.evaluate(findSmallTargets, 40)).toEqual([])
})

/** Runs in the page: finds controls smaller than some pixels, including labels and frames. */
function findSmallTargets(pixels: number): string[] {
  return [...document.querySelectorAll<HTMLElement>('button, a, input, [role="slider"]')]
    .filter(
      (element) =>
        element.offsetParent !== null && !element.closest('.maplibregl-ctrl-attrib, [href="#content"]'),
    )
    .flatMap((element) => {
      const { width, height } = (
        element.closest('.mantine-Checkbox-body, .mantine-Switch-body, .mantine-MultiSelect-input') ?? element
      ).getBoundingClientRect()
      return width >= pixels && height >= pixels
        ? []
        : [
            `${element.getAttribute('aria-label') ?? element.textContent}: ${Math.round(width)} x ${Math.round(height)}`,
          ]
    })
}
