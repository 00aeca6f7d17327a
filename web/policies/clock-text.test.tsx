import { expect, it } from 'vitest'
import { renderPart } from '#web/kit/test-part.tsx'
import { toClock, runsOvernight, parseOptionalClock, formatTimeWindow } from './clock-text.ts'

it('reads and writes times of day; midnight and the end of the day are null', () => {
  expect(parseOptionalClock('08:30:00')).toEqual({ hour: 8, minute: 30 })
  expect(parseOptionalClock(null)).toBeNull()
  expect(toClock({ hour: 8, minute: 5 })).toBe('08:05:00')
  expect(toClock({ hour: 24, minute: 0 })).toBeNull()
  expect(toClock({ hour: 0, minute: 0 })).toBeNull()
  expect(toClock(null)).toBeNull()
})

it('writes a window in 24 hours, and all day without bounds', async () => {
  await renderPart(<p />)
  expect(formatTimeWindow(null, null)).toBe('All Day')
  expect(formatTimeWindow('00:00:00', '23:59:59')).toBe('All Day')
  expect(formatTimeWindow('22:00:00', '06:00:00')).toBe('10:00 PM – 6:00 AM')
})

it('hours are overnight if the start is later than the end, unless they end at midnight', () => {
  expect(runsOvernight('22:00:00', '06:00:00')).toBe(true)
  expect(runsOvernight('22:00:00', '23:59:59')).toBe(false)
  expect(runsOvernight('22:00:00', null)).toBe(false)
  expect(runsOvernight('06:00:00', '22:00:00')).toBe(false)
})
