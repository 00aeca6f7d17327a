import { describe, expect, it } from 'vitest'
import { hourMs } from '#contract/period.ts'
import { dayNumber } from '../day-number.ts'
import { createLocalDays } from './local-days.ts'

const localDay = createLocalDays('America/New_York')

describe('localDays', () => {
  it('goes from midnight to midnight', () => {
    const day = localDay(dayNumber('2026-07-04'))
    expect(new Date(day.startMs).toISOString()).toBe('2026-07-04T04:00:00.000Z')
    expect(day.endMs - day.startMs).toBe(24 * hourMs)
    expect(day.offsetBefore).toBe(-4 * hourMs)
    expect(day.offsetAfter).toBe(day.offsetBefore)
    expect(day.changeMs).toBe(day.endMs)
  })

  it.each([
    ['2026-03-08', 23, '2026-03-08T07:00:00.000Z', -5, -4],
    ['2026-11-01', 25, '2026-11-01T06:00:00.000Z', -4, -5],
  ])('%s has %i hours', (date, hours, change, before, after) => {
    const day = localDay(dayNumber(date))
    expect((day.endMs - day.startMs) / hourMs).toBe(hours)
    expect(new Date(day.changeMs).toISOString()).toBe(change)
    expect([day.offsetBefore / hourMs, day.offsetAfter / hourMs]).toEqual([before, after])
  })

  it('there is no gap between two days', () => {
    for (let day = dayNumber('2026-01-01'); day < dayNumber('2026-12-31'); day++)
      expect(localDay(day).endMs).toBe(localDay(day + 1).startMs)
  })

  it('supports zones without clock changes and east of UTC', () => {
    const day = createLocalDays('Asia/Kolkata')(dayNumber('2026-03-08'))
    expect(new Date(day.startMs).toISOString()).toBe('2026-03-07T18:30:00.000Z')
    expect(day.endMs - day.startMs).toBe(24 * hourMs)
  })
})
