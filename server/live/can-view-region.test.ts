import { expect, it } from 'vitest'
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

it.each([
  ['the same viewer', viewer(), true],
  ['nobody any more', null, false],
  ['another user', viewer({ userId: 'v' }), false],
  ['one who must set up a second factor', viewer({ mfaEnrollmentRequired: true }), false],
  ['one who lost the region', viewer({ scope: viewerScope('o', ['birch'], 'u') }), false],
  ['one of another organization', viewer({ scope: viewerScope('p', ['alder'], 'u') }), false],
  [
    'one who may see fewer operators',
    viewer({ scope: { ...viewerScope('o', ['alder'], 'u'), operators: ['one'] } }),
    false,
  ],
])('%s: %#', async (_, now, may) => {
  expect(await canViewRegion(async () => now, new Headers(), viewer(), 'alder')).toBe(may)
})

it('limits the open streams of a user, who may open another when one is closed', () => {
  const limit = new StreamLimit()
  const leaves = Array.from({ length: maxStreamsPerUser }, () => limit.enter('u'))
  expect(() => limit.enter('u')).toThrow(Problem)
  expect(() => limit.enter('v')).not.toThrow()
  leaves[0]?.()
  expect(() => limit.enter('u')).not.toThrow()
})
