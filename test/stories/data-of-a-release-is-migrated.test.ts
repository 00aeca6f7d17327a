import fs from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it, test } from 'vitest'
import { queryTripsSpatial } from '#contract/evaluation.ts'
import { listLayers, listShapes } from '#contract/geography.ts'
import { listImports } from '#contract/imports.ts'
import { listRegions } from '#contract/regions.ts'
import { listUsers } from '#contract/users.ts'
import { appVersion } from '#server/config.ts'
import { clickhouseMigrations, postgresMigrations } from '#server/stores/migrations/migrations.ts'
import { migrateState, openUnmigratedState } from '#server/stores/state.ts'
import { call, openTestApp, type SignedIn, signIn, type TestApp } from '../app.ts'
import { makeCity, password } from '../city.ts'
import { tripPeriod } from '../city/trips.ts'
import { createDataDir } from '../new-data-dir.ts'
import { publicway } from '../publicway.ts'
import {
  packRelease,
  presentMigrations,
  readReleaseData,
  unpackRelease,
  writeReleaseData,
} from '../release/release-data.ts'
import { startServer } from '../server-process.ts'

/** Data of the last release. `WRITE_RELEASE=1` writes the file again for a new release. */
const file = path.join(import.meta.dirname, '../fixtures/release/0-1-0.json.gz')
const scratch = fs.mkdtempSync(path.join(tmpdir(), 'publicway-release-'))
afterAll(() => fs.rmSync(scratch, { recursive: true, force: true }))

/** Reads what an upgrade must not change: facts, shapes, people, imports. */
async function readResponses(app: TestApp, admin: SignedIn) {
  const region = { region_id: 'alder' }
  const { items: layers } = await call(app, admin, listLayers, { params: region })
  const figures = []
  for (const { shape_layer_uuid } of layers) {
    const { shape_data, total } = await call(app, admin, queryTripsSpatial, {
      body: { ...region, shape_layer_uuid, ...tripPeriod },
    })
    const { items: shapes } = await call(app, admin, listShapes, {
      params: region,
      query: { shape_layer_uuid },
    })
    figures.push({ shape_data, total, shapes: shapes.map(({ shape_name: name }) => name) })
  }
  const { items: imports } = await call(app, admin, listImports, { params: region })
  return {
    layers: layers.map(({ layer_name: name }) => name),
    figures,
    users: (await call(app, admin, listUsers)).items.map(({ email }) => email).toSorted(),
    regions: (await call(app, admin, listRegions)).items.map(({ regionId }) => regionId).toSorted(),
    imports: imports.map(({ file_name, rows_accepted, rows_rejected }) => ({
      file_name,
      rows_accepted,
      rows_rejected,
    })),
  }
}

test.runIf(process.env['WRITE_RELEASE'])('writes the data of this release', async () => {
  const app = await openTestApp(createDataDir())
  const city = await makeCity(app)
  const responses = await readResponses(app, city.admin)
  await app.stop()
  const release = await readReleaseData(app.dataDir, responses, appVersion)
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, packRelease(release))
  fs.rmSync(app.dataDir, { recursive: true, force: true })
  expect(fs.statSync(file).size).toBeLessThan(1_000_000)
})

test('released migrations never change', () => {
  const release = unpackRelease(file)
  const present = presentMigrations()
  expect(present.state.slice(0, release.state.migrations.length)).toEqual(release.state.migrations)
  expect(present.facts.slice(0, release.facts.migrations.length)).toEqual(release.facts.migrations)
})

/** Renames fields that have been renamed since the release. */
const renameFields = (responses: unknown): unknown =>
  JSON.parse(JSON.stringify(responses).replaceAll('"rows_set_aside":', '"rows_rejected":'))

test('data of the last release is migrated, and gives the same responses', async () => {
  const release = unpackRelease(file)
  const dataDir = path.join(scratch, 'release')
  await writeReleaseData(release, dataDir)
  const app = await openTestApp(dataDir)
  try {
    const admin = await signIn(app, 'admin@alder.example', password)
    expect(await readResponses(app, admin)).toEqual(renameFields(release.answers))
    expect(await app.state.maintenance.pendingMigrations()).toEqual([])
    expect(await app.facts.maintenance.pendingMigrations()).toEqual([])
  } finally {
    await app.stop()
  }
})

describe('an upgrade', () => {
  const dataDir = path.join(scratch, 'upgrade')
  const settings = { DATA_DIR: dataDir, DEMO: 'off' }
  const lastState = postgresMigrations.at(-1)?.name ?? ''
  /** Creates a data directory without the last migration of the state store. */
  const makeOlder = async (): Promise<void> => {
    fs.mkdirSync(dataDir, { recursive: true })
    const state = await openUnmigratedState({ databaseUrl: null, dataDir })
    await migrateState(state, postgresMigrations.slice(0, -1))
    await state.close()
  }

  it('can be shown by a dry run, which changes nothing', async () => {
    await makeOlder()
    const dry = await publicway(['migrate', '--dry-run', '--json'], settings)
    expect([dry.code, dry.json()]).toEqual([
      0,
      {
        dry_run: true,
        pending: { state: [lastState], facts: clickhouseMigrations.map(({ name }) => name) },
        backup_first: true,
        problem: null,
      },
    ])
    expect((await publicway(['migrate', '--dry-run', '--json'], settings)).out).toBe(dry.out)
    expect(fs.existsSync(path.join(dataDir, 'backups'))).toBe(false)
  })

  it('makes a backup first, which the previous version can restore', async () => {
    const done = await publicway(['migrate', '--json'], settings)
    expect(done.code).toBe(0)
    const [name = ''] = fs.readdirSync(path.join(dataDir, 'backups'))
    const manifest = JSON.parse(
      fs.readFileSync(path.join(dataDir, 'backups', name, 'manifest.json'), 'utf8'),
    ) as { state: { migrations: string[] }; facts: { migrations: string[] } }
    expect(manifest.state.migrations).not.toContain(lastState)
    expect(manifest.state.migrations).toHaveLength(postgresMigrations.length - 1)
    const again = await publicway(['migrate', '--json'], settings)
    expect(again.json()).toMatchObject({ pending: { state: [], facts: [] } })
    expect(fs.readdirSync(path.join(dataDir, 'backups'))).toEqual([name])
  })

  it('is refused for data of a newer version, with advice', async () => {
    const state = await openUnmigratedState({ databaseUrl: null, dataDir })
    await state.execute(`insert into schema_migration (name) values ('900-of-the-future')`)
    await state.close()
    const server = startServer({ ...settings, PORT: '4899' })
    expect(await server.ended).toBe(2)
    expect(server.printed()).toMatch(/newer version of Publicway.*900-of-the-future.*restore the backup/)
    const dry = await publicway(['migrate', '--dry-run', '--json'], settings)
    expect([dry.code, dry.json<{ problem: string }>().problem]).toEqual([
      1,
      expect.stringContaining('900-of-the-future'),
    ])
  })
})
