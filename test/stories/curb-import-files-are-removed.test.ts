import fs from 'node:fs'
import path from 'node:path'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dayMs } from '#contract/period.ts'
import { removeOldCurbFiles } from '#server/curb/imports/remove-old-files.ts'
import { systemScope } from '#server/identity/scope.ts'
import { openDirectoryBlobs } from '#server/stores/blobs/directory-blobs.ts'
import { openTestApp, type TestApp } from '../app.ts'
import { makeRegions } from '../city.ts'
import { addInventory } from '../curb/stage-import.ts'
import { createDataDir } from '../new-data-dir.ts'

let app: TestApp
let folder: string
let dataDir: string
let inventory: string
beforeAll(async () => {
  app = await openTestApp()
  await makeRegions(app)
  dataDir = createDataDir()
  folder = path.join(dataDir, 'curb-files')
  await fs.promises.mkdir(folder, { recursive: true })
  inventory = await addInventory(app, 'alder', 'Survey')
})
afterAll(() => app.close())

const now = new Date('2026-06-01T00:00:00Z')
const getDaysAgo = (days: number): Date => new Date(now.getTime() - days * dayMs)

async function addImport(name: string, status: string, created: Date): Promise<string> {
  const file = path.join(folder, name)
  await fs.promises.writeFile(file, '{}')
  await fs.promises.utimes(file, created, created)
  const import_id = randomUUID()
  await app.state
    .as(systemScope)
    .insertInto('curb_import')
    .values({
      import_id,
      region_id: 'alder',
      inventory_id: inventory,
      file_name: name,
      file_hash: name,
      status,
      created_by: 'planner@example.com',
      created_time: created,
      files: JSON.stringify([{ path: file, name }]),
    })
    .execute()
  return import_id
}

test('curb import files are removed after 30 days, and other files are not', async () => {
  const waiting = await addImport('waiting', 'waiting', getDaysAgo(31))
  const staged = await addImport('staged', 'staged', getDaysAgo(40))
  await addImport('young', 'staged', getDaysAgo(29))
  await addImport('staging', 'staging', getDaysAgo(50))
  await fs.promises.writeFile(path.join(folder, 'of-another-import'), '{}')
  await removeOldCurbFiles({ state: app.state, blobs: openDirectoryBlobs(dataDir) }, now)
  expect((await fs.promises.readdir(folder)).toSorted()).toEqual(['of-another-import', 'staging', 'young'])
  const rows = await app.state
    .as(systemScope)
    .selectFrom('curb_import')
    .select(['import_id', 'status', 'files'])
    .where('import_id', 'in', [waiting, staged])
    .execute()
  expect(new Map(rows.map((row) => [row.import_id, [row.status, row.files]]))).toEqual(
    new Map([
      [waiting, ['failed', []]],
      [staged, ['staged', []]],
    ]),
  )
})
