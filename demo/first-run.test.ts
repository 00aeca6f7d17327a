import fs from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { App } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { openAuth } from '#server/identity/auth.ts'
import { openBackground } from '#server/jobs/background.ts'
import { openSecretBox } from '#server/stores/secret-box.ts'
import { systemScope } from '#server/identity/scope.ts'
import { openState, type State } from '#server/stores/state.ts'
import { dayNumber } from './day-number.ts'
import { makeDemo } from './first-run.ts'
import { operators } from './operators.ts'
import { signIns } from './sign-ins.ts'
import { smallCity } from './small-city.ts'

vi.mock('./make-city.ts', () => ({ makeCity: () => smallCity() }))

const at = new Date('2026-06-11T03:00:00Z')
const dataDir = fs.mkdtempSync(path.join(tmpdir(), 'publicway-demo-'))
let state: State
let app: Pick<App, 'state' | 'facts' | 'auth' | 'membership'>
/** The trips that were stored, as fields of a line. */
let stored: string[][] = []
const readied: string[] = []
let fails = false

const silent = { send: async () => undefined }

beforeAll(async () => {
  const config = readConfig({ DATA_DIR: dataDir, DEMO: 'on' })
  state = await openState(config)
  // State is the real one; facts, which take a gigabyte, are a list.
  const facts = {
    remove: async () => void (stored = []),
    insert: async (_scope: unknown, _table: string, _columns: unknown, _regionId: string, body: Buffer) => {
      if (fails) throw new Error('the disk is full')
      for (const line of body.toString().trimEnd().split('\n')) stored.push(line.split('\t'))
    },
  }
  const membership = { of: async (_scope: unknown, { layer_name }: { layer_name: string }) => void readied.push(layer_name) }
  app = { state, auth: await openAuth({ state, config, box: openSecretBox(config), mail: silent, sms: silent, background: openBackground(() => undefined), log: () => undefined, now: () => at }), facts: facts as unknown as App['facts'], membership: membership as unknown as App['membership'] }
})
afterAll(async () => {
  await state.close()
  fs.rmSync(dataDir, { recursive: true, force: true })
})

const run = async (days: number): Promise<string[]> => {
  const said: string[] = []
  await makeDemo(app, (line) => said.push(line), at, days)
  return said
}
const rows = (table: 'region' | 'user' | 'operator' | 'layer' | 'import' | 'secret') => state.as(systemScope).selectFrom(table).selectAll().execute()

describe('the first run', () => {
  it('that is cut off leaves nothing that counts as done', async () => {
    fails = true
    await expect(run(2)).rejects.toThrow('the disk is full')
    fails = false
    expect((await rows('secret')).filter(({ name }) => name === 'demo-complete')).toEqual([])
    expect(await rows('import')).toEqual([])
  })

  it('makes it whole when it is run again, and tells what it does', async () => {
    const said = await run(2)
    expect(said[0]).toContain('Port Meridian')
    expect(said.some((line) => /streets, water, parks and 3 layers/.test(line))).toBe(true)
    expect(said.some((line) => line.includes(`100 % of 2 days, ${stored.length.toLocaleString('en-US')} trips`))).toBe(true)
    expect(said.at(-1)).toMatch(/is ready$/)
    expect((await rows('region')).map(({ region_id, text, timezone }) => [region_id, text, timezone])).toEqual([['port-meridian', 'Smallville', 'America/New_York']])
    expect((await rows('operator')).map(({ slug }) => slug).toSorted()).toEqual(operators.map(({ slug }) => slug).toSorted())
  })

  it('lets everyone in who is offered a way in', async () => {
    const users = await rows('user')
    expect(users.map(({ email }) => email).toSorted()).toEqual(signIns.map(({ email }) => email).toSorted())
    for (const { email, password } of signIns) await expect(app.auth.api.signInEmail({ body: { email, password } })).resolves.toMatchObject({ user: { email } })
  })

  it('stores the layers once, and readies the primary one', async () => {
    const layers = await rows('layer')
    expect(layers.map(({ name, level, editable }) => [name, level, editable]).toSorted()).toEqual([
      ['Blocks', null, true], ['Neighbourhoods', 'l1', true], ['Water', 'basemap:water', false],
    ])
    expect(new Set(readied)).toEqual(new Set(['Neighbourhoods']))
    const shapes = await state.as(systemScope).selectFrom('shape').selectAll().execute()
    expect(shapes.length).toBe(11)
  })

  it('stores the trips of the days before today, where it is today in the city', async () => {
    expect(stored.length).toBeGreaterThan(1000)
    // Three in the morning in Greenwich is the evening before in New York.
    expect(new Set(stored.map((fields) => fields[7]))).toEqual(new Set(['2026-06-08', '2026-06-09']))
    expect(dayNumber('2026-06-10')).toBe(dayNumber('2026-06-08') + 2)
    expect(new Set(stored.map(([region]) => region))).toEqual(new Set(['port-meridian']))
    expect(new Set(stored.map(([, id]) => id)).size).toBe(stored.length)
  })

  it('keeps an account of them as of any import', async () => {
    const [account, ...more] = await rows('import')
    expect(more).toEqual([])
    expect(account).toMatchObject({ status: 'done', rows_read: String(stored.length), rows_accepted: String(stored.length) })
    expect(new Set(stored.map((fields) => fields[16]))).toEqual(new Set([account!.import_id]))
    const flagged = stored.filter((fields) => fields[15] !== '0').length
    expect(Number(account!.rows_flagged)).toBe(flagged)
    expect(Number((await rows('region'))[0]!.facts_version)).toBeGreaterThan(0)
  })

  it('is run once only', async () => {
    const before = stored
    expect(await run(2)).toEqual([])
    expect(stored).toBe(before)
    expect((await rows('layer')).length).toBe(3)
  })
})
