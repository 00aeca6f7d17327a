import { afterAll, beforeAll, describe, expect, it, test, vi } from 'vitest'
import { getComplianceForPolicy } from '#contract/compliance.ts'
import { buildOperatorZip, listOperatorZips } from '#contract/exports.ts'
import { getFees } from '#contract/fees.ts'
import { approveInvoice, createInvoice, issueInvoice } from '#contract/invoices.ts'
import { queryMetrics } from '#contract/metrics.ts'
import { dayNumber, localDay } from '#contract/period.ts'
import { emptyPolicy, FeeProperties, type Policy, type PolicyFields } from '#contract/policy.ts'
import { changeRegion } from '#contract/regions.ts'
import {
  changeRetention,
  getRetention,
  getRetentionLimits,
  previewRetention,
  type Retention,
  releaseRetentionHold,
  setRetentionHold,
} from '#contract/retention.ts'
import { querySpatial } from '#contract/spatial.ts'
import { listAudit } from '#contract/users.ts'
import { regionScope } from '#server/identity/scope.ts'
import { type VehicleEvent } from '#server/fleet/events/feed-records.ts'
import { publishPolicy } from '#server/policies/publish-policy.ts'
import { savePolicy } from '#server/policies/save-policy.ts'
import { bind, facts as tableOf, latest, type ScopedTable, sql } from '#server/stores/sql.ts'
import { call, openTestApp, readProblem, send, signIn, type TestApp } from '../app.ts'
import {
  addLayer,
  makeRegions,
  password,
  sendTrips,
  type TestCity,
  addOperators,
  storeFleet,
} from '../city.ts'
import { downloadBytes } from '../exports.ts'
import { fleetEvents, fleetVehicles, plainFleetFacts } from '../city/fleet.ts'
import { districts } from '../city/shapes.ts'
import { cityTrips, formatCsv, tripMapping } from '../city/trips.ts'

const region_id = 'alder'
const params = { region_id }
const period = { start_date: '2026-03-04', end_date: '2026-03-13' }
/** Rows before this day are removed. The fleet and the trips have data on both sides of it. */
const firstLeft = '2026-03-09'
/** Records from here on are still derived. */
const firstDerivedTime = Date.UTC(2026, 2, 10, 4)
const zone = 'America/New_York'
/** All sums of two months are derived while other tests run. */
const hookTimeout = 900_000

let app: TestApp
let city: TestCity
let shape_layer_uuid: string
let policies: { parking: Policy; twin: Policy }
const getScope = () => regionScope(city.organizations.alder, region_id)

async function storeEvents(events: readonly VehicleEvent[]) {
  const result = await storeFleet(app, city, events)
  await app.derivation.idle()
  return result
}

async function publish(fields: Partial<PolicyFields>): Promise<Policy> {
  const by = { scope: getScope(), email: 'planner@alder.example' }
  const on = new Date('2026-01-01T00:00Z')
  const policy = await savePolicy(app, {
    viewer: by,
    body: { ...emptyPolicy(), region_id, start_date: '2026-03-02', end_date: '2026-03-31', ...fields },
    at: on,
  })
  return publishPolicy(app, { viewer: by, body: { policy_uuid: policy.policy_uuid }, at: on })
}

const readRecords = ({ policy_uuid }: Policy, operators: string[] = []) =>
  call(app, city.viewer, getComplianceForPolicy, { body: { policy_uuid, ...period, operators } })

const maps = [
  ['trips', 'origins'],
  ['trips', 'average_destination_distance'],
  ['parking', 'total_parking_events'],
  ['parking', 'total_parked_duration'],
  ['distribution', 'average_vehicles'],
] as const

/** Reads the figures of maps, reports and fees for some days, without what differs between two equal responses. */
async function readFigures(days = period) {
  const found: Record<string, unknown> = {}
  for (const [mode, aggregation] of maps) {
    const { shape_data, total, from } = await call(app, city.viewer, querySpatial, {
      params,
      body: { ...days, mode, aggregation, shape_layer_uuid } as never,
    })
    expect(['cubes', 'cache']).toContain(from)
    found[`${mode} ${aggregation}`] = { shape_data, total }
  }
  const metrics = await call(app, city.viewer, queryMetrics, {
    params,
    body: {
      ...days,
      measures: [
        'trips',
        'distance_median',
        'duration_total',
        'parking_events',
        'fleet_avg',
        'fleet_max',
      ] as never,
      dimensions: ['day', 'operator'] as never,
    },
  })
  found['metrics'] = metrics.period
  for (const operator of ['alder-bikes', 'birch-scoot'])
    found[`fees ${operator}`] = (
      await call(app, city.viewer, getFees, { params, query: { operator, ...days } })
    ).lines.map(({ description, quantity, unit_price, amount }) => ({
      description,
      quantity,
      unit_price,
      amount,
    }))
  return found
}

const countRows = async (table: ScopedTable): Promise<number> =>
  Number(
    (
      await app.facts.rows<{ n: string }>(
        getScope(),
        sql`select toString(count()) as n from ${tableOf(table)} where region_id = ${bind('String', region_id)}`,
      )
    )[0]?.n,
  )

const runNow = async (): Promise<Retention> => {
  await app.operations.retention.runAll()
  return call(app, city.admin, getRetention, { params })
}

/** Reads stored parking events that begin after a time. */
async function readStoredParking(since: number) {
  const rows = await app.facts.rows<{ operator: string; from: string; to: string }>(
    getScope(),
    sql`select operator, toString(toUnixTimestamp64Milli(from_time)) as from, toString(toUnixTimestamp64Milli(to_time)) as to
      from ${latest('parking_events')} where region_id = ${bind('String', region_id)} and from_time >= fromUnixTimestamp64Milli(${bind('Int64', String(since))})`,
  )
  return rows.map(({ operator, from, to }) => `${operator} ${from} ${to}`).toSorted()
}
const listPlainParking = (events: readonly VehicleEvent[], since: number): string[] =>
  plainFleetFacts(events, 48)
    .parkingEvents.filter(({ from }) => from >= since)
    .map(({ operator, from, to }) => `${operator} ${from} ${to}`)
    .toSorted()

beforeAll(async () => {
  // Sums are derived up to the present, so two months are enough.
  vi.useFakeTimers({ toFake: ['Date'], shouldAdvanceTime: true, now: new Date('2026-05-12T15:00:00Z') })
  app = await openTestApp()
  city = await makeRegions(app)
  const layer = await addLayer(app, city.admin, {
    region_id,
    layer_name: 'Alder Districts',
    shapes: districts,
  })
  shape_layer_uuid = layer.shape_layer_uuid
  await sendTrips(app, city.admin, {
    region_id,
    file_name: 'alder-rides.csv',
    bytes: formatCsv(cityTrips),
    mapping: tripMapping,
  })
  await addOperators(app, city.admin, ['alder-bikes', 'birch-scoot'])
  const parking: Partial<PolicyFields> = { policy_type: 'no_parking', shape_layer_uuid }
  policies = {
    parking: await publish({ ...parking, policy_name: 'No parking' }),
    twin: await publish({ ...parking, policy_name: 'The same, which nobody looks at' }),
  }
  await publish({
    policy_type: 'trip_fees',
    policy_name: 'Trips',
    value: 0.16,
    fee_properties: FeeProperties.parse({}),
  })
  await publish({
    policy_type: 'vehicle_fees',
    policy_name: 'Fleet',
    value: 1.25,
    fee_properties: FeeProperties.parse({ vehicle_count_method: 'avg' }),
  })
  await storeEvents(fleetEvents)
}, hookTimeout)
afterAll(async () => {
  await app.close()
  vi.useRealTimers()
})

describe('rows past retention', () => {
  let before: Record<string, unknown>
  let compliance: Awaited<ReturnType<typeof readRecords>>
  let days: Record<string, number>

  beforeAll(async () => {
    before = await readFigures()
    compliance = await readRecords(policies.parking)
    const left = dayNumber(localDay(new Date(), zone)) - dayNumber(firstLeft)
    days = { trips: left, events: left, telemetry: left, audit: 3650 }
  }, hookTimeout)

  it('have a number of days that an administrator sets, not below what sums need', async () => {
    const refused = await send(app, city.admin, changeRetention, { params, body: { days: { trips: 10 } } })
    expect(refused.statusCode).toBe(422)
    expect(readProblem(refused).issues?.[0]?.message).toBe('At least 62 days.')
    const elsewhere = await send(app, city.admin, changeRetention, { params, body: { days: { raw: 90 } } })
    expect(elsewhere.statusCode).toBe(422)
    expect((await send(app, city.planner, getRetention, { params })).statusCode).toBe(403)
    expect((await send(app, city.stranger, getRetention, { params })).statusCode).toBe(404)
    const found = await call(app, city.admin, changeRetention, { params, body: { days } })
    expect(found.categories.find(({ category }) => category === 'trips')?.days).toBe(days['trips'])
    expect(found.categories.find(({ category }) => category === 'payments')?.days).toBeNull()
    const audit = await call(app, city.admin, listAudit, {})
    expect(audit.items.find(({ action }) => action === 'setRetentionDays')?.path).toContain('telemetry')
  })

  it('can be counted without removing them', async () => {
    const [trips, events] = [await countRows('trips'), await countRows('vehicle_events')]
    const { steps } = await call(app, city.admin, previewRetention, { params, body: {} })
    const getRows = (table: string): number =>
      steps.flatMap(({ tables }) => tables).find((step) => step.table === table)?.rows ?? 0
    expect(getRows('trips')).toBeGreaterThan(0)
    expect(getRows('trips')).toBeLessThan(trips)
    expect(getRows('vehicle_events')).toBeGreaterThan(0)
    expect(getRows('vehicle_events')).toBeLessThan(events)
    expect([await countRows('trips'), await countRows('vehicle_events')]).toEqual([trips, events])
    // A preview of other days, before they are set.
    const other = await call(app, city.admin, previewRetention, {
      params,
      body: { days: { trips: 3000, events: null } },
    })
    expect(other.steps.find(({ category }) => category === 'trips')?.outcome).toBe('nothing')
    expect(other.steps.some(({ category }) => category === 'events')).toBe(false)
  })

  it('are not removed while a legal hold is set', async () => {
    const reason = 'Litigation, case 26-117'
    const held = await call(app, city.admin, setRetentionHold, { params, body: { reason } })
    expect(held.hold).toMatchObject({ reason, set_by: city.admin.email })
    const again = await send(app, city.admin, setRetentionHold, { params, body: { reason } })
    expect(again.statusCode).toBe(409)
    const trips = await countRows('trips')
    const { runs } = await runNow()
    expect(runs[0]?.outcome).toBe('held')
    expect(await countRows('trips')).toBe(trips)
    const released = await call(app, city.admin, releaseRetentionHold, { params })
    expect([released.hold, released.holds[0]?.released_by]).toEqual([null, city.admin.email])
  })

  it(
    'are removed, while sums, reports, fees and compliance do not change',
    { timeout: hookTimeout },
    async () => {
      const { runs, categories } = await runNow()
      expect(runs[0]?.steps.map(({ category, outcome, detail }) => [category, outcome, detail])).toEqual([
        ['trips', 'removed', null],
        ['events', 'removed', null],
        ['telemetry', 'nothing', null],
        ['audit', 'nothing', 'Another region of the organization stores it for longer.'],
      ])
      expect(categories.find(({ category }) => category === 'trips')?.removed_before).toBe(firstLeft)
      const [oldest] = await app.facts.rows<{ day: string }>(
        getScope(),
        sql`select toString(min(local_date)) as day from ${tableOf('trips')} where region_id = ${bind('String', region_id)}`,
      )
      expect(oldest && oldest.day >= firstLeft).toBe(true)
      expect(await readFigures()).toEqual(before)
      expect(await readRecords(policies.parking)).toEqual(compliance)
      // These had never been requested before the rows were removed.
      const getFigures = (found: typeof compliance) =>
        found.map(({ date, operator, status, violations, measured, shape_uuid }) =>
          [date, operator, status, violations, measured, shape_uuid].join(' '),
        )
      expect(getFigures(await readRecords(policies.twin))).toEqual(getFigures(compliance))
      expect((await runNow()).runs[0]?.outcome).toBe('nothing')
    },
  )

  it('are missing for an invoice of their days, which reports it', { timeout: hookTimeout }, async () => {
    const body = { operator: 'alder-bikes', start_date: '2026-03-04', end_date: '2026-03-08' }
    const draft = await call(app, city.admin, createInvoice, { params, body })
    expect(Number(draft.total)).toBeGreaterThan(0)
    const of = { params: { ...params, invoice_id: draft.invoice_id } }
    await call(app, city.admin, approveInvoice, { ...of, body: { version: draft.version } })
    const refused = await send(app, city.admin, issueInvoice, of)
    expect(readProblem(refused)).toMatchObject({
      status: 409,
      detail: expect.stringMatching(
        /^Individual records before 2026-03-\d\d were removed.*begins on 2026-03-\d\d/,
      ),
    })
  })

  it('leave rows that later records are derived from', { timeout: hookTimeout }, async () => {
    expect(await readStoredParking(firstDerivedTime)).toEqual(listPlainParking(fleetEvents, firstDerivedTime))
    // One more event of each vehicle, so that all are derived again from the remaining rows.
    const late = [...new Map(fleetEvents.map((event) => [event.deviceId, event])).values()].map(
      (event, n): VehicleEvent => ({
        ...event,
        eventId: `${n.toString(16).padStart(8, '0')}-0000-4000-8000-00000000a1e7`,
        time: Date.UTC(2026, 2, 11, 12, n),
        state: 'available',
        types: ['trip_end'],
      }),
    )
    const result = await storeEvents(late)
    expect(result).toMatchObject({ accepted: late.length + fleetVehicles.length, setAside: 0 })
    expect(await readStoredParking(firstDerivedTime)).toEqual(
      listPlainParking([...fleetEvents, ...late], firstDerivedTime),
    )
    const sealed = { start_date: period.start_date, end_date: '2026-03-08' }
    const after = (await readFigures(sealed)) as { metrics: { totals: number[] } }
    expect(after.metrics.totals[0]).toBeGreaterThan(0)
    // Earlier days do not change, and a response after a restart with another setting is the same.
    await call(app, city.admin, changeRegion, { params, body: { lostAfterHours: 72 } })
    await app.stop()
    app = { ...(await openTestApp(app.dataDir)) }
    city = { ...city, admin: await signIn(app, city.admin.email, password) }
    city.viewer = await signIn(app, city.viewer.email, password)
    await app.derivation.idle()
    expect(await readFigures(sealed)).toEqual(after)
  })

  it('are not stored if they arrive late', async () => {
    const events = await countRows('vehicle_events')
    const old = fleetEvents.filter(({ time }) => time < Date.UTC(2026, 2, 8))
    const result = await storeEvents(old)
    expect(result.setAside).toBe(old.length)
    expect(await countRows('vehicle_events')).toBe(events)
    const { removed_before } = await call(app, city.viewer, getRetentionLimits, { params })
    expect(removed_before).toEqual({ trips: firstLeft, events: firstLeft, telemetry: firstLeft })
  })
})

test('all stored data of an operator can be downloaded as one file', async () => {
  const body = { operator: 'alder-bikes' }
  expect((await send(app, city.planner, buildOperatorZip, { params, body })).statusCode).toBe(403)
  await call(app, city.admin, buildOperatorZip, { params, body })
  const findNewest = async () => (await call(app, city.admin, listOperatorZips, { params })).items[0]
  for (;;) {
    const status = (await findNewest())?.status ?? ''
    if (!['queued', 'running'].includes(status)) break
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const zip = await findNewest()
  expect(zip).toMatchObject({ status: 'ready', problem: null, file_name: 'alder_alder-bikes.zip' })
  expect(zip?.rows).toBeGreaterThan(0)
  const names = (await downloadBytes(app, zip?.url ?? null)).toString('latin1')
  for (const name of ['manifest.json', 'state.json', 'trips.csv', 'events.csv']) expect(names).toContain(name)
  expect(names).not.toContain('shapes.csv')
  const stored = await app.state.maintenance.rowsOfOperator(
    { ...body, regionId: region_id, organizationId: city.organizations.alder },
    10,
  )
  expect(stored.find(({ table }) => table === 'operator')?.rows).toMatchObject([{ slug: 'alder-bikes' }])
})
