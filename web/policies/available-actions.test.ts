import { expect, it } from 'vitest'
import { availableActions } from './available-actions.ts'

it('a viewer can only open a policy', () => {
  expect(
    availableActions({ policy_type: 'no_ride', published: true, published_policy_uuid: 'a' }, false),
  ).toEqual(['open'])
})

it('a draft can be published, a published policy unpublished, a published one with a draft both', () => {
  expect(
    availableActions({ policy_type: 'no_ride', published: false, published_policy_uuid: null }, true),
  ).toEqual(['open', 'edit', 'duplicate', 'publish', 'delete'])
  expect(
    availableActions({ policy_type: 'no_ride', published: true, published_policy_uuid: 'a' }, true),
  ).toEqual(['open', 'edit', 'duplicate', 'unpublish', 'delete'])
  expect(
    availableActions({ policy_type: 'no_ride', published: false, published_policy_uuid: 'a' }, true),
  ).toEqual(['open', 'edit', 'duplicate', 'publish', 'unpublish', 'discard', 'delete'])
})

it('a policy imported as MDS rules can be neither edited nor copied', () => {
  expect(
    availableActions({ policy_type: 'unknown', published: false, published_policy_uuid: null }, true),
  ).toEqual(['open', 'publish', 'delete'])
})
