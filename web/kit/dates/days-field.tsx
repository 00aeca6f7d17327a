import '@mantine/dates/styles.css'
import { ActionIcon, Button, Popover, TextInput } from '@mantine/core'
import { Calendar, type DayOfWeek } from '@mantine/dates'
import { IconCalendar } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LocalDay, startOfMonth } from '#contract/period.ts'
import { TagList } from '../tag-list.tsx'
import { isoSunday } from '../weekdays.ts'
import { getDayPattern, formatDay, parseDay } from './day-text.ts'
import { getCalendarLabels } from './range-calendar.tsx'
import styles from './date-range.module.css'

interface Props {
  label: string
  description?: string
  /** The chosen days, sorted. */
  days: readonly LocalDay[]
  /** Today in the region; the calendar opens at it. */
  today: LocalDay
  onChange: (days: LocalDay[]) => void
  /** First ISO weekday of the calendar. */
  weekStart?: number
}

const separatorPattern = /[\s,;]+/
const trailingSeparatorPattern = /[\s,;]$/

/** Parses days separated by spaces, line breaks, commas or semicolons; null if one of them is invalid. */
export function parseDays(text: string, language: string): LocalDay[] | null {
  const typedDays = text.split(separatorPattern).filter((word) => word !== '')
  const days = typedDays.map((word) => LocalDay.safeParse(word).data ?? parseDay(word, language))
  return days.every((day) => day !== null) ? days : null
}

/** A field for single days, which are typed or chosen in a calendar, and listed below. */
export function DaysField({ label, description, days, today, onChange, weekStart = isoSunday }: Props) {
  const { t, i18n } = useTranslation()
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const [isInvalid, setIsInvalid] = useState(false)
  const { order, separator } = getDayPattern(i18n.language)
  const format = order.map((part) => t(`kit:dates.letters.${part}`)).join(separator)
  const errorText = isInvalid ? t('kit:dates.days.fault', { example: formatDay(today, i18n.language) }) : ''
  // Prevents the form from being submitted while the typed text is invalid.
  useEffect(() => input.current?.setCustomValidity(errorText), [errorText])
  const setDays = (nextDays: Iterable<LocalDay>): void => onChange([...new Set(nextDays)].toSorted())
  const addTyped = (typed: string): void => {
    const parsedDays = parseDays(typed, i18n.language)
    setIsInvalid(parsedDays === null)
    if (parsedDays === null) return setText(typed)
    setText('')
    if (parsedDays.length) setDays([...days, ...parsedDays])
  }
  const dayFormat = new Intl.DateTimeFormat(i18n.language, {
    weekday: 'short',
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    timeZone: 'UTC',
  })
  return (
    <div className={styles['days']}>
      <TextInput
        ref={input}
        label={label}
        description={description}
        placeholder={format}
        autoComplete="off"
        value={text}
        error={errorText || null}
        rightSection={
          <DayCalendar
            label={label}
            days={days}
            today={today}
            weekStart={weekStart}
            onToggle={(day) =>
              setDays(days.includes(day) ? days.filter((other) => other !== day) : [...days, day])
            }
          />
        }
        onChange={(event) => {
          const typed = event.currentTarget.value
          setIsInvalid(false)
          // A separator completes a typed day.
          if (trailingSeparatorPattern.test(typed)) addTyped(typed)
          else setText(typed)
        }}
        onPaste={(event) => {
          const pasted = event.clipboardData.getData('text')
          if (!separatorPattern.test(pasted.trim())) return
          event.preventDefault()
          addTyped(`${text} ${pasted}`)
        }}
        onBlur={() => addTyped(text)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || text.trim() === '') return
          event.preventDefault()
          addTyped(text)
        }}
      />
      {days.length ? (
        <TagList
          label={t('kit:dates.days.chosen', { label })}
          tags={days.map((day) => ({ key: day, text: dayFormat.format(Date.parse(day)) }))}
          onRemove={(day) => setDays(days.filter((other) => other !== day))}
        />
      ) : null}
    </div>
  )
}

interface DayCalendarProps extends Pick<Props, 'label' | 'days' | 'today'> {
  weekStart: number
  onToggle: (day: LocalDay) => void
}

/** A button that opens a calendar, in which days are chosen. */
function DayCalendar({ label, days, today, weekStart, onToggle }: DayCalendarProps) {
  const { t, i18n } = useTranslation()
  const [isOpen, setIsOpen] = useState(false)
  const [month, setMonth] = useState(() => startOfMonth(days.find((day) => day >= today) ?? today))
  return (
    <Popover
      opened={isOpen}
      onChange={setIsOpen}
      position="bottom-end"
      trapFocus
      returnFocus
      shadow="md"
      withRoles={false}
    >
      <Popover.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('kit:dates.days.open', { label })}
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          onClick={() => setIsOpen((open) => !open)}
        >
          <IconCalendar size={18} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={label} className={styles['dayPanel'] ?? ''}>
        <Calendar
          classNames={{ calendarHeaderLevel: styles['month'] ?? '' }}
          {...getCalendarLabels(t, i18n.language)}
          date={month}
          onDateChange={setMonth}
          getDayProps={(day) => ({
            selected: days.includes(day),
            'aria-pressed': days.includes(day),
            'aria-current': day === today ? 'date' : undefined,
            onClick: () => onToggle(day),
          })}
          // Sunday is 0 for Mantine, and 7 for ISO.
          firstDayOfWeek={(weekStart % 7) as DayOfWeek}
          weekendDays={[]}
          hideOutsideDates
          withCellSpacing={false}
          __stopPropagation
        />
        <Button size="xs" onClick={() => setIsOpen(false)} data-mantine-stop-propagation>
          {t('kit:done')}
        </Button>
      </Popover.Dropdown>
    </Popover>
  )
}
