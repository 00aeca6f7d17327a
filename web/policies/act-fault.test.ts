import { expect, it } from 'vitest'
import { faultOfAct, hindrance } from './act-fault.ts'

it('an expired policy cannot be published, and an unsaved one cannot be changed', () => {
  expect(hindrance('publish', { policy_uuid: 'a', status: 'expired' })).toBe('expired')
  expect(hindrance('unpublish', { policy_uuid: 'a', status: 'expired' })).toBeNull()
  expect(hindrance('publish', { policy_uuid: 'a', status: 'saved' })).toBeNull()
  expect(hindrance('delete', { policy_uuid: null, status: 'saved' })).toBe('unsaved')
})

it('each action has its own message for a refusal; without a response there is a general one', () => {
  expect(faultOfAct('delete', { status: 409 })).toBe('deleting')
  expect(faultOfAct('delete', { status: 0 })).toBe('deleting')
  expect(faultOfAct('publish', { status: 409 })).toBe('modifying')
  expect(faultOfAct('unpublish', { status: 404 })).toBe('modifying')
  expect(faultOfAct('publish', { status: 0 })).toBe('unable')
  expect(faultOfAct('publish', { status: 500 })).toBe('unable')
})
