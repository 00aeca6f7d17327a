import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import yazl from 'yazl'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Fees, getFees, listFeeFacts } from '#contract/fees.ts'
import { listShapes, type Shape } from '#contract/geography.ts'
import { listPolicies } from '#contract/policies.ts'
import { PolicyFields } from '#contract/policy.ts'
import { importPolicies, type ImportSource, previewPolicyImport } from '#contract/policy-import.ts'
import { chargeCase } from '#server/billing/charge-case.ts'
import { recomputeInvoice } from '#server/billing/recompute-invoice.ts'
import { PolicyFees } from '#server/billing/fee-days/policy-fees.ts'
import { regionScope, systemScope } from '#server/identity/scope.ts'
import { feeDays } from '#server/fleet/fact-changes.ts'
import { publishPolicy } from '#server/policies/publish-policy.ts'
import { bind, sql } from '#server/stores/sql.ts'
import { call, openTestApp, type TestApp } from '../app.ts'
import { makeCity, addOperators, storeFleet } from '../city.ts'
import { fleetEvents, fleetVehicles, plainFleetFacts } from '../city/fleet.ts'
import { holds } from '../city/plain-geometry.ts'

let app: TestApp
let city: Awaited<ReturnType<typeof makeCity>>
let shapes: Shape[]
const region_id = 'alder'
const params = { region_id }
/** Days around the clock change on March 8. */
const days = { start_date: '2026-03-06', end_date: '2026-03-11' }
const operators = ['alder-bikes', 'birch-scoot'] as const
const here = { geographies: ['g0', 'g1', 'g2'] }
const parked = { available: [], non_operational: [], reserved: [] }

const makeTier = (
  rule_id: string,
  minimum: number | null,
  maximum: number | null,
  rate_amount: number,
  rate_recurrence: string,
) => ({
  ...here,
  rule_id,
  name: `Tier ${rule_id}`,
  rule_type: 'time',
  rule_units: 'hours',
  states: parked,
  minimum,
  maximum,
  rate_amount,
  rate_recurrence,
  rate_applies_when: 'in_bounds',
})
const once = {
  name: 'Drop-offs',
  rule_type: 'count',
  rule_units: 'devices',
  states: { available: ['provider_drop_off', 'trip_end'] },
  rate_amount: 35,
  rate_recurrence: 'once_on_match',
  rate_applies_when: 'in_bounds',
}
const policies = [
  {
    policy_id: 'hours',
    name: 'Parking by the hour',
    description: '',
    currency: 'USD',
    start_date: Date.UTC(2026, 0, 1),
    rules: [
      makeTier('a', 0, 2, 7, 'each_time_unit'),
      makeTier('b', 2, 12, 13, 'each_time_unit'),
      makeTier('c', 12, null, -1, 'each_time_unit'),
    ],
  },
  {
    policy_id: 'days',
    name: 'Whole days',
    description: '',
    currency: 'USD',
    start_date: Date.UTC(2026, 0, 1),
    rules: [
      { ...here, ...once, rule_id: 'd', geographies: ['g0'] },
      { ...makeTier('e', null, null, 150, 'per_complete_time_unit'), rule_units: 'days' },
    ],
  },
  {
    policy_id: 'leave',
    name: 'On leaving',
    description: '',
    currency: 'USD',
    start_date: Date.UTC(2026, 0, 1),
    rules: [makeTier('f', 0, 3, 20, 'once_on_unmatch'), makeTier('g', 3, null, 45, 'once_on_unmatch')],
  },
  {
    policy_id: 'speed',
    name: 'Fast rides',
    description: '',
    currency: 'USD',
    start_date: Date.UTC(2026, 0, 1),
    rules: [
      {
        ...here,
        rule_id: 'h',
        name: 'Fast',
        rule_type: 'speed',
        rule_units: 'mph',
        maximum: 15,
        rate_amount: 500,
        rate_recurrence: 'once_on_match',
      },
    ],
  },
]
const makeGeographies = () =>
  shapes.map(({ geom }, index) => ({
    geography_id: `g${index}`,
    name: `District ${index}`,
    geography_json: {
      type: 'FeatureCollection',
      features: [{ type: 'Feature', properties: {}, geometry: geom }],
    },
  }))

async function publishAll(): Promise<void> {
  const source: ImportSource = {
    file_name: 'agency.json',
    policies: { version: '2.0.0', data: { policies } },
    geographies: { version: '2.0.0', data: { geographies: makeGeographies() } },
  }
  const { digest } = await call(app, city.admin, previewPolicyImport, { body: { region_id, source } })
  await call(app, city.admin, importPolicies, {
    body: {
      region_id,
      source,
      digest,
      agency_name: 'City of Birch',
      policy_ids: policies.map(({ policy_id: id }) => id),
    },
  })
  // Published before the days that are charged.
  const by = { scope: regionScope(city.organizations.alder, region_id), email: 'planner@alder.example' }
  for (const { policy_uuid } of (await call(app, city.viewer, listPolicies, { body: { region_id } })).data)
    await publishPolicy(app, { viewer: by, body: { policy_uuid }, at: new Date('2026-03-01T00:00Z') })
  await app.derivation.idle([feeDays])
}

/** Returns what the `charge` command computes for the same reports. */
function chargePlainly(operator: string) {
  const own = fleetVehicles.filter((vehicle) => vehicle.operator === operator)
  return chargeCase(
    {
      timezone: 'America/New_York',
      currency: 'USD',
      period: days,
      mds: {
        policies: policies.slice(0, 3),
        geographies: makeGeographies(),
        vehicles: own.map(({ deviceId, vehicleType }) => ({
          device_id: deviceId,
          provider_id: operator,
          vehicle_type: vehicleType,
        })),
        events: fleetEvents
          .filter((event) => event.operator === operator)
          .map(({ deviceId, time, state, types, lon, lat }) => ({
            device_id: deviceId,
            timestamp: time,
            vehicle_state: state,
            event_types: types,
            location: Number.isNaN(lon) ? null : { lat, lng: lon },
          })),
      },
    },
    operator,
  ) as { lines: Priced[]; total: string }
}

interface Priced {
  description: string
  quantity: string
  unit: string
  unit_price: string | null
  amount: string
}
const getPrices = (lines: readonly Priced[]) =>
  lines
    .map(({ description, quantity, unit, unit_price, amount }) => ({
      description,
      quantity,
      unit,
      unit_price,
      amount,
    }))
    .toSorted((a, b) => (a.description < b.description ? -1 : 1))
const readFees = (operator: string): Promise<Fees> =>
  call(app, city.viewer, getFees, { params, query: { operator, ...days } })

beforeAll(async () => {
  app = await openTestApp()
  city = await makeCity(app)
  const all = await call(app, city.viewer, listShapes, {
    params,
    query: { shape_layer_uuid: city.layers.districts.shape_layer_uuid },
  })
  const { parkingEvents } = plainFleetFacts(fleetEvents, 48)
  const countInShape = ({ geom }: Shape): number =>
    parkingEvents.filter(({ lon, lat }) => holds(geom, [lon, lat])).length
  await addOperators(app, city.admin, operators)
  shapes = all.items.toSorted((a, b) => countInShape(b) - countInShape(a)).slice(0, 3)
  await storeFleet(app, city)
  await publishAll()
})
afterAll(() => app.close())

test.each(operators)(
  '%s pays for imported policies what a case of the same reports costs',
  async (operator) => {
    const found = await readFees(operator)
    const plain = chargePlainly(operator)
    expect(getPrices(found.lines)).toEqual(getPrices(plain.lines))
    expect([found.total, plain.lines.length > 4]).toEqual([plain.total, true])
  },
)

test('the fee list names the rates that are not charged', async () => {
  expect((await readFees('alder-bikes')).not_charged).toMatchObject([
    { policy_name: 'Fast rides', rule_id: 'h', rule_name: 'Fast', fault: 'rule_type' },
  ])
})

test('the facts of a fee list the matches behind it', async () => {
  const found = await readFees('birch-scoot')
  const line = found.lines.find(({ policy_name: name }) => name === 'On leaving')
  const listed = await call(app, city.admin, listFeeFacts, {
    params,
    query: { policy_uuid: line!.policy_uuid!, operator: 'birch-scoot', ...days, size: 300 },
  })
  const matches = found.lines
    .filter(({ policy_name: name }) => name === 'On leaving')
    .reduce((sum, { quantity }) => sum + Number(quantity), 0)
  expect([listed.total, listed.items.length]).toEqual([matches, matches])
  expect(new Set(listed.items.map(({ kind }) => kind))).toEqual(new Set(['rate_match']))
})

test('stored facts of an invoice cost the same, here and offline', async () => {
  const scope = regionScope(city.organizations.alder, region_id)
  const source = new PolicyFees({ ...app, health: app.health.dayCounts })
  const [invoiceId, question] = [
    randomUUID(),
    { regionId: region_id, operator: 'alder-bikes', period: days, now: Date.now() },
  ]
  const stored = await source.storeFacts(scope, invoiceId, question)
  const issued = await source.computeFees(scope, question)
  const again = await source.recompute(scope, invoiceId, question)
  expect(again.lines).toEqual(issued.lines)
  const parts: string[] = []
  for await (const part of await source.readFacts(scope, { regionId: region_id, invoiceId }))
    parts.push(String(part))
  // Parquet has the rows of the CSV, with the same totals.
  const parquet = path.join(app.dataDir, 'facts.parquet')
  expect(await source.writeFacts(scope, { regionId: region_id, invoiceId }, parquet)).toBe(stored.rows)
  const read = await app.facts.rows<{ line: string[] }>(
    systemScope,
    sql`select [policy_uuid, operator, kind, toString(day), fact_id, vehicle_id, vehicle_type, charge, unit, unit_price, toString(numerator), toString(denominator)] as line from file(${bind('String', parquet)})`,
  )
  const csvRows = parts
    .join('')
    .trimEnd()
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(',').filter((_, index) => index !== 7 && index !== 8))
  expect(read.map(({ line }) => line)).toEqual(csvRows)
  const saved = (await call(app, city.viewer, listPolicies, { body: { region_id } })).data
  const zip = new yazl.ZipFile()
  const add = (name: string, value: unknown) => zip.addBuffer(Buffer.from(JSON.stringify(value)), name)
  add('invoice.json', { ...issued, number: 'alder-2026-1', facts: stored })
  add(
    'policies.json',
    saved.map((policy) => ({ policy_uuid: policy.policy_uuid, fields: PolicyFields.parse(policy) })),
  )
  zip.addBuffer(Buffer.from(parts.join('')), 'facts.csv')
  zip.end()
  const file = path.join(app.dataDir, 'rates.zip')
  await pipeline(zip.outputStream, fs.createWriteStream(file))
  expect(await recomputeInvoice(file)).toMatchObject({
    total: issued.total,
    is_equal: true,
    facts_are_unchanged: true,
  })
})
