import fs from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { App } from '#server/app.ts'
import type { InsertedRows } from '#server/stores/facts.ts'
import { readConfig } from '#server/config.ts'
import { openAuth } from '#server/feeds/auth/sealed-auth.ts'
import { openAuth as openSignIn } from '#server/identity/auth.ts'
import { openBackground } from '#server/jobs/background.ts'
import { openSecretBox, type SecretBox } from '#server/stores/secret-box.ts'
import { systemScope } from '#server/identity/scope.ts'
import { openState, type State } from '#server/stores/state.ts'
import { createDataDir } from '../test/new-data-dir.ts'
import { dayNumber } from './day-number.ts'
import { connectOperators, addRoutesAndCurbHistory, makeDemo } from './first-run.ts'
import { operators } from './operators.ts'
import type { CurbPushTask } from './servers/operators-worker.ts'
import type { DemoOperators } from './servers/open-demo-operators.ts'
import { operatorSignIn, shownSignIns } from './sign-ins.ts'
import { makeSmallCity } from './small-city.ts'

const city = makeSmallCity()

const at = new Date('2026-06-11T03:00:00Z')
const dataDir = createDataDir()
let state: State
let app: Pick<App, 'state' | 'facts' | 'auth' | 'membership'>
let secretBox: SecretBox
const pushed: { url: string; token: string; fromMs: number }[] = []
const pushedCurb: CurbPushTask[] = []
const running = (port: number): DemoOperators => ({
  urls: {
    zephyr: `http://127.0.0.1:${port}`,
    ternbikes: `http://127.0.0.1:${port + 1}`,
    sandpiper: `http://127.0.0.1:${port + 2}`,
  },
  credentials: { zephyr: `token-${port}`, ternbikes: { id: 'client', secret: `secret-${port}` } },
  origins: [],
  push: (task) => void pushed.push(task),
  pushCurb: (task) => void pushedCurb.push(task),
  close: async () => undefined,
})
/** Registered vehicles, and tables that were filled by a query. */
let registered: string[][] = []
let added: string[] = []
/** Operator and trip of the stored routes. */
const routes = new Set<string>()
/** Events that were inserted directly. */
const atSeam: string[][] = []
/** Stored rows of stations: the table and its fields. */
let stations: string[][] = []
/** Stored rows of the curb. */
let curb: string[][] = []
/** Stored trips, as fields of a line. */
let stored: string[][] = []
const preparedLayers: string[] = []
let fails = false

const silent = { send: async () => undefined }

beforeAll(async () => {
  const config = readConfig({ DATA_DIR: dataDir, DEMO: 'on' })
  state = await openState(config)
  // The state store is real. The fact store, which would take a gigabyte, is a list.
  const facts = {
    remove: async () => {
      routes.clear()
      void ([stored, added, stations, curb] = [[], [], [], []])
    },
    insert: async (_scope: unknown, table: string, { columns, lines: body }: InsertedRows) => {
      if (fails) throw new Error('the disk is full')
      const lines = Buffer.from(body)
        .toString()
        .trimEnd()
        .split('\n')
        .map((line) => line.split('\t'))
      if (table === 'vehicles') registered = lines
      else if (table === 'vehicle_events') atSeam.push(...lines)
      else if (table.startsWith('curb_')) curb.push(...lines.map((line) => [table, ...line]))
      else if (table.startsWith('station_')) stations.push(...lines.map((line) => [table, ...line]))
      else if (table === 'trip_routes')
        for (const line of lines)
          routes.add(`${line[columns.indexOf('operator')]} ${line[columns.indexOf('trip_id')]}`)
      else for (const line of lines) stored.push(line)
    },
    add: async (_scope: unknown, table: string) => void added.push(table),
    rows: async () => [],
  }
  secretBox = openSecretBox(config)
  const membership = {
    forLayer: async (_scope: unknown, { layer_name }: { layer_name: string }) =>
      void preparedLayers.push(layer_name),
  }
  app = {
    state,
    auth: await openSignIn({
      state,
      config,
      secretBox,
      mail: silent,
      sms: silent,
      background: openBackground(() => undefined),
      log: () => undefined,
      now: () => at,
    }),
    facts: facts as unknown as App['facts'],
    membership: membership as unknown as App['membership'],
  }
})
afterAll(async () => {
  await state.close()
  fs.rmSync(dataDir, { recursive: true, force: true })
})

const run = async (days: number): Promise<string[]> => {
  const printed: string[] = []
  await makeDemo(app, {
    secretBox,
    operators: running(7000),
    printLine: (line) => printed.push(line),
    at,
    days,
    city,
  })
  return printed
}
const rows = (
  table:
    | 'region'
    | 'user'
    | 'operator'
    | 'layer'
    | 'curb_zone'
    | 'import'
    | 'secret'
    | 'feed'
    | 'pull_window'
    | 'policy'
    | 'issue'
    | 'weather_day'
    | 'derived_span'
    | 'region_facts',
) => state.as(systemScope).selectFrom(table).selectAll().execute()

describe('the first run', () => {
  it('an interrupted first run is not marked as complete', async () => {
    fails = true
    await expect(run(2)).rejects.toThrow('the disk is full')
    fails = false
    expect((await rows('secret')).filter(({ name }) => name === 'demo-complete')).toEqual([])
    expect(await rows('import')).toEqual([])
  })

  it('completes the city when it is repeated, and reports progress', async () => {
    const printed = await run(2)
    expect(printed[0]).toContain('Port Meridian')
    expect(printed.some((line) => /streets, water, parks and 3 layers/.test(line))).toBe(true)
    expect(
      printed.some((line) =>
        line.includes(`100 % of 2 days, ${stored.length.toLocaleString('en-US')} trips`),
      ),
    ).toBe(true)
    expect(printed.at(-1)).toMatch(/is ready$/)
    expect(
      (await rows('region')).map(({ region_id, text, timezone }) => [region_id, text, timezone]),
    ).toEqual([['port-meridian', 'Smallville', 'America/New_York']])
    expect((await rows('operator')).map(({ slug }) => slug).toSorted()).toEqual(
      ['portcycle', ...operators.map(({ slug }) => slug)].toSorted(),
    )
  })

  it('stores a month of station history for the docked feed', async () => {
    const feed = (await rows('feed')).find(({ operator }) => operator === 'portcycle')
    const pickRows = (table: string): string[][] => stations.filter(([name]) => name === table)
    expect(pickRows('station_details').length).toBe(20)
    expect(new Set(stations.map((fields) => fields[3]))).toEqual(new Set([feed?.feed_id]))
    // A span for each UTC day, one of them in two parts.
    expect(pickRows('station_spans').length).toBeGreaterThan(30)
    expect(pickRows('station_states').length).toBeGreaterThan(10_000)
  })

  it('creates the users that the sign-in page lists', async () => {
    const users = await rows('user')
    expect(users.map(({ email }) => email).toSorted()).toEqual(
      shownSignIns.map(({ email }) => email).toSorted(),
    )
    expect(users.filter(({ operators }) => operators).map(({ email }) => email)).toEqual([
      operatorSignIn.email,
    ])
    for (const { email, password } of shownSignIns)
      await expect(app.auth.api.signInEmail({ body: { email, password } })).resolves.toMatchObject({
        user: { email },
      })
  })

  it('publishes each revision of a policy on its date, and skips policies with shapes that do not exist', async () => {
    const caps = (await rows('policy'))
      .filter(({ fields }) => (fields as { policy_type: string }).policy_type === 'vehicle_cap')
      .toSorted((a, b) => a.revision - b.revision)
    expect(
      caps.map(({ published, published_time: time, superseded_time: ended }) => [
        published,
        time?.toISOString().slice(0, 10),
        ended?.toISOString().slice(0, 10),
      ]),
    ).toEqual([
      [false, '2025-07-16', '2026-04-27'],
      [true, '2026-04-27', undefined],
    ])
    expect(
      (await rows('policy')).some(
        ({ fields }) => (fields as { policy_type: string }).policy_type === 'distribution',
      ),
    ).toBe(false)
  })

  it('stores 311 issues and weather of the same days, and publishes street volumes', async () => {
    const issues = await rows('issue')
    expect(issues.length).toBeGreaterThan(10)
    expect(new Set(issues.map(({ status }) => status))).toEqual(new Set(['open', 'closed']))
    expect(
      issues.every(
        ({ requested_time: requested, closed_time: closed }) =>
          requested <= at && (closed === null || (closed > requested && closed <= at)),
      ),
    ).toBe(true)
    expect((await rows('weather_day')).map(({ day }) => String(day).slice(0, 10)).toSorted()).toEqual([
      '2026-06-08',
      '2026-06-09',
    ])
    expect((await rows('region'))[0]).toMatchObject({ has_public_routes: true })
  })

  it('stores each layer once, and prepares the membership of the primary one', async () => {
    const layers = await rows('layer')
    expect(layers.map(({ name, level, editable }) => [name, level, editable]).toSorted()).toEqual([
      ['Blocks', null, true],
      ['Curb zones', 'blockface', false],
      ['Neighborhoods', 'l1', true],
      ['Water', 'basemap:water', false],
    ])
    expect(new Set(preparedLayers)).toEqual(new Set(['Neighborhoods']))
    const shapes = await state.as(systemScope).selectFrom('shape').selectAll().execute()
    const zones = await rows('curb_zone')
    expect(zones.length).toBeGreaterThan(0)
    expect(shapes.length).toBe(11 + zones.length)
  })

  it('stores the trips of the local days before today', async () => {
    expect(stored.length).toBeGreaterThan(1000)
    // 3 a.m. UTC is the previous evening in New York.
    expect(new Set(stored.map((fields) => fields[7]))).toEqual(new Set(['2026-06-08', '2026-06-09']))
    expect(dayNumber('2026-06-10')).toBe(dayNumber('2026-06-08') + 2)
    expect(new Set(stored.map(([region]) => region))).toEqual(new Set(['port-meridian']))
    expect(new Set(stored.map(([, id]) => id)).size).toBe(stored.length)
  })

  it('records the trips as an import', async () => {
    const [account, ...more] = await rows('import')
    expect(more).toEqual([])
    expect(account).toMatchObject({
      status: 'done',
      rows_read: String(stored.length),
      rows_accepted: String(stored.length),
    })
    expect(new Set(stored.map((fields) => fields[16]))).toEqual(new Set([account!.import_id]))
    const flagged = stored.filter((fields) => fields[15] !== '0').length
    expect(Number(account!.rows_flagged)).toBe(flagged)
    expect(Number((await rows('region_facts'))[0]!.facts_version)).toBeGreaterThan(0)
  })

  it('stores the source of each trip', async () => {
    const sources = new Set(stored.map((fields) => `${fields[2]} ${fields[19]}`))
    expect(sources).toEqual(new Set(['zephyr both', 'ternbikes both', 'hopkite both', 'sandpiper file']))
  })

  it('registers the vehicles of operators with MDS, and derives their history from the stored trips', () => {
    const types = new Set(registered.map((fields) => `${fields[1]} ${fields[4]}`))
    expect(types).toEqual(
      new Set([
        'zephyr scooter_standing',
        'zephyr scooter_seated',
        'ternbikes pedal_bicycle',
        'ternbikes bicycle',
        'hopkite scooter_standing',
        'hopkite bicycle',
      ]),
    )
    expect(registered.length).toBe(2700)
    expect(added.filter((table) => table === 'vehicle_events').length).toBe(3)
    expect(new Set(atSeam.map((fields) => fields[1]))).toEqual(new Set(['zephyr', 'ternbikes', 'hopkite']))
    expect(new Set(added)).toEqual(new Set(['vehicle_events', 'trip_reports', 'fleet_marks']))
  })

  it('stores the routes of the trips of these operators once, after the first page', async () => {
    expect(routes.size).toBe(0)
    fails = true
    const finish = (printLine: (line: string) => void) =>
      addRoutesAndCurbHistory(app, { secretBox, printLine, city })
    await expect(finish(() => undefined)).rejects.toThrow('the disk is full')
    fails = false
    const printed: string[] = []
    await finish((line) => printed.push(line))
    expect(printed.at(-1)).toBe('Routes of the last 61 days: 100 %')
    await finish((line) => printed.push(`again: ${line}`))
    expect(printed.filter((line) => line.startsWith('again'))).toEqual([])
    expect(
      (await rows('derived_span'))
        .flatMap(({ product, span }) => (product === 'route_volumes' ? [span] : []))
        .toSorted(),
    ).toEqual(['2026-06-08', '2026-06-09'])
    const known = new Set(
      stored.filter((fields) => fields[2] !== 'sandpiper').map((fields) => `${fields[2]} ${fields[1]}`),
    )
    expect([...routes].filter((id) => !known.has(id))).toEqual([])
    // A few trips begin or end off the street network.
    expect(routes.size).toBeGreaterThan(known.size * 0.99)
  })

  it('creates a feed for each operator that backfills from the midnight at which the history ends', async () => {
    const feeds = (await rows('feed')).toSorted((a, b) => (a.operator ?? '').localeCompare(b.operator ?? ''))
    expect(
      feeds.map(({ operator, kind, version, url, auth_kind }) => [operator, kind, version, url, auth_kind]),
    ).toEqual([
      [null, 'cds_push', '1.1', null, 'none'],
      [null, 'cds_push', '1.1', null, 'none'],
      ['hopkite', 'mds_agency', '2.0', null, 'none'],
      ['portcycle', 'gbfs', '3.0', 'http://127.0.0.1:7002/portcycle/gbfs.json', 'none'],
      ['sandpiper', 'gbfs', '3.0', 'http://127.0.0.1:7002/gbfs.json', 'none'],
      ['ternbikes', 'mds_provider', '1.2', 'http://127.0.0.1:7001', 'oauth'],
      ['zephyr', 'mds_provider', '2.0', 'http://127.0.0.1:7000', 'bearer'],
    ])
    expect(JSON.stringify(feeds)).not.toContain('secret-7000')
    const hours = (await rows('pull_window'))
      .filter(({ stream, feed_id }) => stream === 'events' && feed_id === feeds[6]?.feed_id)
      .map(({ window_start: windowStart }) => new Date(windowStart).toISOString())
    // 11 p.m. in New York: 23 hours since midnight have passed.
    expect(hours.toSorted()[0]).toBe('2026-06-10T04:00:00.000Z')
    expect(hours.length).toBe(23)
    expect((await rows('region'))[0]?.has_mds_data).toBe(true)
    expect((await rows('operator')).filter(({ provider_id }) => provider_id).length).toBe(3)
  })

  it('stores the last days of the curb first', () => {
    const sessions = curb.filter(([table]) => table === 'curb_sessions')
    expect(sessions.length).toBeGreaterThan(100)
    expect(new Set(sessions.map((fields) => fields[1]))).toEqual(new Set(['port-meridian']))
    const events = curb.filter(([table]) => table === 'curb_events')
    expect(events.length).toBeGreaterThan(1.8 * sessions.length)
    expect(events.some((line) => line.some((field) => field.startsWith('plate ')))).toBe(false)
  })

  it('points the feeds to the current operators at each start, and starts the pushes', async () => {
    const connect = (port: number) =>
      connectOperators(app, {
        secretBox,
        operators: running(port),
        agencyUrl: 'http://127.0.0.1:4885/mds/agency',
        curbUrl: 'http://127.0.0.1:4885/cds/events',
        at,
      })
    await connect(8000)
    await connect(9000)
    const feeds = await rows('feed')
    const zephyr = feeds.find(({ operator }) => operator === 'zephyr')
    const tern = feeds.find(({ operator }) => operator === 'ternbikes')
    expect(feeds.map(({ url }) => url).toSorted()).toEqual([
      'http://127.0.0.1:9000',
      'http://127.0.0.1:9001',
      'http://127.0.0.1:9002/gbfs.json',
      'http://127.0.0.1:9002/portcycle/gbfs.json',
      null,
      null,
      null,
    ])
    expect(openAuth(secretBox, zephyr!)).toEqual({ kind: 'bearer', token: 'token-9000' })
    expect(openAuth(secretBox, tern!)).toMatchObject({
      clientSecret: 'secret-9000',
      tokenUrl: 'http://127.0.0.1:9001/oauth/token',
    })
    expect(zephyr!.settings).toMatchObject({ backfillHours: 23 })
    expect(pushed.map(({ url }) => url)).toEqual([
      'http://127.0.0.1:4885/mds/agency',
      'http://127.0.0.1:4885/mds/agency',
    ])
    // Only the tokens of the last start remain.
    const tokens = await state.as(systemScope).selectFrom('api_key').select('hint').execute()
    expect(tokens.map(({ hint }) => hint).toSorted()).toEqual(
      [pushed[1]!.token, ...pushedCurb[1]!.feeds.map(({ token }) => token)]
        .map((token) => token.slice(-4))
        .toSorted(),
    )
    expect(pushedCurb[1]).toMatchObject({ url: 'http://127.0.0.1:4885/cds/events/port-meridian' })
    expect(pushedCurb[1]!.places.length).toBeGreaterThan(0)
  })

  it('the first run does not change feeds that a user changed or removed', async () => {
    const store = state.as(systemScope)
    await store
      .updateTable('feed')
      .set({ url: 'https://zephyr.example/mds' })
      .where('operator', '=', 'zephyr')
      .execute()
    await store.deleteFrom('feed').where('operator', '=', 'hopkite').execute()
    const before = pushed.length
    await connectOperators(app, {
      secretBox,
      operators: running(9100),
      agencyUrl: 'http://127.0.0.1:4885/mds/agency',
      curbUrl: 'http://127.0.0.1:4885/cds/events',
      at,
    })
    expect((await rows('feed')).map(({ url }) => url).toSorted()).toEqual([
      'http://127.0.0.1:9101',
      'http://127.0.0.1:9102/gbfs.json',
      'http://127.0.0.1:9102/portcycle/gbfs.json',
      'https://zephyr.example/mds',
      null,
      null,
    ])
    expect(pushed.length).toBe(before)
  })

  it('runs only once', async () => {
    const before = stored
    expect(await run(2)).toEqual([])
    expect(stored).toBe(before)
    expect((await rows('layer')).length).toBe(4)
  })
})
