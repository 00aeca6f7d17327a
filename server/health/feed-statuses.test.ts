import { expect, test } from 'vitest'
import { describeState } from './feed-statuses.ts'

const at = Date.parse('2026-03-18T12:00:00Z')
const fine = { enabled: true, problem: null, problemSince: null, newest: at - 30 * 60_000, limitMinutes: 60 }

test.each([
  [fine, 'ok', 'The newest record is 30 min old; the limit is 60 min.'],
  [{ ...fine, newest: at - 61 * 60_000 }, 'late', 'The newest record is 61 min old; the limit is 60 min.'],
  [
    { ...fine, newest: at - 200 * 60_000, limitMinutes: 120 },
    'late',
    'The newest record is 3 h 20 min old; the limit is 2 h 0 min.',
  ],
  [{ ...fine, newest: at + 60_000 }, 'ok', 'The newest record is 0 min old; the limit is 60 min.'],
  [{ ...fine, problem: 'It failed (500).', newest: null }, 'failing', 'It failed (500).'],
  [{ ...fine, newest: null }, 'never', 'Nothing has been received from this feed yet.'],
  [{ ...fine, enabled: false, problem: 'It failed (500).' }, 'paused', 'The feed is switched off.'],
] as const)('A feed with %j is %s: %s', (known, state, reason) =>
  expect(describeState(known, at)).toEqual({ state, reason }),
)
