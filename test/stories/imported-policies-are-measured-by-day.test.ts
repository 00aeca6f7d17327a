import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type ComplianceRecord,
  getComplianceForPolicy,
  getComplianceSummary,
  listComplianceFacts,
  tryPolicy,
} from '#contract/compliance.ts'
import { type Shape } from '#contract/geography.ts'
import { createOperator } from '#contract/managed-operators.ts'
import { hourMs, minuteMs } from '#contract/period.ts'
import { listPolicies } from '#contract/policies.ts'
import { PolicyFields } from '#contract/policy.ts'
import { importPolicies, type ImportSource, previewPolicyImport } from '#contract/policy-import.ts'
import { regionScope, systemScope } from '#server/identity/scope.ts'
import { type VehicleEvent } from '#server/fleet/events/feed-records.ts'
import { publishPolicy } from '#server/policies/publish-policy.ts'
import { call, openTestApp, readProblem, send, type TestApp } from '../app.ts'
import { makeCity, readShapes, storeFleet } from '../city.ts'
import { fleetEvents, plainFleetFacts } from '../city/fleet.ts'
import { plainIntervals } from '../city/plain-fleet.ts'
import { holds } from '../city/plain-geometry.ts'

let app: TestApp
let city: Awaited<ReturnType<typeof makeCity>>
let shape: Shape
const region_id = 'alder'
const params = { region_id }
const days = { start_date: '2026-03-06', end_date: '2026-03-11' }
const [bikes, nobody] = ['5f7114d1-4091-46ee-b492-e55875f7de01', '5f7114d1-4091-46ee-b492-e55875f7de99']
/** Returns the start of a local day of March 2026 in New York, where the clocks change on the 8th. */
const getMidnight = (day: number): number => Date.UTC(2026, 2, day, day > 8 ? 4 : 5)

/** Policies that match no policy type of ours. */
const makeSource = (): ImportSource => ({
  file_name: 'agency.json',
  policies: {
    version: '2.0.0',
    data: {
      policies: [
        {
          policy_id: 'ban',
          name: 'Nothing available here',
          description: '',
          start_date: Date.UTC(2026, 0, 1),
          provider_ids: [bikes],
          rules: [
            {
              rule_id: 'a',
              name: 'Available',
              rule_type: 'count',
              rule_units: 'devices',
              geographies: ['g'],
              states: { available: [] },
              maximum: 0,
            },
            {
              rule_id: 'b',
              name: 'Reserved',
              rule_type: 'time',
              rule_units: 'minutes',
              geographies: ['g'],
              states: { reserved: [] },
              maximum: 5,
            },
          ],
        },
        {
          policy_id: 'other',
          name: 'For nobody here',
          description: '',
          start_date: Date.UTC(2026, 0, 1),
          provider_ids: [nobody],
          rules: [
            {
              rule_id: 'c',
              name: 'c',
              rule_type: 'count',
              rule_units: 'devices',
              geographies: ['g'],
              maximum: 0,
              minimum: 0,
            },
          ],
        },
        {
          policy_id: 'words',
          name: 'Words only',
          description: '',
          start_date: Date.UTC(2026, 0, 1),
          rules: [{ rule_id: 'd', name: 'd', rule_type: 'user', geographies: ['g'] }],
        },
        {
          policy_id: 'slow',
          name: 'Slowly at night',
          description: '',
          start_date: Date.UTC(2026, 0, 1),
          rules: [
            {
              rule_id: 'e',
              name: 'e',
              rule_type: 'speed',
              rule_units: 'mph',
              geographies: ['g'],
              maximum: 5,
              minimum: 1,
            },
          ],
        },
      ],
    },
  },
  geographies: {
    version: '2.0.0',
    data: {
      geographies: [
        {
          geography_id: 'g',
          name: 'Old town',
          geography_json: {
            type: 'FeatureCollection',
            features: [{ type: 'Feature', properties: {}, geometry: shape.geom }],
          },
        },
      ],
    },
  },
})

const findPolicy = async (name: string) => {
  const found = (await call(app, city.viewer, listPolicies, { body: { region_id } })).data.find(
    ({ policy_name: own }) => own === name,
  )
  if (!found) throw new Error(`There is no policy ${name}`)
  return found
}
const readRecords = async (name: string): Promise<ComplianceRecord[]> =>
  call(app, city.viewer, getComplianceForPolicy, {
    body: { policy_uuid: (await findPolicy(name)).policy_uuid, ...days },
  })

/** Finds bikes in the shape at a full minute of a day that were available, or reserved for more than five minutes. */
function findViolationsPlainly(events: readonly VehicleEvent[], day: number): Set<string> {
  const eventsById = new Map(events.map((event) => [event.eventId, event]))
  const broken = new Set<string>()
  for (const { event: id, from, to, state } of plainIntervals(events)) {
    const event = eventsById.get(id) as VehicleEvent
    if (
      event.operator !== 'alder-bikes' ||
      Number.isNaN(event.lon) ||
      !holds(shape.geom, [event.lon, event.lat])
    )
      continue
    const begins = state === 'available' ? from : state === 'reserved' ? from + 5 * minuteMs + 1 : Infinity
    const first = Math.ceil(Math.max(begins, getMidnight(day)) / minuteMs) * minuteMs
    if (first < Math.min(to, from + 48 * hourMs, getMidnight(day + 1)))
      broken.add(`${event.deviceId} ${state}`)
  }
  return broken
}

beforeAll(async () => {
  app = await openTestApp()
  city = await makeCity(app)
  for (const [slug, providerId] of [
    ['alder-bikes', bikes],
    ['birch-scoot', null],
  ] as const)
    await call(app, city.admin, createOperator, {
      body: { slug, name: slug, colorHex: '#123456', providerId },
    })
  await storeFleet(app, city)
  const { parkingEvents } = plainFleetFacts(fleetEvents, 48)
  const shapes = await readShapes(app, city.viewer, city.layers.districts)
  shape = shapes.toSorted(
    (a, b) =>
      parkingEvents.filter(({ lon, lat }) => holds(b.geom, [lon, lat])).length -
      parkingEvents.filter(({ lon, lat }) => holds(a.geom, [lon, lat])).length,
  )[0] as Shape
  const { digest, policies } = await call(app, city.admin, previewPolicyImport, {
    body: { region_id, source: makeSource() },
  })
  expect(policies.map(({ policy_type: type, faults }) => [type, faults.length])).toEqual([
    [null, 0],
    [null, 0],
    [null, 0],
    [null, 0],
  ])
  await call(app, city.admin, importPolicies, {
    body: {
      region_id,
      source: makeSource(),
      digest,
      agency_name: 'City of Birch',
      policy_ids: policies.map(({ policy_id: id }) => id),
    },
  })
})
afterAll(() => app.close())

test('a published policy has the results of its trial: each vehicle that violates a rule on a day', async () => {
  const draft = await findPolicy('Nothing available here')
  const tried = await call(app, city.viewer, tryPolicy, {
    params,
    body: { policy: PolicyFields.parse(draft), ...days },
  })
  await publishPolicy(app, {
    viewer: { scope: regionScope(city.organizations.alder, region_id), email: 'planner@alder.example' },
    body: { policy_uuid: draft.policy_uuid },
    at: new Date('2026-01-02T00:00Z'),
  })
  const found = await readRecords('Nothing available here')
  expect(found.map(({ date, operator }) => `${date} ${operator}`)).toEqual(
    [6, 7, 8, 9, 10, 11].map((day) => `2026-03-${String(day).padStart(2, '0')} alder-bikes`),
  )
  for (const record of found) {
    const broken = findViolationsPlainly(fleetEvents, Number(record.date.slice(8)))
    expect(record).toMatchObject({
      measure: 'rule_violations',
      violations: broken.size,
      measured: broken.size,
      vehicle_count: new Set([...broken].map((key) => key.split(' ')[0])).size,
      uncertain: 0,
      shape_uuid: null,
      status: broken.size ? 'non_compliant' : 'compliant',
      reason_code: broken.size ? 'found' : 'none_found',
    })
  }
  const broken = found.filter(({ violations }) => violations > 0)
  expect(broken.length).toBeGreaterThan(1)
  for (const { reason } of broken) expect(reason).toMatch(/^\d+ violations? of the rules\./)
  const plain = (record: ComplianceRecord) => ({ ...record, policy_uuid: null })
  expect(tried.records.map(plain)).toEqual(found.map(plain))
})

test('the summary includes an imported policy like others, and the facts list each vehicle with its times', async () => {
  const policy = await findPolicy('Nothing available here')
  const found = await readRecords('Nothing available here')
  const total = found.reduce((sum, { violations }) => sum + violations, 0)
  const { data } = await call(app, city.viewer, getComplianceSummary, {
    params,
    query: { startDate: days.start_date, endDate: days.end_date },
  })
  expect(data.find(({ policyName }) => policyName === 'Nothing available here')).toMatchObject({
    policyType: 'unknown',
    complianceData: { 'alder-bikes': { violationCount: total, violationType: 'rule_violations' } },
  })
  const listFacts = (overrides: object = {}) =>
    call(app, city.viewer, listComplianceFacts, {
      params,
      body: { policy_uuid: policy.policy_uuid, ...days, size: 1000, ...overrides },
    })
  const facts = await listFacts()
  expect(facts.total).toBe(total)
  expect(new Set(facts.items.map(({ fact_id: id, date }) => `${id} ${date}`)).size).toBe(total)
  for (const record of found) {
    const broken = findViolationsPlainly(fleetEvents, Number(record.date.slice(8)))
    const own = facts.items.filter(({ date }) => date === record.date)
    expect(
      own
        .map(
          ({ device_id: id, shape_name: name }) =>
            `${id} ${name === 'Available: Old town' ? 'available' : name === 'Reserved: Old town' ? 'reserved' : name}`,
        )
        .toSorted(),
    ).toEqual([...broken].toSorted())
    for (const { kind, lon, lat, from_time: from, until_time: until, value, is_violation: breaks } of own) {
      expect({ kind, breaks, isInside: holds(shape.geom, [lon, lat]) }).toEqual({
        kind: 'interval',
        breaks: true,
        isInside: true,
      })
      expect(value).toBeCloseTo((Date.parse(until ?? '') - Date.parse(from)) / minuteMs, 6)
    }
  }
  const [violation] = facts.items
  expect((await listFacts({ shape_uuids: [violation?.shape_uuid] })).total).toBe(total)
  expect((await listFacts({ shape_uuids: [randomUUID()] })).total).toBe(0)
  expect((await listFacts({ size: 3, page: 2 })).items.map(({ fact_id: id }) => id)).toEqual(
    facts.items.slice(3, 6).map(({ fact_id: id }) => id),
  )
  expect((await listFacts({ operators: ['birch-scoot'] })).total).toBe(0)
})

test('days of an imported policy are stored, and derived again after late data for the days on which a vehicle was present', async () => {
  const readVersions = async () => {
    const { policy_uuid: id } = await findPolicy('Nothing available here')
    return new Map(
      (
        await app.state
          .as(systemScope)
          .selectFrom('compliance_day')
          .select(['day', 'version'])
          .where('policy_id', '=', id)
          .execute()
      ).map(({ day, version }) => [day, version]),
    )
  }
  const before = await readRecords('Nothing available here')
  const versions = await readVersions()
  expect([...versions.keys()].toSorted()).toEqual(before.map(({ date }) => date))
  const inside = fleetEvents.find(
    ({ lon, lat }) => !Number.isNaN(lon) && holds(shape.geom, [lon, lat]),
  ) as VehicleEvent
  const late: VehicleEvent = {
    ...inside,
    operator: 'alder-bikes',
    deviceId: randomUUID(),
    eventId: randomUUID(),
    time: getMidnight(10) + 23 * hourMs,
    state: 'available',
    types: ['provider_drop_off'],
  }
  await storeFleet(app, city, [
    late,
    {
      ...late,
      eventId: randomUUID(),
      time: late.time + 3 * hourMs,
      state: 'removed',
      types: ['maintenance_pick_up'],
    },
  ])
  const after = await readRecords('Nothing available here')
  const differences = after.map(({ date, violations }, index) => [
    date.slice(8),
    violations - (before[index]?.violations ?? 0),
  ])
  expect(differences).toEqual([
    ['06', 0],
    ['07', 0],
    ['08', 0],
    ['09', 0],
    ['10', 1],
    ['11', 1],
  ])
  const again = await readVersions()
  expect([...again].filter(([day, version]) => versions.get(day) !== version).map(([day]) => day)).toContain(
    '2026-03-10',
  )
})

test('policies for other operators or without limits are not measured; single trips are for users who edit policies', async () => {
  for (const name of ['For nobody here', 'Words only']) {
    const policy = PolicyFields.parse(await findPolicy(name))
    expect(
      readProblem(await send(app, city.viewer, tryPolicy, { params, body: { policy, ...days } })).detail,
    ).toContain('not measured')
  }
  const policy = PolicyFields.parse(await findPolicy('Slowly at night'))
  expect(
    readProblem(await send(app, city.viewer, listComplianceFacts, { params, body: { policy, ...days } }))
      .status,
  ).toBe(403)
  expect(
    (await call(app, city.admin, listComplianceFacts, { params, body: { policy, ...days } })).total,
  ).toBe(0)
})
