// Compares imported rules by day with an evaluation at each full minute, for random fleets and rules.
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { MdsRule } from '#contract/mds-policy.ts'
import { PolicyFields } from '#contract/policy.ts'
import type { Region } from '#contract/regions.ts'
import type { DayRule } from '#server/compliance/days/day-rule.ts'
import { makeDayRule } from '#server/compliance/days/make-day-rule.ts'
import { makeDayWindows } from '#server/compliance/days/day-windows.ts'
import { makeMeasureInput, measureDays } from '#server/compliance/days/measure-days.ts'
import { findBreaches } from '#server/compliance/days/rules/find-breaches.ts'
import { LayerMembership } from '#server/geography/membership/layer-membership.ts'
import { regionScope } from '#server/identity/scope.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { State } from '#server/stores/state.ts'
import { type PlainFound, plainRules } from '../compliance/plain-rules.ts'
import { areas, makeShape } from '../compliance/random-days.ts'
import { randomRules } from '../compliance/random-rules.ts'
import { storePlainCity } from './compliance-city.ts'
import { useStores } from './use-stores.ts'
import { storeOrganization } from '../store-region.ts'
import { runOptions } from './run-options.ts'

const shapes = Object.keys(areas).map(makeShape)
const makeImported = (rules: MdsRule[]): PolicyFields =>
  PolicyFields.parse({
    policy_type: 'unknown',
    shape_layer_uuid: randomUUID(),
    imported_mds: {
      rules,
      currency: 'USD',
      provider_ids: [],
      places: shapes.map(({ shape_uuid: shape, name }) => ({
        geography_id: name,
        name,
        shape_uuids: [shape],
      })),
    },
  })
const makeRule = (rules: MdsRule[], from: number): DayRule | null =>
  makeDayRule(
    makeImported(rules),
    shapes.map(({ shape_uuid: shapeId, name, areas: geometries }) => ({ shapeId, name, geometries })),
    { policyId: null, from, until: null },
  )

/** If not each rule has one area, the distance to the border is not well defined. */
const haveOneArea = (rules: readonly MdsRule[]): boolean =>
  rules.every(({ geographies }) => geographies.length === 1)
const toComparable = ({ breaches, short }: PlainFound): object => ({
  short,
  breaches: breaches
    .map(({ rule, device, at, until }) => ({ rule, device, at, until }))
    .toSorted((a, b) => (`${a.rule} ${a.device}` < `${b.rule} ${b.device}` ? -1 : 1)),
})

describe('results of imported rules by day', () => {
  let facts: Facts
  let state: State
  useStores((...opened) => void ([facts, state] = opened))

  it('equal an evaluation at each full minute', async () => {
    const counts = { breaches: 0, near: 0, short: 0, speeding: 0, policies: 0 }
    await fc.assert(
      fc.asyncProperty(randomRules, async ({ city, days, from, policies }) => {
        const [organizationId, regionId] = [randomUUID(), `r-${randomUUID().slice(0, 8)}`]
        await storeOrganization(state, organizationId)
        const scope = regionScope(organizationId, regionId)
        await storePlainCity(facts, scope, regionId, city)
        const engine = { facts, membership: new LayerMembership(state, facts) }
        const region = {
          regionId,
          timezone: city.region.timezone,
          lostAfterHours: city.region.lostAfterHours,
        } as Region
        for (const rules of policies) {
          const rule = makeRule(rules, from)
          if (!rule) continue
          const windows = makeDayWindows(rule, days[0] as string, days[1] as string, city.region.timezone)
          const resultByDay = new Map<string, PlainFound>()
          const request = { scope, region, rule, windows, operators: [], now: city.now }
          await findBreaches(
            await makeMeasureInput(engine, request),
            ({ day, operator, breaches, short }) => {
              resultByDay.set(`${day} ${operator}`, {
                short,
                breaches: breaches.map(({ rule: ruleIndex, deviceId, at, until }) => ({
                  rule: rule.rules[ruleIndex]?.ruleId ?? '',
                  device: deviceId,
                  at,
                  until,
                  isNear: false,
                })),
              })
            },
          )
          const figures = await measureDays(engine, request)
          for (const [day, window] of windows.entries())
            for (const operator of city.operators) {
              const until = Math.min(window.until, city.now)
              const expected =
                until > window.from
                  ? plainRules(city, rules, { operator, from: window.from, until })
                  : { breaches: [], short: 0 }
              const result = resultByDay.get(`${day} ${operator}`) ?? { breaches: [], short: 0 }
              expect({ operator, day, rules, ...toComparable(result) }).toEqual({
                operator,
                day,
                rules,
                ...toComparable(expected),
              })
              const figure = figures[day]?.figures.find((figure) => figure.operator === operator)
              const measured = expected.breaches.length + expected.short
              const near = expected.breaches.filter(({ isNear }) => isNear).length
              expect(figure?.measured ?? 0).toBe(measured)
              expect(figure?.vehicles ?? 0).toBe(new Set(expected.breaches.map(({ device }) => device)).size)
              expect({ rules, near: haveOneArea(rules) ? (figure?.uncertain ?? 0) : near }).toEqual({
                rules,
                near,
              })
              counts.policies++
              counts.breaches += expected.breaches.length
              counts.near += near
              counts.short += expected.short
              counts.speeding += expected.breaches.filter(
                (breach) => rules.find(({ rule_id: id }) => id === breach.rule)?.rule_type === 'speed',
              ).length
            }
        }
      }),
      runOptions('COMPLIANCE', { runs: 2, seed: 2311 }),
    )
    // Ensures that enough was compared.
    for (const count of Object.values(counts)) expect(count).toBeGreaterThan(0)
  }, 1_200_000)
})
