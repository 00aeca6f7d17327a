import fs from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { queryTripsSpatial } from '#contract/evaluation.ts'
import { listLayers } from '#contract/geography.ts'
import type { Backup } from '#contract/server-status.ts'
import { listUsers } from '#contract/users.ts'
import { descendants } from '../../scripts/setup/descendants.js'
import { call, openTestApp, type SignedIn, type TestApp } from '../app.ts'
import { makeCity } from '../city.ts'
import { createRandom } from '../city/random.ts'
import { tripPeriod } from '../city/trips.ts'
import { createDataDir } from '../new-data-dir.ts'
import { publicway } from '../publicway.ts'
import { freePort, type ServerProcess, startServer, untilServing } from '../server-process.ts'

/** One kill by default, more by KILL_RUNS. */
const killCount = Number(process.env['KILL_RUNS'] ?? 1)
const random = createRandom(Date.now() % 1_000_000)
const dataDir = createDataDir()
const directory = fs.mkdtempSync(path.join(tmpdir(), 'publicway-backups-'))
const otherDataDir = path.join(directory, 'other')
const settings = { DATA_DIR: dataDir, DEMO: 'off', BACKUP_DIR: directory }

let city: Awaited<ReturnType<typeof makeCity>>
let responsesBefore: unknown
let server: ServerProcess
const startTestServer = async (): Promise<ServerProcess> =>
  untilServing(startServer({ ...settings, PORT: String(await freePort()) }))

/** Reads layers, users and trip counts, to compare them after a restore. */
async function readResponses(app: TestApp, admin: SignedIn): Promise<unknown> {
  const layers = await call(app, admin, listLayers, { params: { region_id: 'alder' } })
  const users = await call(app, admin, listUsers)
  const spatial = []
  for (const layer of [city.layers.districts, city.layers.lanes]) {
    const {
      milliseconds: _ms,
      from: _from,
      ...response
    } = await call(app, admin, queryTripsSpatial, {
      body: { region_id: 'alder', shape_layer_uuid: layer.shape_layer_uuid, ...tripPeriod },
    })
    spatial.push(response)
  }
  return { layers, users: users.items.map(({ email }) => email).toSorted(), spatial }
}

beforeAll(async () => {
  const app = await openTestApp(dataDir)
  city = await makeCity(app)
  fs.mkdirSync(path.join(dataDir, 'logos'), { recursive: true })
  fs.writeFileSync(path.join(dataDir, 'logos', 'alder.svg'), '<svg/>')
  responsesBefore = await readResponses(app, city.admin)
  await app.stop()
  server = await startTestServer()
})
afterAll(async () => {
  await server.kill('SIGKILL')
  for (const folder of [dataDir, directory]) fs.rmSync(folder, { recursive: true, force: true })
})

const listBackups = (): string[] => fs.readdirSync(directory).filter((name) => name !== 'other')

describe('a backup of a running server', () => {
  let made: Backup

  it('a backup is made by one command, which requires access to the data directory', async () => {
    const result = await publicway(['backup', '--json'], settings)
    expect([result.code, result.error]).toEqual([0, ''])
    made = result.json<Backup>()
    expect(listBackups()).toEqual([made.name])
    expect(fs.readdirSync(path.join(directory, made.name)).toSorted()).toEqual([
      'facts.zip',
      'files.zip',
      'manifest.json',
      'state.tar.gz',
    ])
    expect(made.rows).toBeGreaterThan(1000)
    const control = path.join(dataDir, 'control.json')
    expect(fs.statSync(control).mode & 0o077).toBe(0)
    const { port } = JSON.parse(fs.readFileSync(control, 'utf8')) as { port: number }
    const refused = await fetch(`http://127.0.0.1:${port}/backup`, {
      method: 'POST',
      body: '{}',
      headers: { authorization: 'Bearer guess' },
    })
    expect(refused.status).toBe(401)
  })

  it('can be verified by restoring it, and a damaged backup is found', async () => {
    const good = await publicway(['verify', '--json'], settings)
    expect([good.code, good.json()]).toMatchObject([0, { backup: made.name, problem: null }])
    const damaged = path.join(directory, 'publicway-20250101T000000Z')
    fs.cpSync(path.join(directory, made.name), damaged, { recursive: true })
    const file = path.join(damaged, 'facts.zip')
    const bytes = fs.readFileSync(file)
    bytes[5000] = (bytes[5000] ?? 0) ^ 1
    fs.writeFileSync(file, bytes)
    const manifest = path.join(damaged, 'manifest.json')
    fs.writeFileSync(manifest, fs.readFileSync(manifest, 'utf8').replace(made.name, path.basename(damaged)))
    const bad = await publicway(['verify', path.basename(damaged), '--json'], settings)
    expect([bad.code, bad.error]).toEqual([1, ''])
    expect(bad.out).toContain('its checksum differs')
    fs.rmSync(damaged, { recursive: true })
    expect(fs.readdirSync(dataDir).filter((name) => name.startsWith('verify-'))).toEqual([])
  })

  it('the check of a verified backup has no result if its process is killed', async () => {
    const killed = publicway(['verify', '--json'], settings)
    const findChecks = (): number[] =>
      (descendants(server.pid) ?? []).filter((pid) =>
        fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('verify-backup'),
      )
    await expect.poll(findChecks, { interval: 20, timeout: 60_000 }).toHaveLength(1)
    for (const pid of findChecks()) process.kill(pid, 'SIGKILL')
    const { code, out } = await killed
    expect([code, out]).toEqual([1, expect.stringContaining('was ended (SIGKILL)')])
  })

  it('is not restored over the data directory of the server', async () => {
    const refused = await publicway(['restore', '--replace', '--json'], settings)
    expect(refused.code).toBe(1)
    expect(refused.out).toContain('is in use by process')
  })
})

test('a server that is killed during backups leaves only complete ones, and the next backup cleans up', async () => {
  const complete = listBackups()
  for (let kill = 0; kill < killCount; kill++) {
    const running = publicway(['backup', '--json'], settings)
    await expect
      .poll(() => listBackups().some((name) => name.startsWith('.partial-')), {
        interval: 5,
        timeout: 60_000,
      })
      .toBe(true)
    await new Promise((resolve) => setTimeout(resolve, random() * 400))
    await server.kill('SIGKILL')
    await running
    server = await startTestServer()
  }
  const whole = listBackups().filter((buildBackupName) => !buildBackupName.startsWith('.partial-'))
  expect(whole.filter((name) => !fs.existsSync(path.join(directory, name, 'manifest.json')))).toEqual([])
  expect((await publicway(['backup', '--json'], settings)).code).toBe(0)
  expect(listBackups().filter((name) => name.startsWith('.partial-'))).toEqual([])
  expect(listBackups()).toEqual(expect.arrayContaining(complete))
  // The content hashes of the newest backup's facts, which increments are compared with.
  const newest = listBackups().toSorted().at(-1) ?? ''
  expect(fs.readdirSync(path.join(dataDir, 'facts', 'backups'))).toEqual([newest])
  expect(fs.readdirSync(path.join(dataDir, 'facts', 'backups', newest))).toEqual(['.backup'])
})

test('an increment has only rows that are new since the full backup, and is restored with it', async () => {
  fs.writeFileSync(path.join(dataDir, 'logos', 'birch.svg'), '<svg/>')
  const full = listBackups().toSorted().at(-1) ?? ''
  const made = await publicway(['backup', '--increment', '--json'], settings)
  expect([made.code, made.error]).toEqual([0, ''])
  const { name } = made.json<Backup>()
  expect(name).toBe(`${name.slice(0, 26)}-on-${full.slice('publicway-'.length)}`)
  const getSize = (backup: string, file: string) => fs.statSync(path.join(directory, backup, file)).size
  expect(getSize(name, 'facts.zip')).toBeLessThan(getSize(full, 'facts.zip') / 2)
  expect(getSize(name, 'files.zip')).toBeLessThan(getSize(full, 'files.zip'))
  const verified = await publicway(['verify', '--json'], settings)
  expect([verified.code, verified.json()]).toMatchObject([0, { backup: name, problem: null }])
})

test('a restored city has the same rows and gives the same responses', async () => {
  await server.kill('SIGTERM')
  const restored = await publicway(['restore', '--to', otherDataDir, '--json'], settings)
  expect([restored.code, restored.error]).toEqual([0, ''])
  const { tables, differing, files } = restored.json<{
    tables: { store: string; table: string; expected: [number, number]; restored: number }[]
    differing: number
    files: number
  }>()
  expect(differing).toBe(0)
  expect(files).toBeGreaterThanOrEqual(2)
  const trips = tables.find(({ table }) => table === 'trips')
  expect(trips?.restored).toBeGreaterThan(1000)
  // Nothing was written during the backup, so all counts are exact except those of derived sums.
  const isSum = (table: string): boolean => /^(cube|shape)_/.test(table)
  expect(tables.filter(({ table, expected: [min, max] }) => min !== max && !isSum(table))).toEqual([])
  // The newest backup is the increment; one logo is in its base.
  for (const logo of ['alder.svg', 'birch.svg'])
    expect(fs.readFileSync(path.join(otherDataDir, 'logos', logo), 'utf8')).toBe('<svg/>')
  expect(fs.readFileSync(path.join(otherDataDir, 'secret.key'))).toEqual(
    fs.readFileSync(path.join(dataDir, 'secret.key')),
  )
  const app = await openTestApp(otherDataDir)
  try {
    expect(await readResponses(app, city.admin)).toEqual(responsesBefore)
  } finally {
    await app.stop()
  }
})

describe('a restore', () => {
  const findNewestBackup = (): string =>
    path.join(
      directory,
      listBackups()
        .filter((name) => name.startsWith('publicway-'))
        .toSorted()
        .at(-1) ?? '',
    )

  it('replaces a filled data directory only with --replace', async () => {
    const refused = await publicway(['restore', '--to', otherDataDir, '--json'], settings)
    expect([refused.code, refused.json<{ error: string }>().error]).toEqual([
      1,
      expect.stringMatching(/has data \(state, facts.*--replace/),
    ])
    fs.writeFileSync(path.join(otherDataDir, 'logos', 'later.svg'), '<svg/>')
    const replaced = await publicway(['restore', '--to', otherDataDir, '--replace', '--json'], settings)
    expect(replaced.code).toBe(0)
    expect(fs.readdirSync(path.join(otherDataDir, 'logos')).toSorted()).toEqual(['alder.svg', 'birch.svg'])
    expect(fs.readdirSync(otherDataDir).filter((name) => name.startsWith('.'))).toEqual([])
  })

  it('refuses a folder without a backup', async () => {
    const none = await publicway(['restore', dataDir, '--to', path.join(directory, 'x'), '--json'], settings)
    expect([none.code, none.json()]).toEqual([1, { error: expect.stringContaining('is no backup') }])
  })

  it('refuses an increment without its full backup', async () => {
    const alone = path.join(directory, 'other-alone', path.basename(findNewestBackup()))
    fs.cpSync(findNewestBackup(), alone, { recursive: true })
    const refused = await publicway(['verify', alone, '--json'], settings)
    expect(refused.json()).toMatchObject({ problem: expect.stringMatching(/needs the backup publicway-/) })
    fs.rmSync(path.dirname(alone), { recursive: true })
  })

  it('needs the passphrase of an encrypted backup, which is unreadable without it', async () => {
    const passphrase = path.join(directory, 'other-passphrase')
    fs.writeFileSync(passphrase, 'a passphrase of the test\n')
    const encrypted = path.join(directory, 'other-encrypted')
    const sealed = { ...settings, BACKUP_DIR: encrypted, BACKUP_PASSPHRASE_FILE: passphrase }
    const made = (await publicway(['backup', '--json'], sealed)).json<Backup>()
    expect(made.is_encrypted).toBe(true)
    const folder = path.join(encrypted, made.name)
    expect(fs.readdirSync(folder).toSorted()).toEqual([
      'facts.zip.enc',
      'files.zip.enc',
      'manifest.json',
      'state.tar.gz.enc',
    ])
    expect(fs.readFileSync(path.join(folder, 'files.zip.enc')).includes('secret.key')).toBe(false)
    expect((await publicway(['verify', '--json'], sealed)).json()).toMatchObject({ problem: null })
    const without = await publicway(['verify', folder, '--json'], settings)
    expect(without.json()).toMatchObject({ problem: expect.stringContaining('BACKUP_PASSPHRASE') })
    const wrong = { ...settings, BACKUP_PASSPHRASE: 'another passphrase' }
    expect((await publicway(['verify', folder, '--json'], wrong)).json()).toMatchObject({
      problem: expect.stringContaining('passphrase is wrong'),
    })
  })
})
