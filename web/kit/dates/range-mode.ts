import type { LocalDay } from '#contract/period.ts'
import { isSameRange, type DateRange, type RangeEnd } from './date-range.ts'
import { presetRange } from './preset-range.ts'

export const rangeModes = ['custom', 'singleDay', 'noStart', 'noEnd', 'thisMonth', 'lastMonth'] as const
export type RangeMode = (typeof rangeModes)[number]

/** Whether both ends can be chosen. The other modes have a single date. */
export const hasTwoEnds = (mode: RangeMode): boolean =>
  mode === 'custom' || mode === 'thisMonth' || mode === 'lastMonth'

/** Whether a mode has no input for an end of the range. */
export const isEndDisabled = (mode: RangeMode, end: RangeEnd): boolean =>
  end === 'from' ? mode === 'noStart' : mode === 'singleDay' || mode === 'noEnd'

export const calendarMonths = (mode: RangeMode): 1 | 2 => (hasTwoEnds(mode) ? 2 : 1)

/** Returns the range after a mode was selected. */
export function rangeForMode(mode: RangeMode, range: DateRange, today: LocalDay): DateRange {
  switch (mode) {
    case 'custom':
      return range
    case 'singleDay':
      return { from: range.from ?? range.to, to: range.from ?? range.to }
    case 'noStart':
      return { from: null, to: range.to }
    case 'noEnd':
      return { from: range.from, to: null }
    default:
      return presetRange(mode, today)
  }
}

/** Returns the mode of a changed range: the same if it has a single date and matches, a matching month, or custom. */
export function modeForRange(
  mode: RangeMode,
  range: DateRange,
  today: LocalDay,
  offered: readonly RangeMode[] = rangeModes,
): RangeMode {
  if (!hasTwoEnds(mode) && isSameRange(rangeForMode(mode, range, today), range)) return mode
  const month = (['thisMonth', 'lastMonth'] as const).find(
    (preset) => offered.includes(preset) && isSameRange(presetRange(preset, today), range),
  )
  return month ?? 'custom'
}
