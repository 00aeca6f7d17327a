import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page, test } from '@playwright/test'
import { asAdmin } from './people.ts'
import { signInAs } from './sign-in-page.ts'

const region = 'port-meridian'
// The city of the specs has forty days behind it.
const day = (ago: number): string => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
const [from, to] = [day(16), day(3)]
const days = `startDate=${from}&endDate=${to}`
const asked = `start_date=${from}&end_date=${to}`
const map = `/${region}/mobility/maps/routes`

interface Volumes {
  trips: number
  trips_with_way: number
  segment_ids: string[]
  forward: number[]
  backward: number[]
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)
const written = (value: number): string => value.toLocaleString('en-US')
const axe = async (page: Page): Promise<unknown> =>
  (await new AxeBuilder({ page }).exclude('.maplibregl-ctrl-attrib').analyze()).violations

/** Opens the map and hears what the server says of it. */
async function open(page: Page, search = ''): Promise<Volumes> {
  const answered = page.waitForResponse(
    (response) => response.url().includes('/routes/volumes') && response.ok(),
  )
  await page.goto(`${map}?${days}${search}`)
  return (await (await answered).json()) as Volumes
}

/** The file behind a button, as lines of cells. */
async function fileBehind(
  page: Page,
  press: () => Promise<void>,
): Promise<{ name: string; lines: string[][] }> {
  const download = page.waitForEvent('download')
  await press()
  const file = await download
  const chunks: Buffer[] = []
  for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer)
  return {
    name: file.suggestedFilename(),
    lines: Buffer.concat(chunks)
      .toString()
      .replace(/^\uFEFF/, '')
      .trim()
      .split(/\r?\n/)
      .map((line) => line.split(',')),
  }
}

/** A column added up. Counted from the end of the line: names of streets may hold commas. */
const totalOf = ([head = [], ...lines]: string[][], column: string): number =>
  sum(
    lines.map((line) =>
      Number(line.at(head.findIndex((title) => title.replaceAll('"', '') === column) - head.length)),
    ),
  )

const publish = (page: Page, published: boolean) =>
  page.request.patch(`/v2/regions/${region}/routes/publishing`, { data: { published } })

// As it was before: other specs look at the same city.
test.afterAll(({ browser }) => asAdmin(browser, async (admin) => void (await publish(admin, false))))
test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: 'reduce' }))

test('statistics, legend, table and files say the same as the API', async ({ page }) => {
  await signInAs(page, 'planner')
  const {
    trips,
    trips_with_way: ways,
    segment_ids: segments,
    forward,
    backward,
  } = await open(page, '&results=true')
  const all = sum(forward) + sum(backward)
  expect(all).toBeGreaterThan(1000)
  const figures = page.getByRole('region', { name: 'Statistics' })
  for (const figure of [trips, trips - ways])
    await expect(figures.getByText(written(figure), { exact: true }).first()).toBeVisible()
  // The hours of the day are the same trips again.
  const hours = await figures.getByRole('row').locator('td').allTextContents()
  expect(sum(hours.map((each) => Number(each.replaceAll(',', ''))))).toBe(trips + ways)
  await expect(page.getByRole('region', { name: 'Legend' })).toContainText(
    `${written(ways)} of ${written(trips)} trips`,
  )

  await expect(page.getByRole('table', { name: 'Street segments' })).toHaveAttribute(
    'aria-rowcount',
    String(segments.length + 1),
  )
  const table = await fileBehind(page, () => page.getByRole('button', { name: 'Download CSV' }).click())
  expect(totalOf(table.lines, 'Trips')).toBe(all)

  await page.getByRole('button', { name: 'Download', exact: true }).click()
  const { name, lines } = await fileBehind(page, () =>
    page.getByRole('menuitem', { name: 'CSV', exact: true }).click(),
  )
  expect(name).toBe(`routes-${region}-${from}-${to}.csv`)
  expect([lines.length - 1, totalOf(lines, 'trips')]).toEqual([segments.length, all])
})

test('files come in each kind', async ({ page }) => {
  await signInAs(page, 'planner')
  await open(page)
  for (const [format, begins] of [
    ['csv', 'segment_id'],
    ['geojson', '{"type":"FeatureCollection"'],
    ['json', '{'],
    ['zip', 'PK'],
  ] as const) {
    const answer = await page.request.get(`/v2/regions/${region}/routes/download?${asked}&format=${format}`)
    expect([format, answer.status(), (await answer.body()).subarray(0, begins.length).toString()]).toEqual([
      format,
      200,
      begins,
    ])
  }
})

for (const scheme of ['light', 'dark'] as const)
  test(`by keyboard: the table, a segment and its card; axe finds nothing (${scheme})`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
    await signInAs(page, 'viewer')
    await open(page)
    await page.locator('.maplibregl-canvas').focus()
    await page.keyboard.press('t')
    await page
      .getByRole('table', { name: 'Street segments' })
      .getByRole('button', { name: /./ })
      .nth(8)
      .press('Enter')
    await expect(page).toHaveURL(/route=/)
    await expect(
      page
        .getByRole('region', { name: 'Selected' })
        .or(page.getByRole('button', { name: 'Clear the selection' }))
        .first(),
    ).toBeVisible()
    expect(await axe(page)).toEqual([])
    await page.keyboard.press('Escape')
    await expect(page).not.toHaveURL(/route=/)
  })

test('the public map needs no sign-in, hides small numbers, and is all that is public', async ({
  page,
  browser,
}) => {
  await asAdmin(browser, async (admin) => expect((await publish(admin, true)).status()).toBe(200))
  const answered = page.waitForResponse(
    (response) =>
      response.url().includes('/public/') && response.url().includes('/routes/volumes') && response.ok(),
  )
  await page.goto(`/${region}/public/routes?results=true`)
  const { trips, privacy_minimum: least } = (await (await answered).json()) as {
    trips: number[]
    privacy_minimum: number
  }
  expect(trips.every((each) => each >= least)).toBe(true)
  await expect(page.getByRole('table', { name: 'Street segments' })).toHaveAttribute(
    'aria-rowcount',
    String(trips.length + 1),
  )
  await expect(page.getByText(`Streets with fewer than ${least} trips`).first()).toBeVisible()
  await expect(page.getByRole('link', { name: 'Sign in' })).toBeVisible()
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
    expect(await axe(page)).toEqual([])
  }
  expect((await page.request.get(`/v2/regions/${region}/routes/volumes?${asked}`)).status()).toBe(401)
})

test('where nothing is published the page says so, on a phone too', async ({ page, browser }) => {
  await asAdmin(browser, async (admin) => expect((await publish(admin, false)).status()).toBe(200))
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`/${region}/public/routes`)
  await expect(page.getByRole('heading', { level: 1, name: 'No public map here' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Sign in' })).toBeVisible()
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
    expect(await axe(page)).toEqual([])
  }
  await page.goto('/no-such-region/public/routes')
  await expect(
    page.getByRole('heading', { level: 1, name: 'Sorry, we can’t seem to find what you’re looking for...' }),
  ).toBeVisible()
})

for (const published of [true, false])
  test(`public pages load without an error, with the region's basemap, where routes are ${published ? '' : 'not '}public`, async ({
    page,
    browser,
  }) => {
    await asAdmin(browser, async (admin) => expect((await publish(admin, published)).status()).toBe(200))
    const errors: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text())
    })
    page.on('pageerror', (error) => errors.push(String(error)))
    page.on('response', (response) => {
      if (response.status() >= 400) errors.push(`${response.status()} ${response.url()}`)
    })
    // The map cancels tiles that it no longer needs.
    page.on('requestfailed', (failed) => {
      if (failed.failure()?.errorText !== 'net::ERR_ABORTED')
        errors.push(`${failed.failure()?.errorText} ${failed.url()}`)
    })
    const headings: Record<string, string> = {
      [`/${region}/public/policies`]: 'Public policies of Port Meridian',
      [`/${region}/public/routes`]: published ? 'Routes in Port Meridian' : 'No public map here',
      [`/${region}/public/regulations`]: 'Public curb regulations of Port Meridian',
      ...Object.fromEntries(
        ['policies', 'routes', 'regulations'].map((name) => [
          `/no-such-region/public/${name}`,
          'Sorry, we can’t seem to find what you’re looking for...',
        ]),
      ),
    }
    const withMap = [`/${region}/public/policies`, ...(published ? [`/${region}/public/routes`] : [])]
    for (const [path, heading] of Object.entries(headings)) {
      const basemap = withMap.includes(path)
        ? page.waitForResponse(
            (response) => /\/basemap\/[^/]+\/vector\//.test(response.url()) && response.status() === 200,
          )
        : null
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1, name: heading })).toBeAttached()
      await basemap
      await page.waitForLoadState('networkidle')
      expect(errors, path).toEqual([])
    }
  })
