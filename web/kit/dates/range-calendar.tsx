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

/** Texts of a calendar in a language: Mantine's defaults are English, and its arrows have no names. */
export function calendarLabels(t: TFunction, language: string) {
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
export function firstShownMonth(day: LocalDay, months: number, maxDate?: LocalDay): LocalDay {
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
  activeEnd: active,
  settings,
  months,
  weekStart,
  ref,
  onPick,
}: Props) {
  const { t, i18n } = useTranslation()
  const { from, to } = range
  const { today, minDate, maxDate } = settings
  const anchor = range[active] ?? from ?? to ?? today
  const [lastAnchor, setLastAnchor] = useState(anchor)
  const [month, setMonth] = useState(() =>
    firstShownMonth(anchor, months, maxDate ?? (anchor === today ? today : undefined)),
  )
  const [hovered, setHovered] = useState<LocalDay | null>(null)
  // Scrolls to a typed or preset date; a clicked one is already visible.
  if (lastAnchor !== anchor) {
    setLastAnchor(anchor)
    if (!isInShownMonths(anchor, month, months)) setMonth(firstShownMonth(anchor, months, maxDate))
  }

  const end = to ?? (hasTwoEnds(mode) && active === 'to' && from !== null ? hovered : null)
  const dayProps = (day: LocalDay) => ({
    selected: day === from || day === to,
    inRange: from !== null && end !== null && day >= from && day <= end,
    firstInRange: end !== null && end !== from && day === from,
    lastInRange: from !== null && from !== end && day === end,
    'aria-pressed': day === from || day === to,
    'aria-current': day === today ? ('date' as const) : undefined,
    onClick: () => onPick(day),
    onMouseEnter: () => setHovered(day),
  })

  return (
    <div ref={ref} className={styles['calendar']} role="group" aria-label={t(`kit:dates.choose.${active}`)}>
      <p className={styles['choose']} role="status">
        {t(`kit:dates.choose.${active}`)}
      </p>
      <Calendar
        classNames={{ calendarHeaderLevel: styles['month'] ?? '' }}
        {...calendarLabels(t, i18n.language)}
        date={month}
        onDateChange={setMonth}
        numberOfColumns={months}
        columnsToScroll={1}
        getDayProps={dayProps}
        minDate={minDate}
        maxDate={maxDate}
        // Sunday is 0 for Mantine, and 7 for ISO.
        firstDayOfWeek={(weekStart % 7) as DayOfWeek}
        weekendDays={[]}
        hideOutsideDates
        withCellSpacing={false}
        __stopPropagation
        onMouseLeave={() => setHovered(null)}
      />
    </div>
  )
})
