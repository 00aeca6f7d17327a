import { expect, it } from 'vitest'
import { noticeForFailure, findObstacle } from './policy-actions.ts'

it('an expired policy cannot be published, and an unsaved one cannot be changed', () => {
  expect(findObstacle('publish', { policy_uuid: 'a', status: 'expired' })).toBe('expired')
  expect(findObstacle('unpublish', { policy_uuid: 'a', status: 'expired' })).toBeNull()
  expect(findObstacle('publish', { policy_uuid: 'a', status: 'saved' })).toBeNull()
  expect(findObstacle('delete', { policy_uuid: null, status: 'saved' })).toBe('unsaved')
})

it('a failed deletion has its own message; other actions have one for refusals and one for other failures', () => {
  expect(noticeForFailure('delete', { status: 409 })).toBe('deleting')
  expect(noticeForFailure('delete', { status: 0 })).toBe('deleting')
  expect(noticeForFailure('publish', { status: 409 })).toBe('modifying')
  expect(noticeForFailure('unpublish', { status: 404 })).toBe('modifying')
  expect(noticeForFailure('publish', { status: 0 })).toBe('unable')
  expect(noticeForFailure('publish', { status: 500 })).toBe('unable')
})
