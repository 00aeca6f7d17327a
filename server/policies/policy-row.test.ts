import { expect, test } from 'vitest'
import { filterInFeed, type PolicyRow } from './policy-row.ts'

const row = (id: string, overrides: Partial<PolicyRow>) =>
  ({
    policy_id: id,
    published_time: new Date(0),
    unpublished_time: null,
    superseded_time: null,
    ...overrides,
  }) as PolicyRow

test('Published revisions are in the feed; superseded ones until their successor begins', () => {
  const rows = [
    row('draft', { published_time: null }),
    row('out', { unpublished_time: new Date(5) }),
    row('past', { superseded_time: new Date(10) }),
    row('yet', { superseded_time: new Date(11) }),
    row('now', {}),
  ]
  expect(filterInFeed(rows, 10).map(({ policy_id: id }) => id)).toEqual(['yet', 'now'])
})
