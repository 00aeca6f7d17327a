import { Calendar, type DayOfWeek, type CalendarProps } from '@mantine/dates'
import { memo, useState, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import type { TFunction } from 'i18next'
import { type LocalDay, startOfMonth } from '#contract/period.ts'
import styles from './date-range.module.css'
import type { DateRange, RangeEnd } from './date-range.ts'
import type { DraftSettings } from './range-draft.ts'
import { hasTwoEnds, type RangeMode } from './range-mode.ts'

const createFormatter = (language: string, options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' })
  return (day: string): string => format.format(Date.parse(day))
}

/** Returns the texts of a calendar in a language: Mantine's defaults are English, and its arrows have no names. */
export function getCalendarLabels(t: TFunction, language: string) {
  const formatWeekday = createFormatter(language, { weekday: 'short' })
  return {
    ariaLabels: {
      previousMonth: t('kit:dates.calendar.previousMonth'),
      nextMonth: t('kit:dates.calendar.nextMonth'),
      previousYear: t('kit:dates.calendar.previousYear'),
      nextYear: t('kit:dates.calendar.nextYear'),
      previousDecade: t('kit:dates.calendar.previousDecade'),
      nextDecade: t('kit:dates.calendar.nextDecade'),
    },
    monthLabelFormat: createFormatter(language, { month: 'long', year: 'numeric' }),
    weekdayFormat: (day: string) => formatWeekday(day).slice(0, 2),
    monthsListFormat: createFormatter(language, { month: 'short' }),
    getDayAriaLabel: createFormatter(language, { dateStyle: 'full' }),
  } satisfies Partial<CalendarProps>
}

/** Returns the first month to show: the day is visible, and few months are without selectable days. */
export function getFirstShownMonth(day: LocalDay, months: number, maxDate?: LocalDay): LocalDay {
  const month = startOfMonth(day)
  const lastFirstMonth = maxDate === undefined ? month : startOfMonth(maxDate, months - 1)
  return maxDate !== undefined && lastFirstMonth < month ? lastFirstMonth : month
}

/** Whether a day is in one of the visible months. */
export const isInShownMonths = (day: LocalDay, month: LocalDay, months: number): boolean =>
  day >= month && day < startOfMonth(month, -months)

interface Props {
  range: DateRange
  mode: RangeMode
  activeEnd: RangeEnd
  settings: DraftSettings
  months: 1 | 2
  /** First ISO weekday. */
  weekStart: number
  ref: RefObject<HTMLDivElement | null>
  onPick: (day: LocalDay) => void
}

/** The calendar for choosing a day for the active end. Memoized, to avoid a render on every key press. */
export const RangeCalendar = memo(function RangeCalendar({
  range,
  mode,
  activeEnd,
  settings,
  months,
  weekStart,
  ref,
  onPick,
}: Props) {
  const { t, i18n } = useTranslation()
  const { from, to } = range
  const { today, minDate, maxDate } = settings
  const anchor = range[activeEnd] ?? from ?? to ?? today
  const [lastAnchor, setLastAnchor] = useState(anchor)
  const [month, setMonth] = useState(() =>
    getFirstShownMonth(anchor, months, maxDate ?? (anchor === today ? today : undefined)),
  )
  const [hoveredDay, setHoveredDay] = useState<LocalDay | null>(null)
  // Scrolls to a typed or preset date; a clicked one is already visible.
  if (lastAnchor !== anchor) {
    setLastAnchor(anchor)
    if (!isInShownMonths(anchor, month, months)) setMonth(getFirstShownMonth(anchor, months, maxDate))
  }

  // While the user chooses the last day, the range ends at the pointer.
  const end = to ?? (hasTwoEnds(mode) && activeEnd === 'to' && from !== null ? hoveredDay : null)
  const getDayProps = (day: LocalDay) => ({
    selected: day === from || day === to,
    inRange: from !== null && end !== null && day >= from && day <= end,
    firstInRange: end !== null && end !== from && day === from,
    lastInRange: from !== null && from !== end && day === end,
    'aria-pressed': day === from || day === to,
    'aria-current': day === today ? ('date' as const) : undefined,
    onClick: () => onPick(day),
    onMouseEnter: () => setHoveredDay(day),
  })
  return (
    <div
      ref={ref}
      className={styles['calendar']}
      role="group"
      aria-label={t(`kit:dates.choose.${activeEnd}`)}
    >
      <p className={styles['choose']} role="status">
        {t(`kit:dates.choose.${activeEnd}`)}
      </p>
      <Calendar
        classNames={{ calendarHeaderLevel: styles['month'] ?? '' }}
        {...getCalendarLabels(t, i18n.language)}
        date={month}
        onDateChange={setMonth}
        numberOfColumns={months}
        columnsToScroll={1}
        getDayProps={getDayProps}
        minDate={minDate}
        maxDate={maxDate}
        // Sunday is 0 for Mantine, and 7 for ISO.
        firstDayOfWeek={(weekStart % 7) as DayOfWeek}
        weekendDays={[]}
        hideOutsideDates
        withCellSpacing={false}
        __stopPropagation
        onMouseLeave={() => setHoveredDay(null)}
      />
    </div>
  )
})
