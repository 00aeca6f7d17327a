import { expect, it } from 'vitest'
import { figuresOfIssues } from './figures-of-issues.ts'

const closed = (resolution_hours: number | null) => ({ status: 'closed', resolution_hours })
const open = { status: 'open', resolution_hours: null }

it('counts open ones, and rests times on what was closed with a known time', () => {
  expect(figuresOfIssues([open, closed(30), closed(null), closed(1), closed(5)])).toEqual({
    count: 5,
    open: 1,
    closed: 4,
    resolved: 3,
    median_hours: 5,
    mean_hours: 12,
  })
})

it('takes the middle of the two in the middle', () => {
  expect(figuresOfIssues([closed(10), closed(1), closed(2), closed(5)])).toMatchObject({
    median_hours: 3.5,
    mean_hours: 4.5,
  })
})

it('knows no time of none', () => {
  expect(figuresOfIssues([])).toEqual({
    count: 0,
    open: 0,
    closed: 0,
    resolved: 0,
    median_hours: null,
    mean_hours: null,
  })
  expect(figuresOfIssues([open, closed(null)])).toMatchObject({
    count: 2,
    resolved: 0,
    median_hours: null,
    mean_hours: null,
  })
})
