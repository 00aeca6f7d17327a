import type { TFunction } from 'i18next'
import { weekdayName, orderedWeekdays } from '#web/kit/weekdays.ts'

const working = [1, 2, 3, 4, 5]

/** Days of the week as text; an empty list and all seven days mean every day. */
export function formatDaysOfWeek(t: TFunction, days: readonly number[], language: string): string {
  const chosen = orderedWeekdays(1).filter((day) => days.includes(day))
  if (chosen.length === 0 || chosen.length === 7) return t('policies:when.everyDay')
  if (chosen.join() === working.join()) return t('policies:when.weekdays')
  if (chosen.join() === '6,7') return t('policies:when.weekend')
  return new Intl.ListFormat(language, { style: 'narrow', type: 'conjunction' }).format(
    chosen.map((day) => weekdayName(day, language, 'short')),
  )
}
