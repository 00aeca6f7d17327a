import { expect, test } from 'vitest'
import { emptyPolicy } from '#contract/policy.ts'
import { listChanges, readRevisionState } from './list-revisions.ts'

test('listChanges lists the fields in which revisions differ', () => {
  const earlierFields = {
    ...emptyPolicy(),
    policy_name: 'A',
    maximum: 4,
    messages: { es: 'x', 'en-US': 'y' },
  }
  expect(listChanges(earlierFields, { ...earlierFields, messages: { 'en-US': 'y', es: 'x' } })).toEqual([])
  expect(listChanges(earlierFields, { ...earlierFields, maximum: null, days: [1] })).toEqual([
    { field: 'maximum', before: 4, after: null },
    { field: 'days', before: [], after: [1] },
  ])
})

test('readRevisionState distinguishes five states', () => {
  const row = { is_deleted: false, published: false, published_time: null, superseded_time: null }
  const time = new Date(0)
  expect(
    [
      row,
      { ...row, published: true, published_time: time },
      { ...row, published_time: time },
      { ...row, published_time: time, superseded_time: time },
      { ...row, published_time: time, is_deleted: true },
    ].map(readRevisionState),
  ).toEqual(['draft', 'published', 'unpublished', 'superseded', 'deleted'])
})
