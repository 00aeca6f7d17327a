import { expect, it } from 'vitest'
import { emptyPolicy, type Policy } from '#contract/policy.ts'
import { readTargets } from './use-targets.ts'

const layer = '6f1b1d1e-0000-4000-8000-000000000001'
const policy = (overrides: Partial<Policy>): Policy => ({
  ...emptyPolicy(),
  policy_uuid: '',
  constant_policy_uuid: '',
  region_id: '',
  published: true,
  published_time: null,
  created_by_email: null,
  created_time: '',
  modified_time: '',
  modified_by_email: null,
  status: 'published',
  policy_name: 'Share',
  shape_layer_uuid: layer,
  minimum: 5,
  ...overrides,
})

it('applies a policy to its shapes, or to all of the layer', () => {
  const targets = readTargets(
    [
      policy({ shape_uuids: ['a'], allocation: 'percent_vehicles_per_operator_per_shape' }),
      policy({ policy_name: 'Cap', minimum: null, maximum: 40 }),
    ],
    layer,
    ['a', 'b'],
  )
  expect(targets.get('a')).toEqual([
    { policyName: 'Share', minimum: 5, maximum: null, isShare: true },
    { policyName: 'Cap', minimum: null, maximum: 40, isShare: false },
  ])
  expect(targets.get('b')?.map(({ policyName }) => policyName)).toEqual(['Cap'])
})

it('ignores policies of other layers, without bounds, or unpublished', () => {
  const targets = readTargets(
    [
      policy({ shape_layer_uuid: '6f1b1d1e-0000-4000-8000-000000000002' }),
      policy({ minimum: null }),
      policy({ published: false }),
    ],
    layer,
    ['a'],
  )
  expect(targets.size).toBe(0)
})
