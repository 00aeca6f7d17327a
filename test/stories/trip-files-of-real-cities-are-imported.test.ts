import fs from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { queryTripsSpatial, notInShape } from '#contract/evaluation.ts'
import { uploadShapes } from '#contract/boundary-files.ts'
import { type Layer, listShapes, type Shape } from '#contract/geography.ts'
import { type Import, uploadTrips } from '#contract/imports.ts'
import type { Position } from '#contract/place.ts'
import { createRegion } from '#contract/regions.ts'
import { call, openTestApp, type TestApp } from '../app.ts'
import { waitForImport, makePeople, sendTrips, type TestCity } from '../city.ts'
import { holds } from '../city/plain-geometry.ts'
import { publishedData as data, readsAllFiles } from '../city/published-files.ts'

const isPresent =
  fs.existsSync(path.join(data, 'portland/trips')) && fs.existsSync(path.join(data, 'louisville'))
if (!isPresent)
  console.warn('Skipped: the published files of Portland and Louisville, which are not at ../shared/data')

interface PlainRow {
  empty: boolean
  start: Position
  end: Position
  startsAt: number
  endsAt: number
}

/** Converts a date and time of Portland's files, as if every day had 24 hours. */
function plainTime(date: string, clock: string): number {
  const [month, day, year] = date.split('/').map(Number) as [number, number, number]
  const [hour, minute] = clock.split(':').map(Number) as [number, number]
  return date && clock ? Date.UTC(year, month - 1, day, hour, minute) / 1000 : Number.NaN
}

const parseNumber = (text: string): number => (text === '' ? Number.NaN : Number(text))

/** Reads Portland's files. No relevant field contains a comma or a quotation mark. */
function readPlainRows(file: string): PlainRow[] {
  const [header = '', ...lines] = gunzipSync(fs.readFileSync(file)).toString().split(/\r?\n/)
  const at = Object.fromEntries(
    header.split(',').map((name, index) => [name.replaceAll('_', '').toLowerCase(), index]),
  )
  return lines
    .filter((line) => line !== '')
    .map((line) => {
      const fields = line.includes('"') ? line.replaceAll(/"[^"]*"/g, 'quoted').split(',') : line.split(',')
      const field = (name: string): string => (fields[at[name] ?? -1] ?? '').trim()
      return {
        empty: fields.every((field) => field === ''),
        start: [parseNumber(field('startlongitude')), parseNumber(field('startlatitude'))],
        end: [parseNumber(field('endlongitude')), parseNumber(field('endlatitude'))],
        startsAt: plainTime(field('startdate'), field('starttime')),
        endsAt: plainTime(field('enddate'), field('endtime')),
      }
    })
}

describe.skipIf(!isPresent)('real cities (skipped where ../shared/data is absent)', () => {
  let app: TestApp
  let city: TestCity
  beforeAll(async () => {
    app = await openTestApp()
    city = await makePeople(app)
    await call(app, city.admin, createRegion, {
      body: {
        regionId: 'portland',
        text: 'Portland',
        lat: 45.52,
        lon: -122.67,
        timezone: 'America/Los_Angeles',
      },
    })
    await call(app, city.admin, createRegion, {
      body: {
        regionId: 'louisville',
        text: 'Louisville',
        lat: 38.25,
        lon: -85.76,
        timezone: 'America/Kentucky/Louisville',
      },
    })
  })
  afterAll(() => app.close())

  async function addLayer(
    region_id: string,
    file: string,
  ): Promise<{ layer: Layer; shapes: Shape[]; notes: number }> {
    const { layer, notes } = await call(app, city.admin, uploadShapes, {
      params: { region_id },
      query: { file_name: 'neighborhoods.geojson', layer_name: 'Neighborhoods' },
      body: fs.readFileSync(path.join(data, file)),
    })
    const { items } = await call(app, city.admin, listShapes, {
      params: { region_id },
      query: { shape_layer_uuid: layer.shape_layer_uuid, size: 500 },
    })
    return { layer, shapes: items, notes: notes.length }
  }

  const folder = path.join(data, 'portland/trips')
  // Some of 38 months, including the Novembers with their repeated hour.
  const files = isPresent
    ? fs
        .readdirSync(folder)
        .filter((file, index) => readsAllFiles || file.includes('_11.') || index % 8 === 0)
    : []
  let rows: PlainRow[] = []

  it('real cities store every row of Portland’s months or set it aside with its reason', async () => {
    const sent: Import[] = []
    for (const file_name of files)
      sent.push(
        await call(app, city.admin, uploadTrips, {
          params: { region_id: 'portland' },
          query: { file_name },
          body: fs.readFileSync(path.join(folder, file_name)),
        }),
      )
    // Read by the test while the server imports.
    rows = files.flatMap((file) => readPlainRows(path.join(folder, file)))
    const imports: Import[] = []
    for (const tripImport of sent) imports.push(await waitForImport(app, city.admin, tripImport))
    expect(imports.map(({ status, layout, problem }) => `${status} ${layout} ${problem}`)).toEqual(
      files.map(() => 'done biketown null'),
    )
    const sum = (getValue: (tripImport: Import) => number): number =>
      imports.reduce((all, tripImport) => all + getValue(tripImport), 0)
    const sumValues = (getValue: (tripImport: Import) => Record<string, number>): Record<string, number> => {
      const all: Record<string, number> = {}
      for (const tripImport of imports)
        for (const [name, count] of Object.entries(getValue(tripImport))) all[name] = (all[name] ?? 0) + count
      return all
    }
    const trips = rows.filter(({ empty }) => !empty)
    const empty = rows.length - trips.length
    expect([
      sum((tripImport) => tripImport.rows_read),
      sum((tripImport) => tripImport.rows_accepted),
      sum((tripImport) => tripImport.rows_rejected),
    ]).toEqual([rows.length, trips.length, empty])
    expect(sumValues((tripImport) => tripImport.reasons)).toEqual({ empty_row: empty })
    const flags = sumValues((tripImport) => tripImport.flags)
    // In local time some trips end before they start; three are in the repeated hour, so they end later after all.
    const backwards = trips.filter((row) => row.endsAt < row.startsAt)
    const doubled = [Date.UTC(2016, 10, 6, 1), Date.UTC(2017, 10, 5, 1), Date.UTC(2018, 10, 4, 1)].map(
      (ms) => ms / 1000,
    )
    const inDoubled = backwards.filter(({ startsAt, endsAt }) =>
      doubled.some((hour) => endsAt >= hour && startsAt < hour + 3600),
    )
    expect(inDoubled).toHaveLength(3)
    expect(flags).toMatchObject({
      ends_before_start: backwards.length - inDoubled.length,
      over_24_hours: trips.filter((row) => row.endsAt - row.startsAt > 86_400).length,
      no_end_time: trips.filter((row) => Number.isNaN(row.endsAt)).length,
    })
    // Seven in all 38 months.
    expect(
      (flags['origin_outside_region'] ?? 0) + (flags['destination_outside_region'] ?? 0),
    ).toBeLessThanOrEqual(7)
    expect([flags['no_origin'] ?? 0, flags['no_destination'] ?? 0]).toEqual([
      trips.filter(({ start }) => Number.isNaN(start[0] + start[1])).length,
      trips.filter(({ end }) => Number.isNaN(end[0] + end[1])).length,
    ])
  }, 480_000)

  it('real cities count trips in Portland’s 63 neighborhoods as a plain count', async () => {
    const { layer, shapes, notes } = await addLayer('portland', 'portland/geo/neighborhoods.geojson')
    expect([layer.shape_count, shapes.length]).toEqual([63, 63])
    expect(notes).toBeGreaterThanOrEqual(6)
    const response = await call(app, city.viewer, queryTripsSpatial, {
      body: {
        region_id: 'portland',
        shape_layer_uuid: layer.shape_layer_uuid,
        start_date: '2016-01-01',
        end_date: '2019-12-31',
      },
    })
    expect(response.total).toBe(rows.filter(({ empty }) => !empty).length)
    const boxes = shapes.map(({ shape_uuid, geom }) => {
      const positions = (
        geom.type === 'MultiPolygon'
          ? geom.coordinates.flat(2)
          : geom.type === 'Polygon'
            ? geom.coordinates.flat()
            : []
      ) as Position[]
      const [xs, ys] = [positions.map(([x]) => x), positions.map(([, y]) => y)]
      return {
        shape_uuid,
        geom,
        west: Math.min(...xs),
        east: Math.max(...xs),
        south: Math.min(...ys),
        north: Math.max(...ys),
      }
    })
    // Hubs repeat the same positions.
    const known = new Map<string, string[]>()
    const getShapesAt = ([x, y]: Position): string[] => {
      const key = `${x} ${y}`
      let found = known.get(key)
      if (!found)
        known.set(
          key,
          (found = boxes
            .filter(
              (box) =>
                x >= box.west && x <= box.east && y >= box.south && y <= box.north && holds(box.geom, [x, y]),
            )
            .map(({ shape_uuid }) => shape_uuid)),
        )
      return found
    }
    const plain: Record<string, { orig: number; dest: number }> = Object.fromEntries(
      [...shapes.map(({ shape_uuid }) => shape_uuid), notInShape].map((id) => [id, { orig: 0, dest: 0 }]),
    )
    for (const { empty, start, end } of rows) {
      if (empty) continue
      for (const [side, point] of [
        ['orig', start],
        ['dest', end],
      ] as const) {
        const found = getShapesAt(point)
        for (const id of found.length ? found : [notInShape])
          (plain[id] as { orig: number; dest: number })[side]++
      }
    }
    expect(
      Object.fromEntries(
        Object.entries(response.shape_data).map(([id, { orig, dest }]) => [id, { orig, dest }]),
      ),
    ).toEqual(plain)
  }, 480_000)

  it('real cities store a thousand trips of Louisville’s sample, in its 67 neighborhoods', async () => {
    const name = 'DocklessOpenData-Sample-Aug2019-Louisville.csv'
    const tripImport = await sendTrips(app, city.admin, {
      region_id: 'louisville',
      file_name: name,
      bytes: fs.readFileSync(path.join(data, 'louisville', name)),
    })
    expect(tripImport).toMatchObject({
      status: 'done',
      layout: 'louisville',
      rows_read: 1000,
      rows_accepted: 1000,
      rows_rejected: 0,
    })
    const { layer, shapes } = await addLayer('louisville', 'louisville/neighborhoods.geojson')
    expect(shapes).toHaveLength(67)
    const response = await call(app, city.viewer, queryTripsSpatial, {
      body: {
        region_id: 'louisville',
        shape_layer_uuid: layer.shape_layer_uuid,
        start_date: '2019-08-01',
        end_date: '2019-08-31',
      },
    })
    expect(response.total).toBe(1000)
    expect(
      Object.values(response.shape_data).reduce((sum, { orig }) => sum + (orig ?? 0), 0),
    ).toBeGreaterThanOrEqual(1000)
  })
})
