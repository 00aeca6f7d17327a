import { expect, test } from 'vitest'
import { Problem } from '#server/http/problem.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { viewerScope } from '#server/identity/scope.ts'
import { canViewRegion } from './can-view-region.ts'
import { maxStreamsPerUser, StreamLimit } from './stream-limit.ts'

const viewer = (over: Partial<Viewer> = {}): Viewer => ({
  userId: 'u',
  email: 'u@x',
  organizationId: 'o',
  permissions: [],
  scope: viewerScope('o', ['alder', 'birch'], 'u'),
  allRegions: true,
  mfaEnrollmentRequired: false,
  admin: null,
  sessionId: 's',
  ...over,
})

test.each([
  ['the same viewer', viewer(), true],
  ['nobody', null, false],
  ['another user', viewer({ userId: 'v' }), false],
  ['a viewer who must set up a second factor', viewer({ mfaEnrollmentRequired: true }), false],
  ['a viewer who lost the region', viewer({ scope: viewerScope('o', ['birch'], 'u') }), false],
  ['a viewer of another organization', viewer({ scope: viewerScope('p', ['alder'], 'u') }), false],
  [
    'a viewer who may see fewer operators',
    viewer({ scope: { ...viewerScope('o', ['alder'], 'u'), operators: ['one'] } }),
    false,
  ],
])('canViewRegion returns for %s whether the stream may continue', async (_, now, expected) => {
  expect(await canViewRegion(async () => now, new Headers(), viewer(), 'alder')).toBe(expected)
})

test('The server limits the open streams of a user, who may open another when one is closed', () => {
  const limit = new StreamLimit()
  const releases = Array.from({ length: maxStreamsPerUser }, () => limit.enter('u'))
  expect(() => limit.enter('u')).toThrow(Problem)
  expect(() => limit.enter('v')).not.toThrow()
  releases[0]?.()
  expect(() => limit.enter('u')).not.toThrow()
})
