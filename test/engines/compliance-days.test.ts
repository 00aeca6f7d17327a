// Compares compliance by day with the reference implementation, for random cities, policies and days.
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hourMs } from '#contract/period.ts'
import { PolicyFields } from '#contract/policy.ts'
import type { DayRule } from '#server/compliance/days/day-rule.ts'
import { makeDayRule } from '#server/compliance/days/make-day-rule.ts'
import { type Compliance, readCoverage, findRuleRecords } from '#server/compliance/days/find-records.ts'
import { createRideSpeeds } from '#server/compliance/days/speeds/ride-speeds-product.ts'
import { Derivation } from '#server/derived/derivation.ts'
import { LayerMembership } from '#server/geography/membership/layer-membership.ts'
import { DayCounts } from '#server/health/day-counts.ts'
import { regionScope } from '#server/identity/scope.ts'
import { createRegion } from '#server/regions/save-region.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import type { PlainCity, PlainShape, PlainRevision } from '../compliance/plain-city.ts'
import { plainDays, type PlainRecord } from '../compliance/plain-days.ts'
import { makeId, randomDays } from '../compliance/random-days.ts'
import { storePlainCity } from './compliance-city.ts'
import { useStores } from './use-stores.ts'
import { positions } from '../positions.ts'
import { storeOrganization } from '../store-region.ts'
import { runOptions } from './run-options.ts'

const getKey = ({ date, operator, shape_uuid: shape }: PlainRecord): string => `${date} ${operator} ${shape}`
const roundValue = (value: number | null): number | null =>
  value === null ? null : Number(value.toPrecision(10))

/** Sorts and rounds records, without texts. With gaps, "nothing found" equals "not measured". */
const toComparable = (records: readonly PlainRecord[]): object[] =>
  records
    .map((record) =>
      record.reason_code === 'data_gap'
        ? {
            ...record,
            measured: record.measured ?? 0,
            vehicle_count: record.vehicle_count ?? 0,
            drop_offs_count: record.drop_offs_count ?? 0,
          }
        : record,
    )
    .map(
      ({
        date,
        operator,
        shape_uuid,
        shape_name,
        status,
        vehicle_count,
        drop_offs_count,
        reason_code,
        measure,
        measured,
        minimum,
        maximum,
        unit,
        violations,
        uncertain,
        gap_hours,
        provisional,
        policy_uuid,
      }) => ({
        date,
        operator,
        shape_uuid,
        ...(shape_uuid ? { shape_name } : {}),
        status,
        vehicle_count: roundValue(vehicle_count),
        drop_offs_count,
        reason_code,
        measure,
        measured: roundValue(measured),
        minimum,
        maximum,
        unit,
        violations,
        uncertain,
        gap_hours,
        provisional,
        policy_uuid,
      }),
    )
    .toSorted((a, b) => (getKey(a as PlainRecord) < getKey(b as PlainRecord) ? -1 : 1))

describe('compliance by day', () => {
  let facts: Facts
  let state: State
  useStores((...opened) => void ([facts, state] = opened))

  /** Derives the speeds of all trips up to a moment. */
  const deriveAllSpeeds = (at: number): Promise<void> => {
    const now = (): number => at
    const derivation = new Derivation({
      state,
      nowMs: now,
      log: (line, details) => expect([line, details]).toEqual([]),
    })
    derivation.add(createRideSpeeds({ state, facts, nowMs: now }))
    return derivation.idle()
  }

  async function open(city: PlainCity) {
    const [organizationId, regionId] = [randomUUID(), `r-${randomUUID().slice(0, 8)}`]
    const { timezone, lostAfterHours, operatingHours, countsUncertain } = city.region
    await storeOrganization(state, organizationId)
    const region = {
      ...(await createRegion(state, organizationId, {
        regionId,
        text: 'City',
        lat: 37,
        lon: -75,
        timezone,
        lostAfterHours,
        operatingHours,
      })),
      countsUncertain,
    }
    const scope = regionScope(organizationId, regionId)
    await storePlainCity(facts, scope, regionId, city)
    const compliance: Compliance = {
      state,
      facts,
      membership: new LayerMembership(state, facts),
      health: new DayCounts(state, facts),
    }
    const findRecords = async (rule: DayRule, days: readonly string[], viewer: Scope = scope) => {
      const daysQuery = { first: days[0] as string, last: days.at(-1) as string, operators: [] }
      const coverage = await readCoverage(compliance, { region, rules: [rule], daysQuery, now: city.now })
      const request = { viewer, region, daysQuery, coverage, now: city.now }
      const { records } = await findRuleRecords(compliance, rule, request)
      return records
    }
    return {
      scope,
      findRecords,
      async findRevisionRecords(revision: PlainRevision, days: readonly string[]) {
        const rule = makeRule(revision)
        return rule ? findRecords(rule, days) : []
      },
    }
  }

  const makeRule = ({ policy, shapes, from, until }: PlainRevision): DayRule | null =>
    makeDayRule(
      policy,
      shapes.map(({ shape_uuid: shapeId, name, areas }) => ({ shapeId, name, geometries: areas })),
      { policyId: null, from, until },
    )

  it('equals a plain evaluation for any facts, shapes and rules', async () => {
    const reasons = new Map<string, number>()
    await fc.assert(
      fc.asyncProperty(randomDays, async ({ city, revisions, days }) => {
        const opened = await open(city)
        for (const revision of revisions) {
          const expected = plainDays(city, { ...revision, policy_uuid: null }, days)
          const found = await opened.findRevisionRecords(revision, days)
          expect({ policy: revision.policy, found: toComparable(found) }).toEqual({
            policy: revision.policy,
            found: toComparable(expected),
          })
          for (const { measure, reason_code: code } of expected)
            reasons.set(`${measure} ${code}`, (reasons.get(`${measure} ${code}`) ?? 0) + 1)
        }
        await deriveAllSpeeds(city.now)
        for (const revision of revisions.filter(({ policy }) => policy.policy_type === 'slow_ride'))
          expect(toComparable(await opened.findRevisionRecords(revision, days))).toEqual(
            toComparable(plainDays(city, { ...revision, policy_uuid: null }, days)),
          )
      }),
      runOptions('COMPLIANCE', { runs: 2, seed: 777 }),
    )
    // Ensures that enough was compared.
    expect(reasons.size).toBeGreaterThan(10)
  }, 1_200_000)

  /** Makes a city with one registered vehicle that has one event at noon of some days. */
  const makeQuietCity = (
    timezone: string,
    noons: readonly number[],
    now: number,
    overrides: Partial<PlainCity> = {},
  ): PlainCity => ({
    region: {
      timezone,
      lostAfterHours: 48,
      operatingHours: { from: '06:00', until: '22:00' },
      countsUncertain: false,
    },
    operators: ['one'],
    now,
    vehicles: [{ operator: 'one', device: makeId(1, 1), type: 'bicycle', propulsion: [] }],
    intervals: [],
    parkingEvents: [],
    trips: [],
    points: [],
    events: noons.map((noon, n) => ({
      operator: 'one',
      device: makeId(1, 9),
      id: makeId(2, n + 1),
      time: noon,
      state: 'removed',
      types: ['maintenance_pick_up'],
      lon: NaN,
      lat: NaN,
    })),
    ...overrides,
  })
  const makeRevision = (fields: object, shapes: readonly PlainShape[] = []): PlainRevision => ({
    policy_uuid: null,
    policy: PolicyFields.parse(fields),
    shapes: [...shapes],
    from: 0,
    until: null,
  })

  it.each([
    ['2026-03-08', Date.UTC(2026, 2, 8, 5), 23],
    ['2026-11-01', Date.UTC(2026, 10, 1, 4), 25],
  ])('a day has as many hours as its clock: %s', async (day, midnight, hours) => {
    const interval = {
      operator: 'one',
      device: makeId(1, 1),
      type: 'bicycle' as const,
      from: midnight,
      to: midnight + 6 * hourMs,
      state: 'available' as const,
      lon: -75,
      lat: 37,
    }
    const city = makeQuietCity('America/New_York', [midnight + 12 * hourMs], midnight + 90 * hourMs, {
      intervals: [interval],
    })
    const cap = makeRevision({
      policy_type: 'vehicle_cap',
      maximum: 1,
      fee_properties: { vehicle_count_method: 'avg' },
    })
    const [record] = await (await open(city)).findRevisionRecords(cap, [day])
    expect(record).toMatchObject({ date: day, operator: 'one', status: 'compliant', reason_code: 'within' })
    expect(record?.measured).toBeCloseTo(6 / hours, 8)
    expect(plainDays(city, cap, [day])[0]?.measured).toBeCloseTo(6 / hours, 8)
  })

  it('buffers points by 20 m and lines by 10 m, for users who may see the operator', async () => {
    const noon = Date.UTC(2026, 6, 4, 12)
    const meter = 1 / 111_000
    const makeParking = (n: number, east: number, north: number) => ({
      operator: n % 2 ? 'one' : 'two',
      device: makeId(1, n),
      type: 'other' as const,
      from: noon + n * 60_000,
      to: noon + hourMs,
      lon: 10 + east * meter,
      lat: north * meter,
      accuracy: NaN,
    })
    const city = makeQuietCity('UTC', [noon], noon + 24 * hourMs, {
      operators: ['one', 'two'],
      parkingEvents: [
        makeParking(1, 0, 18),
        makeParking(2, 18, 0),
        makeParking(3, 0, -22),
        makeParking(4, 300, 8),
        makeParking(5, 300, 12),
      ],
    })
    const opened = await open({
      ...city,
      events: [
        ...city.events,
        ...city.events.map((event) => ({ ...event, operator: 'two', id: makeId(2, 99) })),
      ],
    })
    const policy = PolicyFields.parse({ policy_type: 'no_parking', shape_layer_uuid: makeId(6, 1) })
    const rule = makeDayRule(
      policy,
      [
        { shapeId: makeId(5, 1), name: 'Point', geometries: [{ type: 'Point', coordinates: [10, 0] }] },
        {
          shapeId: makeId(5, 2),
          name: 'Line',
          geometries: [
            {
              type: 'LineString',
              coordinates: [
                [10 + 200 * meter, 0],
                [10 + 400 * meter, 0],
              ],
            },
          ],
        },
      ],
      { policyId: null, from: 0, until: null },
    ) as DayRule
    const listRecords = async (viewer: Scope) =>
      (await opened.findRecords(rule, ['2026-07-04'], viewer)).map(
        ({ operator, shape_name: name, violations, status }) => `${operator} ${name} ${violations} ${status}`,
      )
    expect(await listRecords(opened.scope)).toEqual([
      'one Point 1 non_compliant',
      'one Line 0 compliant',
      'two Point 1 non_compliant',
      'two Line 1 non_compliant',
    ])
    expect(await listRecords({ ...opened.scope, operators: ['two'] })).toEqual([
      'two Point 1 non_compliant',
      'two Line 1 non_compliant',
    ])
  })

  it('follows local time on clock changes', async () => {
    // 01:30 to 02:30 is 1.5 hours if 02:00 becomes 01:30, and half an hour if it becomes 02:30.
    const [autumn, spring] = [Date.UTC(2026, 3, 4, 13), Date.UTC(2026, 9, 3, 13, 30)]
    const intervals = [autumn, spring].map((midnight) => ({
      operator: 'one',
      device: makeId(1, 1),
      type: 'bicycle' as const,
      from: midnight,
      to: midnight + 2 * hourMs,
      state: 'available' as const,
      lon: 10.5,
      lat: 0.5,
    }))
    const city = makeQuietCity(
      'Australia/Lord_Howe',
      [autumn + 12 * hourMs, spring + 12 * hourMs],
      Date.UTC(2026, 11, 1),
      { intervals },
    )
    const shape: PlainShape = {
      shape_uuid: makeId(5, 1),
      name: 'All',
      areas: [{ type: 'Polygon', coordinates: [positions('10 0, 11 0, 11 1, 10 1, 10 0')] }],
    }
    const rule = makeRevision(
      {
        policy_type: 'distribution',
        allocation: 'vehicles_per_operator_per_shape',
        shape_layer_uuid: makeId(6, 1),
        maximum: 3,
        start_time: '01:30:00',
        end_time: '02:30:00',
      },
      [shape],
    )
    const opened = await open(city)
    for (const [day, share] of [
      ['2026-04-05', 0.5 / 1.5],
      ['2026-10-04', 1],
    ] as const) {
      expect([day, roundValue((await opened.findRevisionRecords(rule, [day]))[0]?.measured ?? null)]).toEqual(
        [day, roundValue(Math.round(share * 1e9) / 1e9)],
      )
      expect(plainDays(city, rule, [day])[0]?.measured).toBeCloseTo(share, 8)
    }
  })
})
