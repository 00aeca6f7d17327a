import { expect, test } from 'vitest'
import { filterInFeed, type PolicyRow } from './policy-row.ts'

const makeRow = (id: string, overrides: Partial<PolicyRow>) =>
  ({
    policy_id: id,
    published_time: new Date(0),
    unpublished_time: null,
    superseded_time: null,
    ...overrides,
  }) as PolicyRow

test('Published revisions are in the feed; superseded ones until their successor begins', () => {
  const rows = [
    makeRow('draft', { published_time: null }),
    makeRow('out', { unpublished_time: new Date(5) }),
    makeRow('past', { superseded_time: new Date(10) }),
    makeRow('yet', { superseded_time: new Date(11) }),
    makeRow('now', {}),
  ]
  expect(filterInFeed(rows, 10).map(({ policy_id: id }) => id)).toEqual(['yet', 'now'])
})
