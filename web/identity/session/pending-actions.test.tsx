import { beforeEach, expect, it } from 'vitest'
import { minuteMs } from '#contract/period.ts'
import { forgetPendingAction, hasPendingAction, storePendingAction } from './pending-actions.ts'

const at = 1_800_000_000_000
beforeEach(() => localStorage.clear())

it('a pending action is stored under its own key, until it is removed', () => {
  storePendingAction('enroll', 'u1', at)
  expect([
    hasPendingAction('enroll', 'u1', at + minuteMs),
    hasPendingAction('unenroll', 'u1', at + minuteMs),
  ]).toEqual([true, false])
  expect(Object.keys(localStorage)).toEqual(['publicway.want-to-enroll'])
  storePendingAction('unenroll', 'u1', at)
  expect(localStorage.getItem('publicway.want-to-unenroll')).not.toBeNull()
  forgetPendingAction('enroll')
  expect([hasPendingAction('enroll', 'u1', at), hasPendingAction('unenroll', 'u1', at)]).toEqual([
    false,
    true,
  ])
})

it('the pending action of another user is ignored, and removed', () => {
  storePendingAction('unenroll', 'u1', at)
  expect(hasPendingAction('unenroll', 'u2', at)).toBe(false)
  expect(hasPendingAction('unenroll', 'u1', at)).toBe(false)
})

it.each([
  [15 * minuteMs, true],
  [15 * minuteMs + 1, false],
  [-1, false],
])('%d ms later it is pending: %s', (ms, isPending) => {
  storePendingAction('enroll', 'u1', at)
  expect(hasPendingAction('enroll', 'u1', at + ms)).toBe(isPending)
})

it.each(['{', 'true', '7', '{"userId":"u1"}', '{"userId":"u1","at":"now"}'])(
  '%s is not a pending action',
  (stored) => {
    localStorage.setItem('publicway.want-to-enroll', stored)
    expect(hasPendingAction('enroll', 'u1', at)).toBe(false)
    expect(localStorage.getItem('publicway.want-to-enroll')).toBeNull()
  },
)
