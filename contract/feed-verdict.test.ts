import { expect, test } from 'vitest'
import { getFeedVerdict, type FeedFacts } from './feed-verdict.ts'

const at = Date.parse('2026-05-01T11:10:00Z')
const fine: FeedFacts = {
  enabled: true,
  problem: null,
  problemSince: null,
  newest: at - 60_000,
  limitMinutes: 5,
  openIncidents: 0,
}

test.each([
  [{}, 'ok', null],
  [{ openIncidents: 1 }, 'incident', null],
  [{ newest: at - 68 * 60_000 }, 'late', at - 63 * 60_000],
  [{ newest: at - 68 * 60_000, openIncidents: 1 }, 'late', at - 63 * 60_000],
  [{ newest: at - 5 * 60_000 }, 'ok', null],
  [{ newest: null, openIncidents: 1 }, 'never', null],
  [{ problem: 'x', problemSince: 7, newest: null }, 'failing', 7],
  [{ enabled: false, problem: 'x', openIncidents: 1 }, 'paused', null],
] as const)('A feed with %j is %s since %s', (overrides, state, since) =>
  expect(getFeedVerdict({ ...fine, ...overrides }, at)).toEqual({ state, since }),
)
