import { expect, it } from 'vitest'
import { tripFilesSearch } from './trip-files-search.ts'

it('keeps what makes sense and drops the rest', () => {
  expect(tripFilesSearch({ map: 'x', page: 3, other: 1 })).toEqual({ map: 'x', page: 3 })
  expect(tripFilesSearch({ map: 5, page: 1 })).toEqual({})
  expect(tripFilesSearch({ page: 'many' })).toEqual({})
})

it('keeps a filter and a sort order that exist, and not the usual order', () => {
  expect(tripFilesSearch({ search: 'july', status: 'failed', sort: '-bytes' })).toEqual({
    search: 'july',
    status: 'failed',
    sort: '-bytes',
  })
  expect(tripFilesSearch({ search: 2026, status: 'lost', sort: '-created_time' })).toEqual({ search: '2026' })
  expect(tripFilesSearch({ search: '', sort: 'problem' })).toEqual({})
})

it('never keeps the first page, which is the default, or pages that are none', () => {
  for (const page of [1, 0, -3, 1.9, Number.NaN, Number.POSITIVE_INFINITY])
    expect(tripFilesSearch({ page })).toEqual({})
  expect(tripFilesSearch({ page: 2.7 })).toEqual({ page: 2 })
})
