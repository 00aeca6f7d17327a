import { describe, expect, it } from 'vitest'
import { testFields, testPolicy } from '#web/policies/ground-for-test.ts'
import { layerId, shapeId } from '#web/geography/shapes-for-test.ts'
import { askedPolicy, whyNotAsked } from './asked-policy.ts'
import { otherRevision } from './other-revision.ts'

describe('what is asked of a draft', () => {
  it('is the same whatever its name, texts and dates', () => {
    const one = askedPolicy(
      testFields({
        policy_name: 'A',
        description: 'a',
        start_date: '2026-01-01',
        messages: { 'en-US': 'a' },
      }),
    )
    expect(one).toEqual(
      askedPolicy(testFields({ policy_name: '', description: null, end_date: '2027-01-01' })),
    )
  })

  it('keeps what decides: type, place, limits, times, who', () => {
    const part = {
      shape_layer_uuid: layerId,
      shape_uuids: [shapeId],
      maximum: 3,
      start_time: '22:00:00',
      days: [5],
      operators: ['glide'],
    }
    expect(askedPolicy(testFields(part))).toMatchObject(part)
  })

  it('is nothing while the policy is not finished, nor of a fee', () => {
    expect(whyNotAsked(testFields({ policy_type: '' }), 'USD')).toBe('unfinished')
    expect(whyNotAsked(testFields({ shape_layer_uuid: null }), 'USD')).toBe('unfinished')
    expect(whyNotAsked(testFields({ shape_layer_uuid: layerId }), 'USD', true)).toBe('unfinished')
    expect(whyNotAsked(testFields({ shape_layer_uuid: layerId, policy_name: '' }), 'USD')).toBeNull()
    expect(whyNotAsked(testFields({ policy_type: 'trip_fees' }), 'USD')).toBe('fee')
  })

  it('is asked of rules as they were imported, where they can be broken', () => {
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
    expect(whyNotAsked(imported('count'), 'USD')).toBeNull()
    expect(whyNotAsked(imported('user'), 'USD')).toBe('unfinished')
    expect(askedPolicy(imported('count')).imported_mds).toEqual(imported('count').imported_mds)
  })
})

it('a draft is compared with what is published, else with what was saved', () => {
  const id = '33333333-ceea-467f-a0e6-7a1d2b3c4d5e'
  expect(otherRevision(null)).toBeNull()
  expect(otherRevision(testPolicy({ published_policy_uuid: id }))).toEqual({ published: id })
  expect(otherRevision(testPolicy({ policy_name: 'Wharf', maximum: 4 }))).toMatchObject({
    saved: { policy_name: 'Wharf', maximum: 4 },
  })
})
