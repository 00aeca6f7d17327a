import type { TFunction } from 'i18next'
import { formatWeekday, orderedWeekdays } from '#web/kit/weekdays.ts'

/** Formats ISO days of the week; an empty list and all seven days mean every day. */
export function formatDaysOfWeek(t: TFunction, days: readonly number[], language: string): string {
  const selected = orderedWeekdays(1).filter((day) => days.includes(day))
  if (selected.length === 0 || selected.length === 7) return t('policies:when.everyDay')
  if (selected.join() === '1,2,3,4,5') return t('policies:when.weekdays')
  if (selected.join() === '6,7') return t('policies:when.weekend')
  return new Intl.ListFormat(language, { style: 'narrow', type: 'conjunction' }).format(
    selected.map((day) => formatWeekday(day, language, 'short')),
  )
}
