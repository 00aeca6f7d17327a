import { expect, it } from 'vitest'
import { offeredActs } from './offered-acts.ts'

it('a viewer only opens', () => {
  expect(offeredActs({ published: true, published_policy_uuid: 'a' }, false)).toEqual(['open'])
})

it('a draft is published, a published one taken out, a draft beside a published one either', () => {
  expect(offeredActs({ published: false, published_policy_uuid: null }, true)).toEqual(['open', 'edit', 'duplicate', 'publish', 'delete'])
  expect(offeredActs({ published: true, published_policy_uuid: 'a' }, true)).toEqual(['open', 'edit', 'duplicate', 'unpublish', 'delete'])
  expect(offeredActs({ published: false, published_policy_uuid: 'a' }, true)).toEqual(['open', 'edit', 'duplicate', 'publish', 'unpublish', 'delete'])
})
