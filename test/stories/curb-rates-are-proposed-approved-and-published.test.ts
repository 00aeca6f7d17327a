import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { CdsPolicy, CdsPolicyContent } from '#contract/cds.ts'
import {
  approvePriceProposal,
  changePricingSettings,
  createPriceProposal,
  editPriceProposal,
  getEffectReport,
  getPriceProposal,
  getPublicRates,
  listPriceProposals,
  listProposalRows,
  type PriceProposalDetail,
  PricingSettings,
  withdrawPriceProposal,
} from '#contract/curb-price-proposals.ts'
import {
  queryOccupancyTarget,
  queryRateTarget,
  backTestPricing,
  getOccupancyTargetTile,
  sumOccupancyTarget,
  sumRateTarget,
} from '#contract/curb-pricing.ts'
import type { PricingParameters } from '#contract/curb-pricing-parameters.ts'
import { pricingPresets } from '#contract/curb-pricing-presets.ts'
import { getCurbZone } from '#contract/curb-map.ts'
import { publishCurbPolicy, saveCurbPolicy } from '#contract/curb-regulations.ts'
import { createBandOccupancyReader } from '#server/curb/occupancy/band-occupancy.ts'
import { publishDueRates } from '#server/curb/pricing/proposals/publish-due.ts'
import { CurbIndexes } from '#server/curb/store/curb-index.ts'
import { systemScope } from '#server/identity/scope.ts'
import { call, openTestApp, readProblem, request, send, type SignedIn, signIn, type TestApp } from '../app.ts'
import { makeRegions, password, regions, type TestCity, addUser } from '../city.ts'
import { addMeasuredHours } from '../curb/measured-hours.ts'
import { addCurbZones } from '../curb-zones.ts'
import { subscribeToEvents, listReceivedEvents } from '../webhook-events.ts'

let app: TestApp
let city: TestCity
/** Both approve rates; only the admin proposes them. */
let admin: SignedIn
let manager: SignedIn
let zones: string[]
let proposal: PriceProposalDetail
const params = { region_id: 'alder' }

const paid: CdsPolicyContent = {
  name: 'Paid parking 2 h',
  priority: 80,
  rules: [
    { activity: 'parking', max_stay: 2, max_stay_unit: 'hour', rate: [{ rate: 200, rate_unit: 'hour' }] },
  ],
  time_spans: [
    {
      days_of_week: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat'],
      time_of_day_start: '09:00',
      time_of_day_end: '18:00',
    },
  ],
}
const makeHourlyShares = (morning: number, midday: number, afternoon: number): Record<number, number> =>
  Object.fromEntries(
    [morning, midday, afternoon].flatMap((share, band) =>
      [9, 10, 11].map((hour) => [hour + 3 * band, share]),
    ),
  )
const parameters: PricingParameters = {
  ...pricingPresets[0]!.fields,
  preset: 'san_francisco',
  start_date: '2026-02-02',
  end_date: '2026-03-29',
  excluded_days: ['2026-02-16'],
  kinds: ['measured'],
  paid_reason: null,
  min_days: 8,
  // Days are inserted without derivation runs, so their coverage is not realistic.
  min_coverage: 0,
  curb_zone_ids: null,
  effective_date: '2026-04-13',
}
const weekdayMorning = { band: 'morning', day_type: 'weekday' } as const
/** Returns the parameters of the proposal that is made, approved and published below. */
const makeProposalParams = () => ({ ...params, proposal_id: proposal.proposal_id })
const readProposal = () => call(app, admin, getPriceProposal, { params: makeProposalParams() })
const getZoneId = (index: number): string => zones[index] ?? ''
const moveTo = async (time: string): Promise<void> => {
  vi.setSystemTime(new Date(time))
  admin = await signIn(app, 'admin@alder.example', password)
  manager = await signIn(app, 'manager@alder.example', password)
  city = { ...city, viewer: await signIn(app, 'viewer@alder.example', password) }
}
const publishDue = (): Promise<void> =>
  publishDueRates(
    { state: app.state, indexes: new CurbIndexes(app.state), readOccupancy: createBandOccupancyReader(app) },
    (line, details) => void app.logged.push(JSON.stringify({ line, ...details })),
    new Date(),
  )
const readFirstHourPrice = async (zone: string, time: string): Promise<number | null> =>
  (
    await call(app, city.viewer, getCurbZone, {
      params: { ...params, curb_zone_id: zone },
      query: { at: Date.parse(time) },
    })
  ).now.first_hour
const readRows = async (id: string) =>
  (await call(app, admin, listProposalRows, { params: { ...params, proposal_id: id }, body: { size: 5000 } }))
    .items
const readPublicRates = () => request(app, { method: 'GET', url: '/v2/public/regions/alder/curb/rates' })

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime(new Date('2026-01-15T15:00:00Z'))
  app = await openTestApp()
  city = await makeRegions(app)
  await addUser(app, city, 'manager@alder.example', ['approve_curb_prices'])
  zones = await addCurbZones(app.state, {
    regionId: 'alder',
    center: regions.alder,
    at: new Date('2026-01-01T00:00:00Z'),
    streets: 1,
    perStreet: 4,
  })
  const draft = await call(app, city.admin, saveCurbPolicy, {
    params,
    body: { policy: paid, curb_zone_ids: zones },
  })
  const published = { curb_policy_id: draft.id, published: true }
  await call(app, city.admin, publishCurbPolicy, { params, body: published })
  const days = { from: '2026-02-02', until: '2026-03-29', capacity: 10 }
  await addMeasuredHours(app.facts, 'alder', [
    { zoneId: getZoneId(0), ...days, shares: makeHourlyShares(0.5, 0.7, 0.9) },
    { zoneId: getZoneId(1), ...days, shares: makeHourlyShares(0.5, 0.7, 0.9) },
    { zoneId: getZoneId(2), ...days, shares: makeHourlyShares(0.6, 0.7, 0.79) },
  ])
  await moveTo('2026-04-01T15:00:00Z')
})
afterAll(async () => {
  vi.useRealTimers()
  await app.close()
})

test('the engine proposes a rate for each zone, time band and day type, or gives the reason why not', async () => {
  const { items, total } = await call(app, admin, queryOccupancyTarget, { params, body: { parameters } })
  // 4 zones, 3 time bands and 2 day types.
  expect(total).toBe(4 * 3 * 2)
  expect(items.map((row) => row.shape_name)).toEqual(items.map((row) => row.shape_name).toSorted())
  const shown = items
    .filter((row) => row.day_type === 'weekday')
    .map((row) => [
      zones.indexOf(row.curb_zone_id),
      row.band,
      row.current_rate,
      row.proposed_rate,
      row.limits,
    ])
    .toSorted()
  expect(shown).toEqual([
    [0, 'afternoon', 200, 225, []],
    [0, 'midday', 200, 200, []],
    [0, 'morning', 200, 175, []],
    [1, 'afternoon', 200, 225, []],
    [1, 'midday', 200, 200, []],
    [1, 'morning', 200, 175, []],
    [2, 'afternoon', 200, 200, []],
    [2, 'midday', 200, 200, []],
    [2, 'morning', 200, 200, []],
    [3, 'afternoon', 200, null, ['no_occupancy']],
    [3, 'midday', 200, null, ['no_occupancy']],
    [3, 'morning', 200, null, ['no_occupancy']],
  ])
  const morning = items.find((row) => row.curb_zone_id === getZoneId(0) && row.band === 'morning')
  expect(morning).toMatchObject({ kind: 'measured', occupancy: 0.5, days: 39, step: 0, paid_hours: 15 })
  const sums = await call(app, admin, sumOccupancyTarget, { params, body: { parameters } })
  expect(sums).toMatchObject({
    zones: 4,
    outcomes: { up: 4, down: 4, unchanged: 10, refused: 6 },
    histogram: [
      { change: -25, rows: 4 },
      { change: 0, rows: 10 },
      { change: 25, rows: 4 },
    ],
    limits: [{ limit: 'no_occupancy', rows: 6 }],
  })
  expect(sums.targets[0]).toEqual({ ...weekdayMorning, under: 2, in: 1, over: 0, unknown: 1 })
  const [lon, lat] = [regions.alder.lon, regions.alder.lat * (Math.PI / 180)]
  const size = 2 ** 14
  const place = {
    z: 14,
    x: Math.floor((lon / 360 + 0.5) * size),
    y: Math.floor((0.5 - Math.log(Math.tan(lat) + 1 / Math.cos(lat)) / (2 * Math.PI)) * size),
  }
  const tile = await send(app, admin, getOccupancyTargetTile, {
    params: { ...params, ...place },
    query: { parameters: JSON.stringify(parameters), ...weekdayMorning },
  })
  expect(tile.statusCode).toBe(200)
  expect(gunzipSync(tile.rawPayload).toString('latin1')).toMatch(/proposed_rate[^]*175/)
})

test('invalid parameters are rejected with field and reason', async () => {
  const getProblem = async (changes: Partial<PricingParameters>) =>
    readProblem(
      await send(app, admin, queryOccupancyTarget, {
        params,
        body: { parameters: { ...parameters, ...changes } },
      }),
    ).detail
  const steps = [
    { from: 0, until: 0.7, change: -25 },
    { from: 0.6, until: null, change: 25 },
  ]
  expect(await getProblem({ steps })).toBe(
    'steps.1.from: The step overlaps the previous one, which ends at 70%.',
  )
  expect(await getProblem({ kinds: ['paid'] })).toContain('paid_reason')
  const stated = { ...parameters, kinds: ['paid' as const], paid_reason: 'No sensors yet; council 12/2025' }
  const made = await call(app, admin, createPriceProposal, {
    params,
    body: { name: 'By payments', parameters: stated },
  })
  expect(made.parameters).toMatchObject({ kinds: ['paid'], paid_reason: 'No sensors yet; council 12/2025' })
  await call(app, admin, withdrawPriceProposal, {
    params: { ...params, proposal_id: made.proposal_id },
    body: { reason: 'Sensors are there' },
  })
})

test('a scenario shows a range and changes nothing', async () => {
  const { bands, day_types, start_date, end_date, kinds, min_days, min_coverage } = parameters
  const scenario = {
    bands,
    day_types,
    start_date,
    end_date,
    kinds,
    min_days,
    min_coverage,
    change: { by: 'rate' as const, value: 400 },
  }
  const { items } = await call(app, admin, queryRateTarget, { params, body: { scenario, band: 'afternoon' } })
  const row = items.find((item) => item.curb_zone_id === getZoneId(0) && item.day_type === 'weekday')
  expect(row).toMatchObject({ current_rate: 200, new_rate: 400, occupancy: 0.9, high: 0.9 })
  expect(row?.expected).toBeCloseTo(0.9 * 2 ** -0.3, 12)
  expect(row?.low).toBeCloseTo(0.9 * 2 ** -0.6, 12)
  const sums = await call(app, admin, sumRateTarget, {
    params,
    body: { scenario: { ...scenario, change: { by: 'percent', value: -50 } }, band: 'afternoon' },
  })
  // 90% at half the price would exceed full occupancy, so it is capped.
  expect(sums).toMatchObject({ rows: 8, refused: 2, revenue: { rows: 6 } })
  expect(sums.high).toBe(1)
})

test('a proposal is stored as it was made and does not change later', async () => {
  proposal = await call(app, admin, createPriceProposal, {
    params,
    body: { name: 'Spring 2026', parameters },
  })
  expect(proposal).toMatchObject({ status: 'open', rows: 24, changes: 8, edits: 0, version: 0 })
  const store = app.state.as(systemScope)
  const { proposal_id } = proposal
  for (const change of [
    store.updateTable('curb_price_row').set({ cells: '[]' }).where('proposal_id', '=', proposal_id),
    store.deleteFrom('curb_price_proposal').where('proposal_id', '=', proposal_id),
  ])
    await expect(change.execute()).rejects.toThrow('cannot be changed')
})

test('planners edit and exclude rows with a reason', async () => {
  const edit = (edits: object[]) =>
    send(app, admin, editPriceProposal, { params: makeProposalParams(), body: { edits: edits as never } })
  const lower = { curb_zone_id: getZoneId(1), ...weekdayMorning, action: 'set', rate: 150 }
  expect(readProblem(await edit([{ ...lower, reason: ' ' }])).status).toBe(422)
  const unknown = await edit([
    { curb_zone_id: 'none', ...weekdayMorning, action: 'exclude', reason: 'Works' },
  ])
  expect(readProblem(unknown).detail).toBe('edits.0.curb_zone_id: The proposal has no such row.')
  const done = await edit([
    { ...lower, reason: 'School' },
    {
      curb_zone_id: getZoneId(0),
      band: 'afternoon',
      day_type: 'weekend',
      action: 'exclude',
      reason: 'Market',
    },
    {
      curb_zone_id: getZoneId(1),
      band: 'afternoon',
      day_type: 'weekend',
      action: 'exclude',
      reason: 'Market',
    },
  ])
  expect(done.statusCode).toBe(200)
  const rows = await readRows(proposal.proposal_id)
  const edited = rows.filter((row) => row.edit !== null)
  expect(edited.map((row) => [row.proposed_rate, row.final_rate, row.edit?.reason]).toSorted()).toEqual([
    [175, 150, 'School'],
    [225, null, 'Market'],
    [225, null, 'Market'],
  ])
  proposal = await readProposal()
  expect(proposal).toMatchObject({ changes: 6, edits: 3, version: 1 })
})

test('an approval requires limits, a second person and the notice period', async () => {
  const settings = PricingSettings.parse({})
  const set = (changes: Partial<PricingSettings>) =>
    call(app, manager, changePricingSettings, { params, body: { ...settings, ...changes } })
  const approve = (as: SignedIn, changes: object = {}) =>
    send(app, as, approvePriceProposal, {
      params: makeProposalParams(),
      body: { version: proposal.version, ...changes },
    })
  expect(readProblem(await approve(city.viewer)).status).toBe(403)
  await set({ floor: 160, max_step: 40 })
  const listCodes = async (as: SignedIn) =>
    (await call(app, as, getPriceProposal, { params: makeProposalParams() })).findings.map(
      ({ code, rows }) => [code, rows],
    )
  expect(await listCodes(admin)).toEqual([
    ['below_floor', 1],
    ['step_too_large', 1],
    ['not_public', 0],
  ])
  expect(readProblem(await approve(manager)).status).toBe(409)
  await set({ needs_second_person: true, is_public: true })
  expect(await listCodes(admin)).toEqual([['same_person', 0]])
  expect(readProblem(await approve(admin)).detail).toContain('another person')
  expect(readProblem(await approve(manager, { version: 0 })).detail).toContain('Reload')
  expect(readProblem(await approve(manager, { effective_date: '2026-04-07' })).detail).toContain(
    'at least 7 days of notice',
  )
  await subscribeToEvents(app, params.region_id, admin.email)
  const done = await approve(manager, { note: 'Council item 7' })
  expect(done.statusCode).toBe(200)
  proposal = await readProposal()
  // Midnight in New York, when the first band begins.
  expect(proposal).toMatchObject({ status: 'approved', effective_time: '2026-04-13T04:00:00.000Z' })
  expect(await listReceivedEvents(app)).toMatchObject([
    { type: 'curb.price_change.approved', data: { effective_date: '2026-04-13' } },
  ])
  const late = await send(app, admin, editPriceProposal, {
    params: makeProposalParams(),
    body: { edits: [{ curb_zone_id: getZoneId(0), ...weekdayMorning, action: 'exclude', reason: 'Late' }] },
  })
  expect(readProblem(late).status).toBe(409)
})

test('announced rates are public', async () => {
  const table = await call(app, admin, getPublicRates, { params, query: {} })
  expect(table.items).toHaveLength(4)
  expect(table.items[0]?.lines).toEqual([
    { days: [1, 2, 3, 4, 5, 6], from: '09:00', until: '18:00', rate: 200 },
  ])
  const [change] = table.changes
  expect(change).toMatchObject({ effective_date: '2026-04-13', is_announced: true })
  expect(change?.rows).toHaveLength(6)
  expect((await readPublicRates()).statusCode).toBe(200)
})

test('approved rates are not published before their date, and withdrawn proposals never', async () => {
  const other = await call(app, admin, createPriceProposal, { params, body: { name: 'Other', parameters } })
  expect(other.findings).toContainEqual(
    expect.objectContaining({
      code: 'approved_elsewhere',
      severity: 'warning',
      rows: 8,
      proposals: [
        {
          proposal_id: proposal.proposal_id,
          name: 'Spring 2026',
          effective_date: '2026-04-13',
          rows: 8,
          zones: 2,
        },
      ],
    }),
  )
  const ofOther = { ...params, proposal_id: other.proposal_id }
  await call(app, manager, approvePriceProposal, { params: ofOther, body: { version: 0 } })
  await call(app, manager, withdrawPriceProposal, { params: ofOther, body: { reason: 'Twice the same' } })
  await publishDue()
  const { items } = await call(app, admin, listPriceProposals, { params })
  expect(items.map(({ name, status }) => [name, status]).toSorted()).toEqual([
    ['By payments', 'withdrawn'],
    ['Other', 'withdrawn'],
    ['Spring 2026', 'approved'],
  ])
})

test('new versions of the policies take effect at the start of the band on the effective day', async () => {
  const [before] = (await app.state.as(systemScope).selectFrom('curb_policy').selectAll().execute()).map(
    (row) => row.policy as CdsPolicy,
  )
  await moveTo('2026-04-13T04:02:00Z')
  await publishDue()
  await publishDue()
  expect(app.logged.filter((line) => line.includes('curb rates could not be published'))).toEqual([])
  proposal = await readProposal()
  expect(proposal).toMatchObject({
    status: 'in_force',
    effective_time: '2026-04-13T04:00:00.000Z',
    skipped: [],
  })
  // Monday, in New York.
  const [morning, midday, afternoon] = [
    '2026-04-13T14:00Z',
    '2026-04-13T17:00Z',
    '2026-04-13T20:00Z',
  ] as const
  const saturday = '2026-04-18T20:00Z'
  const readRates = async (zone: string) =>
    Promise.all([morning, midday, afternoon, saturday].map((time) => readFirstHourPrice(zone, time)))
  expect(await readRates(getZoneId(0))).toEqual([175, 200, 225, 200])
  expect(await readRates(getZoneId(1))).toEqual([150, 200, 225, 200])
  expect(await readRates(getZoneId(2))).toEqual([200, 200, 200, 200])
  expect(await readFirstHourPrice(getZoneId(0), '2026-04-10T20:00Z')).toBe(200)
  // The published version is unchanged, and still applies to the zones that did not change.
  const stored = await app.state
    .as(systemScope)
    .selectFrom('curb_policy')
    .selectAll()
    .where('curb_policy_id', '=', before?.curb_policy_id ?? '')
    .executeTakeFirst()
  expect(stored?.policy).toEqual(before)
  const links = await app.state
    .as(systemScope)
    .selectFrom('curb_zone_policy')
    .select(['curb_zone_id', 'start_time', 'end_time'])
    .where('curb_policy_id', '=', before?.curb_policy_id ?? '')
    .execute()
  expect(
    links.map((link) => [zones.indexOf(link.curb_zone_id), link.end_time?.toISOString() ?? null]).toSorted(),
  ).toEqual([
    [0, '2026-04-13T04:00:00.000Z'],
    [1, '2026-04-13T04:00:00.000Z'],
    [2, null],
    [3, null],
  ])
  const table = await call(app, admin, getPublicRates, { params, query: {} })
  const ofFirst = table.items.find((item) => item.curb_zone_id === getZoneId(0))
  expect(ofFirst?.since).toBe('2026-04-13')
  expect(ofFirst?.lines).toContainEqual({ days: [1, 2, 3, 4, 5], from: '15:00', until: '18:00', rate: 225 })
  expect(table.changes[0]).toMatchObject({ is_announced: false })
  const late = await send(app, manager, withdrawPriceProposal, {
    params: makeProposalParams(),
    body: { reason: 'Too late' },
  })
  expect(readProblem(late).detail).toContain('in force')
})

test('the table shows before and after of published rates, which do not change for 28 days', async () => {
  const days = { from: '2026-04-13', until: '2026-05-01', capacity: 10 }
  await addMeasuredHours(app.facts, 'alder', [
    { zoneId: getZoneId(0), ...days, shares: makeHourlyShares(0.55, 0.7, 0.85) },
    { zoneId: getZoneId(2), ...days, shares: makeHourlyShares(0.6, 0.7, 0.8) },
  ])
  await moveTo('2026-05-02T15:00:00Z')
  const report = await call(app, admin, getEffectReport, { params: makeProposalParams() })
  expect(report.after).toEqual({ start_date: '2026-04-13', end_date: '2026-05-01' })
  expect(report.groups.map((group) => [group.direction, group.rows])).toEqual([
    ['up', 2],
    ['down', 4],
    ['unchanged', 18],
  ])
  const up = report.groups[0]
  expect([up?.occupancy_before, up?.occupancy_after]).toEqual([0.9, 0.85])
  const next = { ...parameters, start_date: '2026-04-13', end_date: '2026-05-01', min_days: 3 }
  const { items } = await call(app, admin, queryOccupancyTarget, {
    params,
    body: { parameters: { ...next, effective_date: '2026-05-10' } },
  })
  const afternoon = items.find(
    (row) => row.curb_zone_id === getZoneId(0) && row.band === 'afternoon' && row.day_type === 'weekday',
  )
  expect(afternoon).toMatchObject({
    current_rate: 225,
    last_change: '2026-04-13',
    proposed_rate: null,
    limits: ['interval'],
  })
})

test('a back-test compares what the rule would have proposed with what the city did', async () => {
  const tested = await call(app, admin, backTestPricing, {
    params,
    body: { parameters, compared_day: '2026-04-14' },
  })
  expect(tested).toMatchObject({ rows: 18, refused: 6, same_rate: 15, same_direction: 16 })
  expect(tested.directions).toContainEqual({ proposed: 'up', actual: 'unchanged', rows: 2 })
})

test('price proposals reject users of other organizations and users without the key', async () => {
  const foreign = await send(app, city.stranger, queryOccupancyTarget, { params, body: { parameters } })
  expect(readProblem(foreign).status).not.toBe(200)
  const planner = await signIn(app, 'planner@alder.example', password)
  const made = await send(app, planner, createPriceProposal, { params, body: { name: 'Mine', parameters } })
  expect(readProblem(made).status).toBe(403)
})
