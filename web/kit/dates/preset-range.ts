import { dayNumber, dayFromNumber, startOfMonth, type LocalDay } from '#contract/period.ts'

export const rangePresets = ['thisMonth', 'lastMonth', 'thisQuarter', 'lastQuarter'] as const
export type RangePreset = (typeof rangePresets)[number]

const dayBefore = (day: LocalDay): LocalDay => dayFromNumber(dayNumber(day) - 1)

/** Range of a preset: a current period ends today, a past one on its last day. */
export function presetRange(preset: RangePreset, today: LocalDay): { from: LocalDay; to: LocalDay } {
  const monthsIntoQuarter = (Number(today.slice(5, 7)) - 1) % 3
  switch (preset) {
    case 'thisMonth':
      return { from: startOfMonth(today), to: today }
    case 'lastMonth':
      return { from: startOfMonth(today, 1), to: dayBefore(startOfMonth(today)) }
    case 'thisQuarter':
      return { from: startOfMonth(today, monthsIntoQuarter), to: today }
    case 'lastQuarter':
      return {
        from: startOfMonth(today, monthsIntoQuarter + 3),
        to: dayBefore(startOfMonth(today, monthsIntoQuarter)),
      }
  }
}
