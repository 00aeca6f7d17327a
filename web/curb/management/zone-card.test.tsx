import { expect, it } from 'vitest'
import type { CurbWeekLine } from '#contract/curb-rules.ts'
import { getOpenTimes } from './zone-card.tsx'

const line = (
  days: number[],
  from: string,
  until: string,
  state: CurbWeekLine['state'],
): Pick<CurbWeekLine, 'days' | 'from' | 'until' | 'state'> => ({ days, from, until, state })

it('merges the hours of a day in which stopping is allowed into as few spans as possible', () => {
  const week = [
    line([1, 2, 3, 4, 5], '00:00', '07:00', 'free_parking'),
    line([1, 2, 3, 4, 5], '07:00', '09:00', 'no_stopping'),
    line([1, 2, 3, 4, 5], '09:00', '18:00', 'loading'),
    line([1, 2, 3, 4, 5], '18:00', '24:00', 'reserved'),
    line([6], '00:00', '24:00', 'no_parking'),
  ]
  expect(getOpenTimes(week, 3)).toEqual([
    { from: '00:00', until: '07:00' },
    { from: '09:00', until: '24:00' },
  ])
  expect(getOpenTimes(week, 6)).toEqual([])
})
