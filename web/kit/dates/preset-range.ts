import { dayNumber, dayFromNumber, startOfMonth, getWeekday, type LocalDay } from '#contract/period.ts'

export const rangePresets = [
  'last7Days',
  'last30Days',
  'lastWeek',
  'thisMonth',
  'lastMonth',
  'thisQuarter',
  'lastQuarter',
] as const
export type RangePreset = (typeof rangePresets)[number]

const dayBefore = (day: LocalDay): LocalDay => dayFromNumber(dayNumber(day) - 1)

/** Returns the range of a preset; a current period ends today, a past one on its last day. Weeks start on Sunday. */
export function getPresetRange(preset: RangePreset, today: LocalDay): { from: LocalDay; to: LocalDay } {
  const monthsIntoQuarter = (Number(today.slice(5, 7)) - 1) % 3
  const daysBefore = (days: number): LocalDay => dayFromNumber(dayNumber(today) - days)
  switch (preset) {
    case 'last7Days':
      return { from: daysBefore(6), to: today }
    case 'last30Days':
      return { from: daysBefore(29), to: today }
    case 'lastWeek': {
      const daysIntoWeek = getWeekday(today) % 7
      return { from: daysBefore(daysIntoWeek + 7), to: daysBefore(daysIntoWeek + 1) }
    }
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
