import { expect, it } from 'vitest'
import { offeredActs } from './offered-acts.ts'

it('a viewer only opens', () => {
  expect(offeredActs({ policy_type: 'no_ride', published: true, published_policy_uuid: 'a' }, false)).toEqual(
    ['open'],
  )
})

it('a draft is published, a published one taken out, a draft beside a published one either', () => {
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

it('one that was imported as MDS rules is neither edited nor copied', () => {
  expect(
    offeredActs({ policy_type: 'unknown', published: false, published_policy_uuid: null }, true),
  ).toEqual(['open', 'publish', 'delete'])
})
