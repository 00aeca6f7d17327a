import { expect, test } from 'vitest'
import { validatePolicy } from '#contract/policy-types/validate-policy.ts'
import { findPolicyType } from '#contract/policy-types/list.ts'
import { citywide, emptyPolicy } from '#contract/policy.ts'
import { findLayer } from '../test/demo/layer-named.ts'
import { demoRegionId } from './demo-region.ts'
import { loadCity } from './load-city.ts'
import { demoPolicies } from './policies.ts'

const layerId = '00000000-0000-4000-8000-000000000001'
const getExamplePlace = (where: (typeof demoPolicies)[number]['where']) =>
  where === null ? {} : { shape_layer_uuid: where.layer === citywide ? citywide : layerId }

test.each(demoPolicies.map((policy) => [policy.fields.policy_name ?? '', policy] as const))(
  '%s is valid in each revision',
  (_, { fields, where, nextRevision }) => {
    const first = { ...emptyPolicy(), ...fields, ...getExamplePlace(where) }
    for (const policy of [first, { ...first, ...nextRevision?.fields }])
      expect(validatePolicy(policy, { currency: 'USD' })).toEqual({})
    expect(findPolicyType(first.policy_type)?.place === 'region').toBe(where === null)
  },
)

test('Revisions are in order, and none is published before the history begins', () => {
  for (const { daysAgo, nextRevision } of demoPolicies) {
    expect(daysAgo ?? 0).toBeLessThan(365)
    expect(nextRevision?.daysAgo ?? -1).toBeLessThan(daysAgo ?? Infinity)
  }
})

test('Revisions apply to shapes of the demo city', () => {
  const city = loadCity()
  for (const { where } of demoPolicies) {
    if (where === null || where.layer === citywide) continue
    const names = findLayer(city, where.layer).map(({ properties }) => properties.name)
    for (const shape of where.shapes) expect(names).toContain(shape)
  }
  expect(demoRegionId).toBe('port-meridian')
})
