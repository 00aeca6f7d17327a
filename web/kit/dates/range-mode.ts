import type { LocalDay } from '#contract/period.ts'
import { isSameRange, type DateRange, type RangeEnd } from './date-range.ts'
import { getPresetRange } from './preset-range.ts'

export const rangeModes = ['custom', 'singleDay', 'noStart', 'noEnd', 'thisMonth', 'lastMonth'] as const
export type RangeMode = (typeof rangeModes)[number]

/** Whether both ends can be chosen. The other modes have a single date. */
export const hasTwoEnds = (mode: RangeMode): boolean =>
  mode === 'custom' || mode === 'thisMonth' || mode === 'lastMonth'

/** Whether a mode has no input for an end of the range. */
export const isEndDisabled = (mode: RangeMode, end: RangeEnd): boolean =>
  end === 'from' ? mode === 'noStart' : mode === 'singleDay' || mode === 'noEnd'

/** Returns the number of months that the calendar of a mode shows. */
export const countCalendarMonths = (mode: RangeMode): 1 | 2 => (hasTwoEnds(mode) ? 2 : 1)

/** Returns the range after a mode was selected. */
export function getRangeForMode(mode: RangeMode, range: DateRange, today: LocalDay): DateRange {
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
      return getPresetRange(mode, today)
  }
}

/** Returns the mode of a changed range: the same if it has a single date and matches, a matching month, or custom. */
export function getModeForRange(
  mode: RangeMode,
  range: DateRange,
  today: LocalDay,
  offeredModes: readonly RangeMode[] = rangeModes,
): RangeMode {
  if (!hasTwoEnds(mode) && isSameRange(getRangeForMode(mode, range, today), range)) return mode
  const matchingMonth = (['thisMonth', 'lastMonth'] as const).find(
    (preset) => offeredModes.includes(preset) && isSameRange(getPresetRange(preset, today), range),
  )
  return matchingMonth ?? 'custom'
}
