import { expect, it } from 'vitest'
import { offeredActs } from './offered-acts.ts'

it('a viewer can only open a policy', () => {
  expect(offeredActs({ policy_type: 'no_ride', published: true, published_policy_uuid: 'a' }, false)).toEqual(
    ['open'],
  )
})

it('a draft can be published, a published policy unpublished, a published one with a draft both', () => {
  expect(
    offeredActs({ policy_type: 'no_ride', published: false, published_policy_uuid: null }, true),
  ).toEqual(['open', 'edit', 'duplicate', 'publish', 'delete'])
  expect(offeredActs({ policy_type: 'no_ride', published: true, published_policy_uuid: 'a' }, true)).toEqual([
    'open',
    'edit',
    'duplicate',
    'unpublish',
    'delete',
  ])
  expect(offeredActs({ policy_type: 'no_ride', published: false, published_policy_uuid: 'a' }, true)).toEqual(
    ['open', 'edit', 'duplicate', 'publish', 'unpublish', 'discard', 'delete'],
  )
})

it('a policy imported as MDS rules can be neither edited nor copied', () => {
  expect(
    offeredActs({ policy_type: 'unknown', published: false, published_policy_uuid: null }, true),
  ).toEqual(['open', 'publish', 'delete'])
})
