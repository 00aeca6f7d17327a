import { expect, it } from 'vitest'
import { faultOfAct, hindrance } from './act-fault.ts'

it('an expired policy cannot be published, and one that was never saved cannot be modified', () => {
  expect(hindrance('publish', { policy_uuid: 'a', status: 'expired' })).toBe('expired')
  expect(hindrance('unpublish', { policy_uuid: 'a', status: 'expired' })).toBeNull()
  expect(hindrance('publish', { policy_uuid: 'a', status: 'saved' })).toBeNull()
  expect(hindrance('delete', { policy_uuid: null, status: 'saved' })).toBe('unsaved')
})

it('a refusal has the modal of its act; no answer has another', () => {
  expect(faultOfAct('delete', { status: 409 })).toBe('deleting')
  expect(faultOfAct('delete', { status: 0 })).toBe('deleting')
  expect(faultOfAct('publish', { status: 409 })).toBe('modifying')
  expect(faultOfAct('unpublish', { status: 404 })).toBe('modifying')
  expect(faultOfAct('publish', { status: 0 })).toBe('unable')
  expect(faultOfAct('publish', { status: 500 })).toBe('unable')
})
