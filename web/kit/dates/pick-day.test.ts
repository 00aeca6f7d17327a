import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dayFromNumber } from '#contract/period.ts'
import { clearEnd, pickDay } from './range-draft.ts'

const range = { from: '2026-05-10', to: '2026-05-20' }

describe('a picked day', () => {
  it('sets the end that it is picked for', () => {
    expect(pickDay(range, 'custom', 'from', '2026-05-12')).toEqual({
      range: { from: '2026-05-12', to: '2026-05-20' },
      set: 'from',
    })
    expect(pickDay(range, 'custom', 'to', '2026-05-12')).toEqual({
      range: { from: '2026-05-10', to: '2026-05-12' },
      set: 'to',
    })
    expect(pickDay(range, 'custom', 'to', '2026-05-10')).toEqual({
      range: { from: '2026-05-10', to: '2026-05-10' },
      set: 'to',
    })
  })

  it('as a start after the end clears the end', () =>
    expect(pickDay(range, 'custom', 'from', '2026-05-21')).toEqual({
      range: { from: '2026-05-21', to: null },
      set: 'from',
    }))
  it('as an end before the start clears the end and becomes the start', () =>
    expect(pickDay(range, 'custom', 'to', '2026-05-09')).toEqual({
      range: { from: '2026-05-09', to: null },
      set: 'from',
    }))

  it('sets both ends in single-day mode, and the only end in open modes', () => {
    expect(pickDay(range, 'singleDay', 'from', '2026-05-21').range).toEqual({
      from: '2026-05-21',
      to: '2026-05-21',
    })
    expect(pickDay({ from: null, to: null }, 'noStart', 'to', '2026-05-21').range).toEqual({
      from: null,
      to: '2026-05-21',
    })
    expect(pickDay({ from: '2026-05-10', to: null }, 'noEnd', 'from', '2026-05-21').range).toEqual({
      from: '2026-05-21',
      to: null,
    })
  })

  it('is in the range, and the start is never after the end, for any range', () => {
    const maybeDay = fc.option(fc.integer({ min: 20_000, max: 20_100 }).map(dayFromNumber))
    const end = fc.constantFrom('from' as const, 'to' as const)
    fc.assert(
      fc.property(
        maybeDay,
        maybeDay,
        end,
        fc.integer({ min: 20_000, max: 20_100 }).map(dayFromNumber),
        fc.constantFrom('custom' as const, 'thisMonth' as const, 'singleDay' as const),
        (from, to, which, day, mode) => {
          fc.pre(from === null || to === null || from <= to)
          const { range: next, set } = pickDay({ from, to }, mode, which, day)
          expect(next[set]).toBe(day)
          expect(next.from === null || next.to === null || next.from <= next.to).toBe(true)
        },
      ),
    )
  })
})

it('clearing an end clears both in single-day mode', () => {
  expect(clearEnd(range, 'custom', 'from')).toEqual({ from: null, to: '2026-05-20' })
  expect(clearEnd(range, 'lastMonth', 'to')).toEqual({ from: '2026-05-10', to: null })
  expect(clearEnd({ from: '2026-05-10', to: '2026-05-10' }, 'singleDay', 'from')).toEqual({
    from: null,
    to: null,
  })
})
