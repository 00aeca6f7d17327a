import type { APIRequestContext } from '@playwright/test'
import { dayMs } from '#contract/period.ts'
import { expectClean } from './clean.ts'
import { readResponse, collectErrors, expect, heading, type Page, test } from './fixtures.ts'

const region = 'port-meridian'
// The city of the specs has forty days behind it.
const getDay = (ago: number): string => new Date(Date.now() - ago * dayMs).toISOString().slice(0, 10)
const [from, to] = [getDay(16), getDay(3)]
const days = `start_date=${from}&end_date=${to}`
const map = `/${region}/mobility/maps/routes`

interface Volumes {
  trips: number
  trips_with_way: number
  segment_ids: string[]
  forward: number[]
  backward: number[]
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
const publish = (admin: APIRequestContext, published: boolean) =>
  readResponse(admin.patch(`/v2/regions/${region}/routes/publishing`, { data: { published } }))
const formatNumber = (value: number): string => value.toLocaleString('en-US')

/** Opens the map and returns the response of the server. */
async function openMap(page: Page, search = ''): Promise<Volumes> {
  const answered = page.waitForResponse(
    (response) => response.url().includes('/routes/volumes') && response.ok(),
  )
  await page.goto(`${map}?${days}${search}`)
  return (await (await answered).json()) as Volumes
}

/** Downloads the file of a button, as lines of cells. */
async function downloadFile(
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

/** Sums a column, counted from the end of the line, because street names may contain commas. */
const sumColumn = ([head = [], ...lines]: string[][], column: string): number =>
  sum(
    lines.map((line) =>
      Number(line.at(head.findIndex((title) => title.replaceAll('"', '') === column) - head.length)),
    ),
  )

test.describe('the routes map', () => {
  test.use({ role: 'planner' })

  test('the routes map has the same numbers in statistics, legend, table, files and API, and opens a segment by keyboard', async ({
    page,
  }) => {
    const {
      trips,
      trips_with_way: ways,
      segment_ids: segments,
      forward,
      backward,
    } = await openMap(page, '&results=true')
    const all = sum(forward) + sum(backward)
    expect(all).toBeGreaterThan(1000)
    const figures = page.getByRole('region', { name: 'Statistics' })
    for (const figure of [trips, trips - ways])
      await expect(figures.getByText(formatNumber(figure), { exact: true }).first()).toBeVisible()
    // The hours of the day add up to the same trips.
    const hours = (await figures.getByRole('img').getAttribute('aria-label')) ?? ''
    const numbers = [...hours.matchAll(/: ([\d,]+), ([\d,]+) with a route/g)].flatMap(([, ...each]) => each)
    expect(numbers).toHaveLength(48)
    expect(sum(numbers.map((text) => Number(text.replaceAll(',', ''))))).toBe(trips + ways)
    await expect(page.getByRole('region', { name: 'Legend' })).toContainText(
      `${formatNumber(ways)} of ${formatNumber(trips)} trips`,
    )

    await expect(page.getByRole('table', { name: 'Street segments' })).toHaveAttribute(
      'aria-rowcount',
      String(segments.length + 1),
    )
    const download = page.getByRole('button', { name: 'Download', exact: true })
    await download.click()
    const table = await downloadFile(page, () =>
      page.getByRole('menuitem', { name: 'Summary (CSV)', exact: true }).click(),
    )
    expect(sumColumn(table.lines, 'Trips')).toBe(all)

    await download.click()
    const { name, lines } = await downloadFile(page, () =>
      page.getByRole('menuitem', { name: 'Street volumes (CSV)', exact: true }).click(),
    )
    expect(name).toBe(`route-volumes-${region}-${from}-${to}.csv`)
    expect([lines.length - 1, sumColumn(lines, 'trips')]).toEqual([segments.length, all])
    await page.keyboard.press('Escape')
    await page.locator('.maplibregl-canvas').focus()
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
    await expectClean(page, 'routes with a segment')
    await page.keyboard.press('Escape')
    await expect(page).not.toHaveURL(/route=/)
  })
})

test.describe('public pages of routes', () => {
  // Restores the city for other specs.
  test.afterAll(({ admin }) => publish(admin, false))

  test('open without a sign-in and without errors, with routes only once they are published', async ({
    page,
    admin,
  }) => {
    await publish(admin, false)
    const errors = collectErrors(page)
    const visit = async (name: string, title: string, hasMap: boolean) => {
      const basemap = hasMap
        ? page.waitForResponse(
            (response) => /\/basemap\/[^/]+\/vector\//.test(response.url()) && response.ok(),
          )
        : null
      await page.goto(`/${region}/public/${name}`)
      await expect(heading(page, title)).toBeAttached()
      await basemap
      expect(errors, name).toEqual([])
    }
    await visit('policies', 'Public policies of Port Meridian', true)
    await visit('routes', 'No public map here', false)
    await page.locator('header a').first().click()
    await expect(heading(page, 'Public pages of Port Meridian')).toBeVisible()
    await expect(page.getByRole('main').getByRole('link', { name: 'Routes' })).toHaveCount(0)
    await page.getByRole('main').getByRole('link', { name: 'Policies', exact: true }).click()
    await expect(heading(page, 'Public policies of Port Meridian')).toBeVisible()
    await visit('routes', 'No public map here', false)
    await page.setViewportSize({ width: 390, height: 844 })
    await expectClean(page, 'no public routes')

    await page.setViewportSize({ width: 1024, height: 640 })
    await publish(admin, true)
    const sent = page.waitForResponse(
      (response) => /\/public\/.*\/routes\/volumes/.test(response.url()) && response.ok(),
    )
    await visit('routes?results=true', 'Routes in Port Meridian', true)
    const {
      trips,
      privacy_minimum: minimum,
      route_share: share,
    } = (await (await sent).json()) as { trips: number[]; privacy_minimum: number; route_share: number }
    expect(trips.every((trip) => trip >= minimum)).toBe(true)
    await expect(page.getByRole('table', { name: 'Street segments' })).toHaveAttribute(
      'aria-rowcount',
      String(trips.length + 1),
    )
    await expect(page.getByText(`Streets with fewer than ${minimum} trips`).first()).toBeVisible()
    await expect(page.getByText(`${Math.round(100 * share)}% of the trips have a route.`)).toBeVisible()
    await expect(page.getByRole('link', { name: 'Sign in' })).toBeVisible()
    await expectClean(page, 'public routes')
  })
})
