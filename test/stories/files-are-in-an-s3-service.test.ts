// Stores uploads, previews and exports in an S3-compatible service instead of the data directory.
import fs from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLayer, previewBoundaries } from '#contract/boundary-files.ts'
import { call, openTestApp, request, type TestApp } from '../app.ts'
import { makeCity } from '../city.ts'
import { districts, makeGeoJson } from '../city/shapes.ts'
import { tripPeriod } from '../city/trips.ts'
import { waitForExport, runExport, parseCsv, startTestExport } from '../exports.ts'
import { type FakeS3, openFakeS3 } from '../fake-s3.ts'

let s3: FakeS3
let app: TestApp
let city: Awaited<ReturnType<typeof makeCity>>
beforeAll(async () => {
  s3 = await openFakeS3()
  app = await openTestApp(undefined, { BLOB_URL: s3.url })
  city = await makeCity(app)
})
afterAll(async () => {
  await app.close()
  await s3.close()
})

const listKeys = (): string[] => [...s3.objects.keys()].map((key) => key.replace(/^a\/b\//, ''))
const inAlder = { region_id: 'alder' }

test('trip files are read from S3, and removed when their rows are stored', async () => {
  expect(city.trips).toMatchObject({ status: 'done' })
  await expect.poll(() => listKeys().filter((key) => key.startsWith('trip-files/'))).toEqual([])
  expect(fs.existsSync(path.join(app.dataDir, 'trip-files'))).toBe(false)
})

test('boundary previews are stored in S3 until their layer is created', async () => {
  const { upload_uuid } = await call(app, city.planner, previewBoundaries, {
    params: inAlder,
    query: { file_name: 'wards.geojson' },
    body: makeGeoJson(districts),
  })
  expect(listKeys()).toContain(`boundary-uploads/alder.${upload_uuid}.json`)
  const { layer } = await call(app, city.planner, createLayer, {
    params: inAlder,
    body: { layer_name: 'Wards', upload_uuid, name_property: 'name', level: 'l2', accept_outside: true },
  })
  expect(layer.shape_count).toBe(districts.length)
})

test('exports are written to S3, and sent by the server or by a link to S3', async () => {
  const { rows, state } = await runExport(app, city.admin, 'trips', { format: 'csv', ...tripPeriod })
  expect(rows.length).toBeGreaterThan(100)
  expect(listKeys()).toContain(`exports/${state.export_id}`)
  expect(fs.readdirSync(path.join(app.dataDir, 'export-parts'))).toEqual([])

  await app.stop()
  app = await openTestApp(app.dataDir, { BLOB_URL: `${s3.url}&downloads=direct` })
  const again = await waitForExport(
    app,
    city.admin,
    await startTestExport(app, city.admin, 'trips', { format: 'csv', ...tripPeriod }),
  )
  const response = await request(app, { method: 'GET', url: again.url ?? '' })
  expect([response.statusCode, response.headers['cache-control']]).toEqual([302, 'no-store'])
  const file = await fetch(String(response.headers.location))
  expect(file.headers.get('content-type')).toBe('application/gzip')
  expect(parseCsv(gunzipSync(Buffer.from(await file.arrayBuffer())).toString())).toHaveLength(rows.length)
})
