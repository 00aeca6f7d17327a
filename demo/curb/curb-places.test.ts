import { expect, test } from 'vitest'
import type { CdsPolicyContent } from '#contract/cds.ts'
import { makeSmallCity } from '../small-city.ts'
import { planCurb } from '../store-demo-curb.ts'
import { makePlace } from './curb-places.ts'

test('The demo generates traffic on cleaned streets, but not where stopping is otherwise prohibited', () => {
  const city = makeSmallCity()
  const edges = city.streets.edges.map((edge, index) =>
    index % 2 ? edge : { ...edge, class: 'arterial' as const },
  )
  const metered = planCurb({ ...city, streets: { ...city.streets, edges } }, 5).after.flatMap(
    ({ zone, policies }) => {
      const hasPolicy = (name: string) => policies.some((policy) => policy.name?.startsWith(name))
      if (!hasPolicy('Paid parking')) return []
      const row = {
        zoneId: '',
        label: zone.user_zone_id ?? '',
        streetName: '',
        geometry: zone.geometry,
        capacity: 5,
      }
      const findPlace = (inForce: readonly CdsPolicyContent[]) =>
        makePlace(row, [{ from: 0, policies: inForce }], city)
      // In data of earlier versions.
      const cleanedBefore = policies.map((policy) =>
        policy.name === 'Street cleaning'
          ? { ...policy, rules: [{ activity: 'no parking' as const }] }
          : policy,
      )
      return [
        {
          isCleaned: hasPolicy('Street cleaning'),
          hasRush: hasPolicy('Evening rush hour'),
          place: findPlace(policies),
          placeBefore: findPlace(cleanedBefore),
        },
      ]
    },
  )
  const rush = metered.filter(({ hasRush }) => hasRush)
  expect(rush.length).toBeGreaterThan(10)
  expect(rush.every(({ place }) => place === null)).toBe(true)
  const cleaned = metered.filter(({ isCleaned, hasRush }) => isCleaned && !hasRush)
  expect(cleaned.length).toBeGreaterThan(10)
  for (const { place, placeBefore } of cleaned) {
    expect(place).toMatchObject({ use: 'meter', isCleaned: true })
    expect(placeBefore).toEqual(place)
  }
})

test('The demo prohibits stopping while streets are cleaned', () => {
  const rules = planCurb(makeSmallCity(), 5).after.flatMap(({ policies }) =>
    policies.flatMap(({ name, rules: found }) => (name === 'Street cleaning' ? found : [])),
  )
  expect(new Set(rules.map(({ activity }) => activity))).toEqual(new Set(['no stopping']))
})
