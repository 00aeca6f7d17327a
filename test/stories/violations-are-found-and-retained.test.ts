import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import {
  type ComplianceRecord,
  getComplianceForPolicy,
  getComplianceSummary,
  listComplianceFacts,
  tryPolicy,
} from '#contract/compliance.ts'
import { hourMs } from '#contract/period.ts'
import { emptyPolicy, type Policy, type PolicyFields } from '#contract/policy.ts'
import { deletePolicy, getKeptPolicy } from '#contract/policies.ts'
import { changeShape, type Shape } from '#contract/geography.ts'
import { regionScope, systemScope } from '#server/identity/scope.ts'
import { refreshDays } from '#server/compliance/days/read-compliance.ts'
import { type VehicleEvent } from '#server/fleet/events/feed-records.ts'
import { LayerMembership } from '#server/geography/membership/layer-membership.ts'
import { DayCounts } from '#server/health/day-counts.ts'
import { publishPolicy } from '#server/policies/publish-policy.ts'
import { savePolicy } from '#server/policies/save-policy.ts'
import { call, openTestApp, readProblem, send, type TestApp } from '../app.ts'
import { makeCity, readShapes, addOperators, storeFleet } from '../city.ts'
import { fleetEvents, plainFleetFacts } from '../city/fleet.ts'
import { holds } from '../city/plain-geometry.ts'

let app: TestApp
let city: Awaited<ReturnType<typeof makeCity>>
let shapes: Shape[]
const region_id = 'alder'
const params = { region_id }
const days = { start_date: '2026-03-06', end_date: '2026-03-11' }
const { parkingEvents, intervals } = plainFleetFacts(fleetEvents, 48)

/** Saves and publishes a policy as of an earlier day. */
async function publish(overrides: Partial<PolicyFields>, on: string): Promise<Policy> {
  const by = { scope: regionScope(city.organizations.alder, region_id), email: 'planner@alder.example' }
  const policy = await savePolicy(app, {
    viewer: by,
    body: { ...emptyPolicy(), region_id, ...overrides },
    at: new Date(on),
  })
  return publishPolicy(app, { viewer: by, body: { policy_uuid: policy.policy_uuid }, at: new Date(on) })
}
const readRecords = (
  policy: Pick<Policy, 'policy_uuid'>,
  overrides: object = {},
): Promise<ComplianceRecord[]> =>
  call(app, city.viewer, getComplianceForPolicy, {
    body: { policy_uuid: policy.policy_uuid, ...days, ...overrides },
  })
const findRecord = (
  found: readonly ComplianceRecord[],
  operator: string,
  date: string,
): ComplianceRecord | undefined =>
  found.find((record) => record.operator === operator && record.date === date)
/** Returns the start of a local day of March 2026 in New York, where the clocks change on the 8th. */
const getMidnight = (day: number): number => Date.UTC(2026, 2, day, day > 8 ? 4 : 5)

beforeAll(async () => {
  app = await openTestApp()
  city = await makeCity(app)
  await addOperators(app, city.admin, ['alder-bikes', 'birch-scoot'])
  await storeFleet(app, city)
  shapes = await readShapes(app, city.viewer, city.layers.districts)
})
afterAll(() => app.close())

describe('a policy against parking', () => {
  let policy: Policy
  let shape: Shape
  /** Counts parking events that begin in the shape on a day. */
  const plain = (operator: string, day: number): number =>
    parkingEvents.filter(
      (rest) =>
        rest.operator === operator &&
        rest.from >= getMidnight(day) &&
        rest.from < getMidnight(day + 1) &&
        holds(shape.geom, [rest.lon, rest.lat]),
    ).length

  /** Parks a vehicle in the shape for an hour. */
  async function parkForAnHour(time: number): Promise<void> {
    const inside = parkingEvents.find(({ lon, lat }) => holds(shape.geom, [lon, lat]))
    const late: VehicleEvent = {
      operator: 'alder-bikes',
      deviceId: randomUUID(),
      eventId: randomUUID(),
      time,
      state: 'available',
      types: ['provider_drop_off'],
      tripIds: [],
      lon: inside?.lon ?? 0,
      lat: inside?.lat ?? 0,
      accuracy: 30,
      battery: NaN,
      published: 0,
    }
    const removed = { state: 'removed', types: ['maintenance_pick_up'] } as const
    await storeFleet(app, city, [
      late,
      { ...late, ...removed, types: [...removed.types], eventId: randomUUID(), time: time + hourMs },
    ])
  }

  beforeAll(async () => {
    const busiest = shapes.toSorted(
      (a, b) =>
        parkingEvents.filter(({ lon, lat }) => holds(b.geom, [lon, lat])).length -
        parkingEvents.filter(({ lon, lat }) => holds(a.geom, [lon, lat])).length,
    )
    shape = busiest[0] as Shape
    policy = await publish(
      {
        policy_type: 'no_parking',
        policy_name: 'No parking',
        shape_layer_uuid: city.layers.districts.shape_layer_uuid,
        shape_uuids: [shape.shape_uuid],
      },
      '2026-01-01T00:00Z',
    )
  })

  it('finds each parking event that begins in its shape, by day and operator', async () => {
    const records = await readRecords(policy)
    expect(records).toHaveLength(6 * 3)
    for (const record of records) {
      const violations = plain(record.operator, Number(record.date.slice(8)))
      expect(record).toMatchObject({
        measure: 'parking_events',
        violations,
        measured: violations,
        status: violations ? 'non_compliant' : 'compliant',
        reason_code: violations ? 'found' : 'none_found',
        shape_uuid: shape.shape_uuid,
        policy_uuid: policy.policy_uuid,
      })
    }
    expect(records.some(({ violations }) => violations > 0)).toBe(true)
    expect(await readRecords(policy, { operators: ['alder-bikes'] })).toEqual(
      records.filter(({ operator }) => operator === 'alder-bikes'),
    )
  })

  it('returns exactly the facts behind the violations', async () => {
    const records = await readRecords(policy)
    const { items, total } = await call(app, city.viewer, listComplianceFacts, {
      params,
      body: { policy_uuid: policy.policy_uuid, ...days, size: 1000 },
    })
    expect(total).toBe(records.reduce((sum, { violations }) => sum + violations, 0))
    expect(items).toHaveLength(total)
    for (const fact of items) expect(holds(shape.geom, [fact.lon, fact.lat])).toBe(true)
    const counted = new Map<string, number>()
    for (const { date, operator } of items)
      counted.set(`${date} ${operator}`, (counted.get(`${date} ${operator}`) ?? 0) + 1)
    for (const record of records)
      expect(counted.get(`${record.date} ${record.operator}`) ?? 0).toBe(record.violations)
    const page = await call(app, city.viewer, listComplianceFacts, {
      params,
      body: { policy_uuid: policy.policy_uuid, ...days, page: 2, size: 5 },
    })
    expect(page.items.map(({ fact_id: id }) => id)).toEqual(items.slice(5, 10).map(({ fact_id: id }) => id))
  })

  it('does not change once derived, except for days with late data', async () => {
    const before = await readRecords(policy)
    const readVersions = async () =>
      new Map(
        (
          await app.state
            .as(systemScope)
            .selectFrom('compliance_day')
            .select(['day', 'version'])
            .where('policy_id', '=', policy.policy_uuid)
            .execute()
        ).map(({ day, version }) => [day, version]),
      )
    const versions = await readVersions()
    expect([...versions.keys()].toSorted()).toEqual([
      '2026-03-06',
      '2026-03-07',
      '2026-03-08',
      '2026-03-09',
      '2026-03-10',
      '2026-03-11',
    ])
    expect(await readRecords(policy)).toEqual(before)
    await parkForAnHour(getMidnight(10) + hourMs)
    const after = await readRecords(policy)
    const day = findRecord(before, 'alder-bikes', '2026-03-10')
    const changed = findRecord(after, 'alder-bikes', '2026-03-10')
    expect((changed?.measured ?? 0) - (day?.measured ?? 0)).toBe(1)
    expect(after.filter(({ date, operator }) => date !== '2026-03-10' || operator !== 'alder-bikes')).toEqual(
      before.filter(({ date, operator }) => date !== '2026-03-10' || operator !== 'alder-bikes'),
    )
    const again = await readVersions()
    // The result may change until the vehicle is lost, two days later, but never before the event.
    expect(
      [...again]
        .filter(([key, version]) => versions.get(key) !== version)
        .map(([key]) => key)
        .toSorted(),
    ).toEqual(['2026-03-10', '2026-03-11'])
  })

  it('uses the shape as published, until it is published again', async () => {
    const before = await readRecords(policy)
    const far =
      shape.geom.type === 'Polygon'
        ? {
            ...shape.geom,
            coordinates: shape.geom.coordinates.map((ring) =>
              ring.map(([x, y]): [number, number] => [x + 5, y]),
            ),
          }
        : shape.geom
    await call(app, city.admin, changeShape, {
      params: { ...params, shape_uuid: shape.shape_uuid },
      body: { geom: far },
    })
    expect(await readRecords(policy)).toEqual(before)
  })

  it('has one summary by operator, as in the specification', async () => {
    const records = await readRecords(policy)
    const { data } = await call(app, city.viewer, getComplianceSummary, {
      params,
      query: { startDate: days.start_date, endDate: days.end_date },
    })
    const summary = data.find(({ policyName }) => policyName === 'No parking')
    expect(summary).toMatchObject({
      policyType: 'no_parking',
      status: 'published',
      constant_policy_uuid: policy.constant_policy_uuid,
    })
    const ownRecords = records.filter(({ operator }) => operator === 'birch-scoot')
    expect(summary?.complianceData['birch-scoot']).toMatchObject({
      daysCount: ownRecords.filter(({ status }) => status === 'non_compliant').length,
      violationCount: ownRecords.reduce((sum, { violations }) => sum + violations, 0),
      violationType: 'parking_events',
    })
  })

  it('has a summary that is labeled if it is minutes old, until its days are measured again', async () => {
    const query = { startDate: days.start_date, endDate: days.end_date }
    const readSummary = () => call(app, city.viewer, getComplianceSummary, { params, query })
    const getViolationsIn = ({ data }: Awaited<ReturnType<typeof readSummary>>) =>
      data.find(({ policyName }) => policyName === 'No parking')?.complianceData['alder-bikes']
        ?.violationCount ?? 0
    const before = await readSummary()
    await parkForAnHour(getMidnight(9) + hourMs)
    const stale = await readSummary()
    expect(stale.data).toEqual(before.data)
    expect(stale.as_of <= before.as_of).toBe(true)
    const measured = await readRecords(policy, { operators: ['alder-bikes'] })
    expect(measured.reduce((sum, { violations }) => sum + violations, 0)).toBe(getViolationsIn(before) + 1)
    expect(getViolationsIn(await readSummary())).toBe(getViolationsIn(before) + 1)
    const compliance = {
      state: app.state,
      facts: app.facts,
      membership: new LayerMembership(app.state, app.facts),
      health: new DayCounts(app.state, app.facts),
    }
    await parkForAnHour(getMidnight(9) + 7_200_000)
    await refreshDays(compliance, new Date('2026-03-15T16:00Z'))
    expect(getViolationsIn(await readSummary())).toBe(getViolationsIn(before) + 2)
  })

  it('is visible only to its own city, and rejects invalid requests', async () => {
    expect(
      readProblem(
        await send(app, city.stranger, getComplianceForPolicy, {
          body: { policy_uuid: policy.policy_uuid, ...days },
        }),
      ).status,
    ).toBe(404)
    expect(
      readProblem(
        await send(app, city.stranger, getComplianceSummary, {
          params,
          query: { startDate: days.start_date, endDate: days.end_date },
        }),
      ).status,
    ).toBe(404)
    expect(
      readProblem(
        await send(app, city.stranger, tryPolicy, { params, body: { policy: emptyPolicy(), ...days } }),
      ).status,
    ).toBe(404)
    expect(
      readProblem(
        await send(app, city.stranger, listComplianceFacts, {
          params,
          body: { policy_uuid: policy.policy_uuid, ...days },
        }),
      ).status,
    ).toBe(404)
    expect(
      readProblem(
        await send(app, city.viewer, getComplianceForPolicy, {
          body: { policy_uuid: policy.policy_uuid, start_date: '2026-03-11', end_date: '2026-03-06' },
        }),
      ).detail,
    ).toContain('before it starts')
    expect(
      readProblem(
        await send(app, city.viewer, getComplianceForPolicy, {
          body: { policy_uuid: policy.policy_uuid, start_date: '2020-03-11', end_date: '2026-03-06' },
        }),
      ).detail,
    ).toContain('366 days')
    expect(
      readProblem(
        await send(app, city.viewer, tryPolicy, {
          params,
          body: { policy: { ...emptyPolicy(), policy_type: 'trip_fees' }, ...days },
        }),
      ).detail,
    ).toContain('not measured')
  })
})

test('a stricter cap applies from its start on, each part of the day with its own limit', async () => {
  const cap = {
    policy_type: 'vehicle_cap',
    policy_name: 'Cap',
    fee_properties: { ...emptyPolicy().fee_properties, vehicle_count_method: 'max' as const },
  }
  const first = await publish({ ...cap, maximum: 100 }, '2026-01-01T00:00Z')
  const by = { scope: regionScope(city.organizations.alder, region_id), email: 'planner@alder.example' }
  const draft = await savePolicy(app, {
    viewer: by,
    body: { ...first, maximum: 0, start_date: null },
    at: new Date('2026-03-09T11:40Z'),
  })
  await publishPolicy(app, {
    viewer: by,
    body: { policy_uuid: draft.policy_uuid },
    at: new Date('2026-03-09T11:40Z'),
  })
  const records = await readRecords(first, { operators: ['alder-bikes'] })
  expect(records.map(({ date, status, maximum }) => [date, status, maximum])).toEqual([
    ['2026-03-06', 'compliant', 100],
    ['2026-03-07', 'compliant', 100],
    ['2026-03-08', 'compliant', 100],
    ['2026-03-09', 'compliant', 100],
    ['2026-03-09', 'non_compliant', 0],
    ['2026-03-10', 'non_compliant', 0],
    ['2026-03-11', 'non_compliant', 0],
  ])
  const most = (day: number): number => {
    let largest = 0
    const ownIntervals = intervals.filter(
      ({ operator, state }) =>
        operator === 'alder-bikes' && !['removed', 'elsewhere', 'missing'].includes(state),
    )
    for (let minute = getMidnight(day); minute < getMidnight(day + 1); minute += 60_000)
      largest = Math.max(
        largest,
        ownIntervals.filter(({ from, to }) => from <= minute && Math.min(to, from + 48 * hourMs) > minute)
          .length,
      )
    return largest
  }
  expect(findRecord(records, 'alder-bikes', '2026-03-06')?.vehicle_count).toBe(most(6))
})

test('a draft shows its results beside the published ones, whether it is saved or not', async () => {
  const policy: PolicyFields = {
    ...emptyPolicy(),
    policy_type: 'operator_drop_offs',
    policy_name: 'Drop-offs',
    shape_layer_uuid: city.layers.districts.shape_layer_uuid,
    minimum: 1,
    start_date: '2030-01-01',
    start_time: '06:00:00',
    end_time: '20:00:00',
  }
  const tried = await call(app, city.viewer, tryPolicy, {
    params,
    body: { policy, ...days, operators: ['alder-bikes'] },
  })
  expect(tried.compared).toBeNull()
  expect(tried.records).toHaveLength(6 * shapes.length)
  expect(new Set(tried.records.map(({ status }) => status)).has('non_compliant')).toBe(true)
  const published = await publish({ ...policy, start_date: null }, '2026-01-01T00:00Z')
  const plainRecord = (record: ComplianceRecord) => ({ ...record, policy_uuid: null })
  expect((await readRecords(published, { operators: ['alder-bikes'] })).map(plainRecord)).toEqual(
    tried.records.map(plainRecord),
  )
  const beside = await call(app, city.viewer, tryPolicy, {
    params,
    body: {
      policy: { ...policy, minimum: 0 },
      ...days,
      operators: ['alder-bikes'],
      compare_with: published.policy_uuid,
    },
  })
  expect(beside.compared?.map(plainRecord)).toEqual(tried.records.map(plainRecord))
  expect(beside.records.some(({ status }) => status === 'non_compliant')).toBe(false)
})

test('a deleted policy retains its past days, and is marked as deleted', async () => {
  const policy = await publish(
    {
      policy_type: 'no_parking',
      policy_name: 'Gone soon',
      shape_layer_uuid: city.layers.districts.shape_layer_uuid,
    },
    '2026-01-01T00:00Z',
  )
  const query = { startDate: days.start_date, endDate: days.end_date }
  const readStoredPolicy = async () =>
    (await call(app, city.viewer, getComplianceSummary, { params, query })).data.find(
      ({ policyName: name }) => name === 'Gone soon',
    )
  const readFacts = async () =>
    (
      await call(app, city.viewer, listComplianceFacts, {
        params,
        body: { policy_uuid: policy.policy_uuid, ...days },
      })
    ).total
  const before = [await readRecords(policy), await readStoredPolicy(), await readFacts()] as const
  expect(before[1]?.is_deleted).toBe(false)
  await call(app, city.admin, deletePolicy, { body: { policy_uuid: policy.policy_uuid } })
  expect(await readRecords(policy)).toEqual(before[0])
  expect(await readStoredPolicy()).toEqual({ ...before[1], status: 'saved', is_deleted: true })
  expect(await readFacts()).toBe(before[2])
  expect((await call(app, city.viewer, getKeptPolicy, { params: policy })).policy).toMatchObject({
    policy_name: 'Gone soon',
    is_deleted: true,
    published_policy_uuid: null,
  })
  expect(readProblem(await send(app, city.stranger, getKeptPolicy, { params: policy })).status).toBe(404)
  expect(
    readProblem(
      await send(app, city.stranger, getComplianceForPolicy, {
        body: { policy_uuid: policy.policy_uuid, ...days },
      }),
    ).status,
  ).toBe(404)
})

test('single trips are visible to users who may edit policies', async () => {
  const policy: PolicyFields = {
    ...emptyPolicy(),
    policy_type: 'no_ride',
    policy_name: 'No riding',
    shape_layer_uuid: city.layers.districts.shape_layer_uuid,
  }
  const march = { start_date: '2026-03-05', end_date: '2026-03-20' }
  const { records: found } = await call(app, city.viewer, tryPolicy, { params, body: { policy, ...march } })
  expect(found.some(({ violations }) => violations > 0)).toBe(true)
  const body = { policy, ...march, size: 5000 }
  expect(readProblem(await send(app, city.viewer, listComplianceFacts, { params, body })).status).toBe(403)
  const { items, total } = await call(app, city.admin, listComplianceFacts, { params, body })
  expect(total).toBe(found.reduce((sum, { measured }) => sum + (measured ?? 0), 0))
  expect(items.every(({ kind, trip_id: id }) => kind === 'trip' && id !== null)).toBe(true)
})
