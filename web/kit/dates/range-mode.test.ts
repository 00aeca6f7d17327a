import { describe, expect, it } from 'vitest'
import {
  isEndDisabled,
  getModeForRange,
  countCalendarMonths,
  rangeModes,
  getRangeForMode,
} from './range-mode.ts'

const today = '2026-11-21'
const range = { from: '2026-05-03', to: '2026-06-04' }

describe('a mode', () => {
  it('is one of six', () =>
    expect(rangeModes).toEqual(['custom', 'singleDay', 'noStart', 'noEnd', 'thisMonth', 'lastMonth']))

  it.each([
    ['custom', range],
    ['singleDay', { from: '2026-05-03', to: '2026-05-03' }],
    ['noStart', { from: null, to: '2026-06-04' }],
    ['noEnd', { from: '2026-05-03', to: null }],
    ['thisMonth', { from: '2026-11-01', to: '2026-11-21' }],
    ['lastMonth', { from: '2026-10-01', to: '2026-10-31' }],
  ] as const)('%s changes a range', (mode, expected) =>
    expect(getRangeForMode(mode, range, today)).toEqual(expected),
  )

  it('of a single day uses the only date of the range', () => {
    expect(getRangeForMode('singleDay', { from: null, to: today }, today)).toEqual({ from: today, to: today })
    expect(getRangeForMode('singleDay', { from: null, to: null }, today)).toEqual({ from: null, to: null })
  })

  it('disables the unused input', () => {
    expect(rangeModes.filter((mode) => isEndDisabled(mode, 'from'))).toEqual(['noStart'])
    expect(rangeModes.filter((mode) => isEndDisabled(mode, 'to'))).toEqual(['singleDay', 'noEnd'])
  })

  it('with a single date shows one month, otherwise two', () => {
    expect(rangeModes.filter((mode) => countCalendarMonths(mode) === 1)).toEqual([
      'singleDay',
      'noStart',
      'noEnd',
    ])
    expect(rangeModes.filter((mode) => countCalendarMonths(mode) === 2)).toEqual([
      'custom',
      'thisMonth',
      'lastMonth',
    ])
  })
})

describe('the mode after a change of the range', () => {
  const month = { from: '2026-11-01', to: today }
  const before = { from: '2026-10-01', to: '2026-10-31' }

  it.each(['custom', 'thisMonth', 'lastMonth'] as const)(
    '%s switches to the month that it is, to custom otherwise',
    (mode) => {
      expect(getModeForRange(mode, month, today)).toBe('thisMonth')
      expect(getModeForRange(mode, before, today)).toBe('lastMonth')
      expect(getModeForRange(mode, range, today)).toBe('custom')
      expect(getModeForRange(mode, { from: '2026-11-01', to: null }, today)).toBe('custom')
    },
  )

  it('is still a single-date mode while it matches, then custom or a month', () => {
    expect(getModeForRange('singleDay', { from: '2026-05-03', to: '2026-05-03' }, today)).toBe('singleDay')
    expect(getModeForRange('noStart', { from: null, to: '2026-05-03' }, today)).toBe('noStart')
    expect(getModeForRange('noEnd', { from: '2026-05-03', to: null }, today)).toBe('noEnd')
    for (const mode of ['singleDay', 'noStart', 'noEnd'] as const) {
      expect(getModeForRange(mode, range, today)).toBe('custom')
      expect(getModeForRange(mode, month, today)).toBe('thisMonth')
    }
  })

  it('is always an offered mode', () => {
    expect(getModeForRange('custom', month, today, ['custom', 'lastMonth'])).toBe('custom')
    expect(getModeForRange('custom', before, today, ['custom', 'lastMonth'])).toBe('lastMonth')
  })
})
