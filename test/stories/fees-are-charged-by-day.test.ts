import { createHash, randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import yazl from 'yazl'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type FeeLine,
  type Fees,
  forecastFees,
  getFees,
  getFeeSummary,
  listFeeFacts,
  tryFees,
} from '#contract/fees.ts'
import { csvLine } from '#contract/csv.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { type Shape } from '#contract/geography.ts'
import { VehicleType } from '#contract/mobility.ts'
import { daysBetween, minuteMs } from '#contract/period.ts'
import { emptyPolicy, FeeProperties, type Policy, type PolicyFields } from '#contract/policy.ts'
import { chargeCase } from '#server/billing/charge-case.ts'
import { recomputeInvoice } from '#server/billing/recompute-invoice.ts'
import { forecastMonth } from '#server/billing/fee-summary.ts'
import { PolicyFees } from '#server/billing/fee-days/policy-fees.ts'
import { regionScope, systemScope } from '#server/identity/scope.ts'
import { feeDays, markFeeDaysDirty } from '#server/fleet/fact-changes.ts'
import { type VehicleEvent } from '#server/fleet/events/feed-records.ts'
import { publishPolicy } from '#server/policies/publish-policy.ts'
import { savePolicy } from '#server/policies/save-policy.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, sql } from '#server/stores/sql.ts'
import { ExportQuestion } from '#contract/exports.ts'
import { toSelection } from '#server/reporting/exports/check-question.ts'
import { fees as exportedFees } from '#server/reporting/exports/tables/fees.ts'
import { call, type CallInput, openTestApp, readProblem, send, type TestApp } from '../app.ts'
import { makeCity, readShapes, addOperators, storeFleet } from '../city.ts'
import { fleetEvents, fleetVehicles, plainFleetFacts } from '../city/fleet.ts'
import { holds } from '../city/plain-geometry.ts'

let app: TestApp
let city: Awaited<ReturnType<typeof makeCity>>
let shape: Shape
let scope: Scope
let source: PolicyFees
let policies: Record<'fleet' | 'trips' | 'event' | 'hours' | 'bands', Policy>
const region_id = 'alder'
const params = { region_id }
const days = { start_date: '2026-03-06', end_date: '2026-03-11' }
const operators = ['alder-bikes', 'birch-scoot'] as const
const { parkingEvents, intervals } = plainFleetFacts(fleetEvents, 48)
/** An operator whose trips are all in this file. */
const rider = 'rider-co'

const makeId = (n: number): string => `${n.toString(16).padStart(8, '0')}-0000-4000-8000-0000000fee00`
const noon = Date.UTC(2026, 2, 7, 17)
/** Twenty trips of a vehicle that is never at rest in the district: of 5, 10, ... minutes, one every two hours. */
const rides: VehicleEvent[] = Array.from({ length: 20 }, (_, n) => {
  const at = noon + n * 120 * minuteMs
  const event = (time: number, type: 'trip_start' | 'trip_end', number: number): VehicleEvent => ({
    operator: rider,
    deviceId: makeId(1),
    eventId: makeId(number),
    time,
    state: type === 'trip_start' ? 'on_trip' : 'removed',
    types: [type],
    tripIds: [makeId(1000 + n)],
    lon: NaN,
    lat: NaN,
    accuracy: NaN,
    battery: NaN,
    published: 0,
  })
  return [event(at, 'trip_start', 2 * n + 10), event(at + (n + 1) * 5 * minuteMs, 'trip_end', 2 * n + 11)]
}).flat()

async function storeEvents(events: readonly VehicleEvent[]): Promise<void> {
  const riders = [1, 2].map((n) => ({
    ...fleetVehicles[1]!,
    deviceId: makeId(n),
    vehicleId: `R${n}`,
    operator: rider,
  }))
  await storeFleet(app, city, events, [...fleetVehicles, ...riders])
  await app.derivation.idle([feeDays])
}

/** Saves and publishes a policy as it would have been on an earlier day. */
async function publish(overrides: Partial<PolicyFields>, on: string): Promise<Policy> {
  const by = { scope, email: 'planner@alder.example' }
  const policy = await savePolicy(app, {
    viewer: by,
    body: { ...emptyPolicy(), region_id, start_date: '2026-03-02', end_date: '2026-03-13', ...overrides },
    at: new Date(on),
  })
  return publishPolicy(app, { viewer: by, body: { policy_uuid: policy.policy_uuid }, at: new Date(on) })
}

const makeFee = (properties: object): FeeProperties => FeeProperties.parse(properties)
const prices = {
  weekday: [
    { start_time: '08:00:00', end_time: '18:00:00', price: 1.5 },
    { start_time: '18:00:00', end_time: '08:00:00', price: 0.25 },
  ],
  // The night of Friday lasts until Saturday, 8:00.
  all: [{ start_time: '08:00:00', end_time: null, price: 0.1 }],
}
const bands = [
  { start_duration: 0, end_duration: 30, price: 0 },
  { start_duration: 31, end_duration: 90, price: 0.02 },
  { start_duration: 91, end_duration: null, price: 0.04 },
]

const readFees = (operator: string, as = city.viewer, period = days): Promise<Fees> =>
  call(app, as, getFees, { params, query: { operator, ...period } })
const getLines = (found: Fees, policy: Policy): FeeLine[] =>
  found.lines.filter(({ policy_uuid: own }) => own === policy.policy_uuid)

/** Returns what the `charge` command computes for the plain facts. */
function chargePlainly(operator: string, part: object, facts: object) {
  const found = chargeCase(
    {
      timezone: 'America/New_York',
      currency: 'USD',
      period: days,
      tariff: { parts: [{ name: operator, ...part }] },
      facts,
    },
    operator,
  ) as { lines: { quantity: string; unit: string; unit_price: string | null; amount: string }[] }
  return found.lines
    .filter(({ amount, quantity }) => amount !== '0.00' || quantity !== '0')
    .map(({ quantity, unit, unit_price, amount }) => ({ quantity, unit, unit_price, amount }))
    .toSorted((a, b) => (`${a.unit_price} ${a.quantity}` < `${b.unit_price} ${b.quantity}` ? -1 : 1))
}
const getPrices = (lines: readonly FeeLine[]) =>
  lines
    .map(({ quantity, unit, unit_price, amount }) => ({ quantity, unit, unit_price, amount }))
    .toSorted((a, b) => (`${a.unit_price} ${a.quantity}` < `${b.unit_price} ${b.quantity}` ? -1 : 1))

/** Lists the parking events of an operator in the district. */
const listParking = (operator: string) =>
  parkingEvents
    .filter((rest) => rest.operator === operator && holds(shape.geom, [rest.lon, rest.lat]))
    .map(({ from, to, type }) => ({ from, to: Math.min(to, Date.now()), vehicle_type: type }))

const readDistricts = (): Promise<Shape[]> => readShapes(app, city.viewer, city.layers.districts)

beforeAll(async () => {
  app = await openTestApp()
  city = await makeCity(app)
  scope = regionScope(city.organizations.alder, region_id)
  source = new PolicyFees({ ...app, health: app.health.dayCounts })
  await addOperators(app, city.admin, operators)
  const countInShape = ({ geom }: Shape): number =>
    parkingEvents.filter(({ lon, lat }) => holds(geom, [lon, lat])).length
  shape = (await readDistricts()).toSorted((a, b) => countInShape(b) - countInShape(a))[0] as Shape
  await storeEvents([...fleetEvents, ...rides])
  const there = {
    policy_type: 'parking_fees',
    shape_layer_uuid: city.layers.districts.shape_layer_uuid,
    shape_uuids: [shape.shape_uuid],
  }
  const start = '2026-03-01T00:00Z'
  policies = {
    fleet: await publish(
      {
        policy_type: 'vehicle_fees',
        policy_name: 'Fleet',
        value: 1.25,
        fee_properties: makeFee({ vehicle_count_method: 'avg' }),
      },
      start,
    ),
    trips: await publish(
      {
        policy_type: 'trip_fees',
        policy_name: 'Trips',
        end_date: '2026-03-31',
        value: 0.16,
        fee_properties: makeFee({ options: { minimum_trip_duration: 600 } }),
      },
      start,
    ),
    event: await publish(
      {
        ...there,
        policy_name: 'By event',
        value: 0.35,
        days: [1, 2, 3, 4, 5],
        start_time: '07:00:00',
        end_time: '19:00:00',
        fee_properties: makeFee({ parking_fee_type: 'fixed_price_per_event' }),
      },
      start,
    ),
    hours: await publish(
      {
        ...there,
        policy_name: 'By hour',
        fee_properties: makeFee({ parking_fee_type: 'variable_price_schedule', prices }),
      },
      start,
    ),
    bands: await publish(
      {
        ...there,
        policy_name: 'By duration',
        fee_properties: makeFee({
          parking_fee_type: 'variable_price_parking_duration',
          prices_by_duration: bands,
        }),
      },
      start,
    ),
  }
  await app.derivation.idle([feeDays])
})
afterAll(() => app.close())

async function readStoredFacts(invoiceId: string): Promise<string> {
  let text = ''
  for await (const part of await source.readFacts(scope, { regionId: region_id, invoiceId }))
    text += String(part)
  return text
}

describe('fees of published policies', () => {
  it.each(operators)('charge %s for its mean fleet as a case with this fleet', async (operator) => {
    const found = getLines(await readFees(operator), policies.fleet)
    const vehicle_intervals = intervals
      .filter((interval) => interval.operator === operator)
      .map(({ from, to, state, type }, n) => ({
        vehicle_id: String(n),
        vehicle_type: type,
        state,
        from,
        // A vehicle is lost after 48 hours without contact.
        to: Math.min(to, from + 48 * 60 * minuteMs),
      }))
    expect(getPrices(found)).toEqual(
      chargePlainly(operator, { kind: 'vehicles', method: 'avg', price: 1.25 }, { vehicle_intervals }),
    )
    expect(found).toHaveLength(1)
    expect(found[0]).toMatchObject({ ...days, policy_name: 'Fleet', days_without_data: [] })
  })

  it('are zero for short trips', async () => {
    const found = getLines(await readFees(rider), policies.trips)
    // The first trip lasts five minutes, below the minimum of ten; trips continue until the 9th.
    expect(getPrices(found)).toEqual([{ quantity: '19', unit: 'trips', unit_price: '0.16', amount: '3.04' }])
  })

  it.each(operators)('charge %s for parking as cases with these events', async (operator) => {
    const all = await readFees(operator)
    const parking_events = listParking(operator)
    expect(parking_events.length).toBeGreaterThan(3)
    const schedule = { kind: 'parking', structure: { by: 'schedule', prices } }
    expect(getPrices(getLines(all, policies.hours))).toEqual(
      chargePlainly(operator, schedule, { parking_events }),
    )
    const duration = {
      kind: 'parking',
      structure: {
        by: 'duration',
        bands: bands.map(({ start_duration: start, end_duration: end, price }) => ({ start, end, price })),
      },
    }
    expect(getPrices(getLines(all, policies.bands))).toEqual(
      chargePlainly(operator, duration, { parking_events }),
    )
    for (const policy of [policies.hours, policies.bands])
      expect(getLines(all, policy).filter(({ rates }) => !rates?.length)).toEqual([])
    const zone = new Intl.DateTimeFormat('en-US', {
      timeZone: 'America/New_York',
      hour: 'numeric',
      hourCycle: 'h23',
      weekday: 'short',
    })
    const inWindow = parking_events.filter(({ from }) => {
      const parts = zone.formatToParts(from)
      const getPart = (type: string) => parts.find((part) => part.type === type)?.value ?? ''
      return (
        !getPart('weekday').startsWith('S') && Number(getPart('hour')) >= 7 && Number(getPart('hour')) < 19
      )
    })
    expect(getPrices(getLines(all, policies.event))).toEqual(
      chargePlainly(
        operator,
        { kind: 'parking', structure: { by: 'event', price: 0.35 } },
        { parking_events: inWindow },
      ),
    )
  })

  it('add up to the summary of the month, with facts behind each line', async () => {
    const month = { start_date: '2026-03-01', end_date: '2026-03-31' }
    const summary = await call(app, city.viewer, getFeeSummary, { params, query: month })
    expect(summary).toMatchObject({ currency: 'USD', pending_days: 0 })
    for (const operator of operators) {
      const ownFees = await readFees(operator, city.viewer, month)
      const sumCents = (amounts: readonly { amount: string }[]): number =>
        amounts.reduce((sum, { amount }) => sum + Math.round(Number(amount) * 100), 0)
      expect(
        sumCents(
          summary.months
            .filter((month) => month.operator === operator)
            .map(({ accrued }) => ({ amount: accrued })),
        ),
      ).toBe(sumCents(ownFees.lines))
      expect(Math.round(Number(ownFees.total) * 100)).toBe(sumCents(ownFees.lines))
    }
    const listed = await call(app, city.admin, listFeeFacts, {
      params,
      query: { policy_uuid: policies.bands.policy_uuid, operator: 'birch-scoot', ...days, size: 300 },
    })
    const hours = new Map<string, number>()
    for (const { shares } of listed.items)
      for (const { quantity, unit_price } of shares)
        hours.set(String(unit_price), (hours.get(String(unit_price)) ?? 0) + Number(quantity))
    for (const { unit_price, quantity } of getLines(await readFees('birch-scoot'), policies.bands))
      expect(hours.get(String(unit_price))).toBeCloseTo(Number(quantity), 5)
    expect(listed.total).toBe(listed.items.length)
    const trips = await call(app, city.admin, listFeeFacts, {
      params,
      query: { policy_uuid: policies.trips.policy_uuid, operator: rider, ...days, page: 2, size: 10 },
    })
    expect([trips.total, trips.items.length]).toEqual([19, 9])
    const listOfType = (policy_uuid: string, operator: string, vehicle_type?: VehicleType) =>
      call(app, city.admin, listFeeFacts, {
        params,
        query: { policy_uuid, operator, ...days, size: 300, ...(vehicle_type ? { vehicle_type } : {}) },
      })
    for (const [{ policy_uuid }, operator] of [
      [policies.trips, rider],
      [policies.bands, 'birch-scoot'],
    ] as const) {
      const all = await listOfType(policy_uuid, operator)
      const types = new Set([
        ...all.items.map((fact) => VehicleType.parse(fact.vehicle_type)),
        'moped' as const,
      ])
      for (const type of types) {
        const { items, total } = await listOfType(policy_uuid, operator, type)
        expect(items).toEqual(all.items.filter(({ vehicle_type }) => vehicle_type === type))
        expect(total).toBe(items.length)
      }
    }
  })

  it('are exported by day with the quantities of the lines', async () => {
    const selection = toSelection(
      { regionId: region_id, timezone: 'America/New_York' },
      ExportQuestion.parse({ ...days, operators: [rider] }),
    )
    const rows = await app.facts.rows<Record<string, string | number>>(scope, exportedFees.rows(selection))
    const { lines } = await readFees(rider)
    expect(new Set(rows.map((row) => row['policy_uuid']))).toEqual(
      new Set(lines.map((line) => line.policy_uuid)),
    )
    for (const line of getLines({ ...(await readFees(rider)) }, policies.trips))
      expect(
        rows
          .filter((row) => row['policy_uuid'] === line.policy_uuid)
          .reduce((sum, row) => sum + Number(row['quantity']), 0),
      ).toBe(Number(line.quantity))
    const ownScope = { ...scope, operators: [operators[0]] } as Scope
    const ownRows = await app.facts.rows<Record<string, string>>(
      ownScope,
      exportedFees.rows({ ...selection, operators: [] }),
    )
    expect(new Set(ownRows.map((row) => row['operator']))).toEqual(new Set([operators[0]]))
  })

  it('are the same in a trial of a draft as after publication', async () => {
    const { months } = await call(app, city.viewer, tryFees, {
      params,
      body: { policy: { ...policies.hours, policy_name: 'By hour' }, operators: ['birch-scoot'], ...days },
    })
    expect(months).toHaveLength(1)
    expect(getPrices(months[0]?.lines ?? [])).toEqual(
      getPrices(getLines(await readFees('birch-scoot'), policies.hours)),
    )
    expect(await call(app, city.viewer, forecastFees, { params, query: {} })).toMatchObject({ operators: [] })
  })

  it('are forecast for the rest of a month by its weekdays', async () => {
    const query = { constant_policy_uuid: policies.trips.constant_policy_uuid }
    const at = new Date('2026-03-12T16:00Z')
    const { operators: found } = await forecastMonth(source, app.state, {
      viewer: { scope },
      params,
      query,
      at,
    })
    // Charged trips: 5 on Saturday the 7th, 12 on Sunday, 2 on Monday the 9th and none on Monday the 2nd, the first day in effect.
    const [accrued, saturdays, sundays, mondays] = [5 + 12 + 2, 3 * 5, 3 * 12, 3]
    const computeAmount = (trips: number): string => (trips * 0.16).toFixed(2)
    const weekends = accrued + saturdays + sundays
    expect(found.find(({ operator: own }) => own === rider)).toEqual({
      operator: rider,
      accrued: computeAmount(accrued),
      expected: computeAmount(weekends + mondays * 1),
      low: computeAmount(weekends),
      high: computeAmount(weekends + mondays * 2),
    })
  })

  it('are forecast at no less than what has accrued, also on the first days in effect', async () => {
    // Days before Saturday the 7th have no trips; after it, three more Saturdays like it are expected.
    for (const [at, accrued, low] of [
      ['2026-03-08T20:00-04:00', 5 + 12, 5 + 12 + 3 * 5],
      ['2026-03-07T20:00-05:00', 5, 5],
    ] as const) {
      const { operators: found } = await forecastMonth(source, app.state, {
        viewer: { scope },
        params,
        query: { constant_policy_uuid: policies.trips.constant_policy_uuid },
        at: new Date(at),
      })
      const ownForecast = found.find(({ operator }) => operator === rider)
      expect([ownForecast?.accrued, ownForecast?.low]).toEqual(
        [accrued, low].map((trips) => (trips * 0.16).toFixed(2)),
      )
      expect(Number(ownForecast?.expected)).toBeGreaterThanOrEqual(Number(ownForecast?.low))
    }
  })

  it('can be recomputed from the stored facts of an invoice', async () => {
    const [invoiceId, question] = [
      randomUUID(),
      { regionId: region_id, operator: 'birch-scoot', period: days, now: Date.now() },
    ]
    const stored = await source.storeFacts(scope, invoiceId, question)
    expect(await source.storeFacts(scope, invoiceId, question)).toEqual(stored)
    const text = await readStoredFacts(invoiceId)
    expect(createHash('sha256').update(text).digest('hex')).toBe(stored.sha256)
    expect(text.trimEnd().split('\r\n')).toHaveLength(stored.rows + 1)
    const again = await source.recompute(scope, invoiceId, question)
    const issued = await source.computeFees(scope, question)
    // Cells are quoted and guarded by the fact store as elsewhere.
    const odd = randomUUID()
    await app.facts.add(scope, 'invoice_facts', {
      columns: ['region_id', 'invoice_id', 'fact_id', 'vehicle_id'],
      rows: sql`select ${bind('String', region_id)}, ${bind('UUID', odd)}, '-5', '=1,"x"'`,
    })
    expect(await readStoredFacts(odd)).toContain(`,${csvLine(['-5', '=1,"x"'])},`)
    // The order is the same too: an invoice is issued only if its lines equal the approved ones.
    expect(again.lines).toEqual(issued.lines)
    expect([again.total, issued.lines.length > 5]).toEqual([issued.total, true])

    const zip = new yazl.ZipFile()
    const add = (name: string, value: unknown) => zip.addBuffer(Buffer.from(JSON.stringify(value)), name)
    add('invoice.json', { ...issued, number: 'alder-2026-1', facts: stored })
    add(
      'policies.json',
      Object.values(policies).map((fields) => ({ policy_uuid: fields.policy_uuid, fields })),
    )
    zip.addBuffer(Buffer.from(text), 'facts.csv')
    zip.end()
    const file = path.join(app.dataDir, 'export.zip')
    await pipeline(zip.outputStream, fs.createWriteStream(file))
    expect(await recomputeInvoice(file)).toMatchObject({
      total: issued.total,
      is_equal: true,
      facts_are_unchanged: true,
      facts: stored.rows,
    })
  })

  it('are lower in discounted shapes while the shape exists, as a line of its own', async () => {
    const whole = (await readDistricts()).map(({ shape_uuid: shapeId }) => shapeId)
    const fee_properties = makeFee({
      parking_fee_type: 'variable_price_schedule',
      prices,
      options: {
        discount_percent: 37.5,
        discount_layer_uuid: city.layers.districts.shape_layer_uuid,
        discount_shape_uuids: [shape.shape_uuid],
      },
    })
    const fields = {
      policy_type: 'parking_fees',
      policy_name: 'Equity',
      operators: ['alder-bikes'],
      shape_layer_uuid: city.layers.districts.shape_layer_uuid,
      shape_uuids: whole,
      fee_properties,
    }
    // The shape is deleted in the middle of the period.
    const deleted = Date.UTC(2026, 2, 10, 15, 7)
    await app.state
      .as(systemScope)
      .insertInto('shape_version')
      .values({
        shape_uuid: shape.shape_uuid,
        version: 99,
        region_id,
        layer_id: city.layers.districts.shape_layer_uuid,
        act: 'deleted',
        changes: '[]',
        name: shape.shape_name,
        geometry: null,
        valid_from: new Date(deleted),
      })
      .execute()
    const shapes = await readDistricts()
    const parking_events = parkingEvents
      .filter((rest) => rest.operator === 'alder-bikes')
      .filter((rest) => shapes.some(({ geom }) => holds(geom, [rest.lon, rest.lat])))
      .map(({ vehicle, from, to, type, lon, lat }) => ({
        vehicle_id: vehicle ?? '',
        from,
        to: Math.min(to, Date.now()),
        vehicle_type: type,
        areas: holds(shape.geom, [lon, lat]) && from < deleted ? ['equity'] : [],
      }))
    const discounted = parking_events.filter(({ areas }) => areas.length).length
    // Some parking in the shape is after its deletion.
    expect([discounted > 0, listParking('alder-bikes').length > discounted]).toEqual([true, true])
    const policy = await publish(fields, '2026-03-01T00:00Z')
    await app.derivation.idle([feeDays])
    const found = getLines(await readFees('alder-bikes'), policy)
    const part = {
      kind: 'parking',
      structure: { by: 'schedule', prices },
      discount: { percent: 37.5, areas: ['equity'] },
    }
    expect(getPrices(found)).toEqual(chargePlainly('alder-bikes', part, { parking_events }))
    expect(found.filter(({ amount }) => amount.startsWith('-')).length).toBeGreaterThan(0)
    // The maximum per vehicle and day applies after the discount.
    const maximum_per_vehicle_day = 2
    const limited = await call(app, city.admin, tryFees, {
      params,
      body: {
        policy: {
          ...emptyPolicy(),
          ...fields,
          fee_properties: makeFee({
            ...fee_properties,
            options: { ...fee_properties.options, maximum_per_vehicle_day },
          }),
        },
        operators: ['alder-bikes'],
        ...days,
      },
    })
    const limitedLines = getPrices(limited.months[0]?.lines ?? [])
    expect(limitedLines).toEqual(
      chargePlainly('alder-bikes', { ...part, maximum_per_vehicle_day }, { parking_events }),
    )
    expect(limitedLines.length).toBeGreaterThan(found.length)
    // A trial, the facts of the line, and stored facts have the same values.
    const { months } = await call(app, city.admin, tryFees, {
      params,
      body: { policy: { ...emptyPolicy(), ...fields }, operators: ['alder-bikes'], ...days },
    })
    expect(getPrices(months[0]?.lines ?? [])).toEqual(getPrices(found))
    const query = { policy_uuid: policy.policy_uuid, operator: 'alder-bikes', ...days, size: 300 }
    const { items } = await call(app, city.admin, listFeeFacts, { params, query })
    expect(items.length).toBeGreaterThan(discounted)
    const sumCosts = (lines: { quantity: string; unit_price: string | null }[]): number =>
      lines.reduce((sum, line) => sum + Number(line.quantity) * Number(line.unit_price), 0)
    expect(sumCosts(items.flatMap(({ shares }) => shares))).toBeCloseTo(
      found.reduce((sum, { amount }) => sum + Number(amount), 0),
      1,
    )
    const question = { regionId: region_id, operator: 'alder-bikes', period: days, now: Date.now() }
    const invoiceId = randomUUID()
    await source.storeFacts(scope, invoiceId, question)
    expect((await source.recompute(scope, invoiceId, question)).lines).toEqual(
      (await source.computeFees(scope, question)).lines,
    )
    // Trips have no position here, so they get no discount.
    const trips = { policy_type: 'trip_fees', policy_name: 'Trips', value: 0.16, fee_properties }
    const tried = await call(app, city.admin, tryFees, {
      params,
      body: { policy: { ...emptyPolicy(), ...trips }, operators: [rider], ...days },
    })
    expect(tried.months[0]?.lines.map(({ unit, amount }) => [unit, amount])).toEqual([
      ['trips', expect.stringMatching(/^\d/)],
    ])
    const other = makeFee({ ...fee_properties, options: { ...fee_properties.options, discount_percent: 0 } })
    await expect(publish({ ...fields, fee_properties: other }, '2026-03-01T00:00Z')).rejects.toMatchObject({
      issues: [{ path: 'body.fee_options' }],
    })
  })

  it('change with late events on the days on which their facts begin', async () => {
    const before = await readFees(rider)
    await storeEvents([
      {
        ...rides[0]!,
        deviceId: makeId(2),
        eventId: makeId(501),
        time: Date.UTC(2026, 2, 10, 15),
        tripIds: [makeId(2000)],
      },
      {
        ...rides[1]!,
        deviceId: makeId(2),
        eventId: makeId(502),
        time: Date.UTC(2026, 2, 10, 16),
        tripIds: [makeId(2000)],
      },
    ])
    const after = await readFees(rider)
    expect(getLines(after, policies.trips)[0]?.quantity).toBe('20')
    expect(Number(getLines(after, policies.fleet)[0]?.quantity)).toBeGreaterThan(
      Number(getLines(before, policies.fleet)[0]?.quantity),
    )
  })

  it('have a line for each revision, and end with their policy', async () => {
    const by = { scope, email: 'planner@alder.example' }
    const change = new Date('2026-03-09T16:00Z')
    const { policy_uuid, ...fields } = policies.trips
    const revised = await savePolicy(app, {
      viewer: by,
      body: { ...fields, policy_uuid, region_id, value: 0.2 } as never,
      at: change,
    })
    await publishPolicy(app, { viewer: by, body: { policy_uuid: revised.policy_uuid }, at: change })
    await app.derivation.idle([feeDays])
    const found = (await readFees(rider)).lines.filter(
      ({ constant_policy_uuid: own }) => own === policies.trips.constant_policy_uuid,
    )
    expect(found.map(({ unit_price, start_date, end_date }) => [unit_price, start_date, end_date])).toEqual([
      ['0.16', '2026-03-06', '2026-03-09'],
      ['0.2', '2026-03-09', '2026-03-11'],
    ])
    expect(found.reduce((sum, { quantity }) => sum + Number(quantity), 0)).toBe(20)
  })

  it('are those of the invoice on days with removed facts, current ones on other days', async () => {
    const [invoiceId, operator] = [randomUUID(), 'birch-scoot']
    const question = { regionId: region_id, operator, now: Date.now() }
    const readEarlierFees = async () => {
      const [found] = await source.computeEarlierFees(scope, question, [{ invoiceId, period: days }])
      return found
    }
    const issued = await source.computeFees(scope, { ...question, period: days })
    await source.storeFacts(scope, invoiceId, { ...question, period: days })
    expect(await readEarlierFees()).toMatchObject({ lines: issued.lines.map(({ amount }) => ({ amount })) })
    // Facts of the first days are deleted, as by retention, and the days are computed again.
    const until = bind('String', '2026-03-08 05:00:00')
    const ofOperator = sql`region_id = ${bind('String', region_id)} and operator = ${bind('String', operator)}`
    const gone = daysBetween('2026-03-01', '2026-03-07')
    for (const table of ['parking_events', 'vehicle_intervals'] as const)
      await app.facts.remove(
        scope,
        table,
        sql`${ofOperator} and from_time < toDateTime64(${until}, 3, 'UTC')`,
      )
    await markFeeDaysDirty(app.state, scope, { regionId: region_id, days: gone, at: new Date(0) })
    await app.derivation.idle([feeDays])
    const left = await source.computeFees(scope, { ...question, period: days })
    expect(Number(left.total)).toBeLessThan(Number(issued.total))
    const found = await readEarlierFees()
    expect(getPrices(found?.lines ?? [])).toEqual(getPrices(issued.lines))
    expect(found?.as_of).not.toBeNull()
    // A day that still has other facts of the kind was corrected, so it has current fees.
    const rows = (await readStoredFacts(invoiceId)).split('\r\n').map((row) => row.split(','))
    const ids = rows
      .filter((row) => row[2] === 'parking_event' && row[3] === '2026-03-10')
      .map((row) => row[4] ?? '')
    expect(ids.length).toBeGreaterThan(0)
    await app.facts.remove(
      scope,
      'parking_events',
      sql`${ofOperator} and toString(event_id) in ${bind('Array(String)', ids)}`,
    )
    await markFeeDaysDirty(app.state, scope, { regionId: region_id, days: ['2026-03-10'], at: new Date(0) })
    await app.derivation.idle([feeDays])
    const corrected = await readEarlierFees()
    expect(Number(corrected?.total)).toBeLessThan(Number(issued.total))
    expect(Number(corrected?.total)).toBeGreaterThan(Number(left.total))
  })

  it('are not returned for invalid requests', async () => {
    const getCode = async <E extends Endpoint>(endpoint: E, input: CallInput<E>) =>
      readProblem(await send(app, city.viewer, endpoint, input)).code
    const query = { operator: 'birch-scoot', ...days }
    const reversed = { ...query, end_date: '2026-03-01' }
    expect(await getCode(getFees, { params, query: reversed })).toBe('validation_error')
    const policy = { ...emptyPolicy(), policy_type: 'no_ride' as const }
    expect(await getCode(tryFees, { params, body: { policy, ...days } })).toBe('validation_error')
    const unknown = { ...query, policy_uuid: randomUUID() }
    expect(await getCode(listFeeFacts, { params, query: unknown })).toBe('forbidden')
  })
})
