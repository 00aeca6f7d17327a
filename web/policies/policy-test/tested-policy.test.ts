import { describe, expect, it } from 'vitest'
import type { PolicyFields } from '#contract/policy.ts'
import { testFields, testPolicy } from '../test-policy.ts'
import { layerId, shapeId } from '#web/map-page/test-geography.ts'
import { toTestedPolicy, findTestObstacle } from './tested-policy.ts'
import { otherRevision } from './other-revision.ts'

describe('toTestedPolicy', () => {
  it('is the same for any name, text and dates', () => {
    const one = toTestedPolicy(
      testFields({
        policy_name: 'A',
        description: 'a',
        start_date: '2026-01-01',
        messages: { 'en-US': 'a' },
      }),
    )
    expect(one).toEqual(
      toTestedPolicy(testFields({ policy_name: '', description: null, end_date: '2027-01-01' })),
    )
  })

  it('contains type, shapes, limits, times and vehicles', () => {
    const part = {
      shape_layer_uuid: layerId,
      shape_uuids: [shapeId],
      maximum: 3,
      start_time: '22:00:00',
      days: [5],
      operators: ['glide'],
    }
    expect(toTestedPolicy(testFields(part))).toMatchObject(part)
  })

  it('is null for an unfinished policy or a fee', () => {
    expect(findTestObstacle(testFields({ policy_type: '' }), 'USD')).toBe('unfinished')
    expect(findTestObstacle(testFields({ shape_layer_uuid: null }), 'USD')).toBe('unfinished')
    expect(findTestObstacle(testFields({ shape_layer_uuid: layerId }), 'USD', true)).toBe('unfinished')
    expect(findTestObstacle(testFields({ shape_layer_uuid: layerId, policy_name: '' }), 'USD')).toBeNull()
    expect(findTestObstacle(testFields({ policy_type: 'trip_fees' }), 'USD')).toBe('fee')
  })

  it('can have imported rules with limits', () => {
    const imported = (rule_type: string) =>
      testFields({
        policy_type: 'unknown',
        imported_mds: {
          rules: [{ name: 'r', rule_id: 'r', rule_type, maximum: 1, geographies: ['g'] }],
          currency: 'USD',
          provider_ids: [],
          places: [],
        },
      })
    expect(findTestObstacle(imported('count'), 'USD')).toBeNull()
    expect(findTestObstacle(imported('user'), 'USD')).toBe('unfinished')
    expect(toTestedPolicy(imported('count')).imported_mds).toEqual(imported('count').imported_mds)
  })
})

it('a draft is compared with the published revision, else with the saved one, but never with itself', () => {
  const id = '33333333-ceea-467f-a0e6-7a1d2b3c4d5e'
  const fields = (overrides: Partial<PolicyFields> = {}) =>
    testFields({ shape_layer_uuid: layerId, ...overrides })
  const changed = fields({ maximum: 5 })
  expect(otherRevision(null, changed)).toBeNull()
  const draft = testPolicy({ published_policy_uuid: id })
  for (const tried of [changed, fields()]) expect(otherRevision(draft, tried)).toEqual({ published: id })
  const published = { ...testPolicy(), published_policy_uuid: testPolicy().policy_uuid }
  const saved = testPolicy({ policy_name: 'Wharf', maximum: 4 })
  expect(otherRevision(published, changed)).toEqual({ published: published.policy_uuid })
  expect(otherRevision(saved, changed)).toMatchObject({ saved: { policy_name: 'Wharf', maximum: 4 } })
  expect(otherRevision(published, fields({ policy_name: 'Pier' }))).toBeNull()
  expect(otherRevision(saved, fields({ maximum: 4 }))).toBeNull()
  const inShapes = testPolicy({ shape_uuids: [id, shapeId] })
  expect(otherRevision(inShapes, fields({ shape_uuids: [shapeId, id] }))).toBeNull()
  expect(otherRevision(inShapes, fields({ shape_uuids: [id] }))).not.toBeNull()
})
