import { expect, it } from 'vitest'
import type { CdsTimeSpan } from '#contract/cds.ts'
import { getWeekOfSpans } from './week-of-spans.ts'

/** Days as strings of 24 letters: the first letter of each state. */
const letters = (spans: CdsTimeSpan[]): string[] =>
  getWeekOfSpans(spans).map((day) => day.map((state) => state[0]).join(''))

it('always applies if there are no spans', () => {
  expect(new Set(letters([]))).toEqual(new Set(['a'.repeat(24)]))
})

it('shows whole and partial hours of the selected days', () => {
  const [monday, tuesday] = letters([
    { days_of_week: ['mon'], time_of_day_start: '07:30', time_of_day_end: '09:00' },
  ])
  expect(monday).toBe(`${'n'.repeat(7)}pa${'n'.repeat(15)}`)
  expect(tuesday).toBe('n'.repeat(24))
})

it('continues past midnight into the next day, from Sunday to Monday too', () => {
  const week = letters([{ days_of_week: ['sun'], time_of_day_start: '22:00', time_of_day_end: '02:00' }])
  expect(week[6]).toBe(`${'n'.repeat(22)}aa`)
  expect(week[0]).toBe(`aa${'n'.repeat(22)}`)
})

it('marks hours that apply only on some dates or in some periods, unless another span covers them', () => {
  const [monday] = letters([
    { designated_period: 'holidays', time_of_day_start: '08:00', time_of_day_end: '10:00' },
    { time_of_day_start: '09:00', time_of_day_end: '10:00' },
  ])
  expect(monday).toBe(`${'n'.repeat(8)}sa${'n'.repeat(14)}`)
})

it('adds up partial hours', () => {
  const [monday] = letters([
    { time_of_day_start: '08:00', time_of_day_end: '08:30' },
    { time_of_day_start: '08:30', time_of_day_end: '09:00' },
  ])
  expect(monday?.[8]).toBe('a')
})
