import { Switch, Text, UnstyledButton } from '@mantine/core'
import { useRef, useState, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { HealthDay } from '#contract/health.ts'
import { formatInteger } from '#web/kit/format.ts'
import styles from './hours-calendar.module.css'
import { shortDay } from './short-day.ts'

/** A place in the calendar: which day and which hour, both from 0. */
interface Cell {
  row: number
  hour: number
}

/** Where a key leads from a cell of so many days; null for keys that lead nowhere. */
export function nextCell({ row, hour }: Cell, key: string, rows: number): Cell | null {
  const moves: Readonly<Record<string, Cell>> = {
    ArrowRight: { row, hour: Math.min(23, hour + 1) },
    ArrowLeft: { row, hour: Math.max(0, hour - 1) },
    ArrowDown: { row: Math.min(rows - 1, row + 1), hour },
    ArrowUp: { row: Math.max(0, row - 1), hour },
    Home: { row, hour: 0 },
    End: { row, hour: 23 },
  }
  return Object.hasOwn(moves, key) ? (moves[key] ?? null) : null
}

/** How dark an hour is drawn, 1 to 4, by its share of the most that any hour of these days has; 0 where it has none. */
export function calendarLevels(days: readonly HealthDay[]): number[][] {
  const top = Math.max(0, ...days.flatMap(({ hours }) => hours))
  return days.map(({ hours }) =>
    hours.map((count) =>
      count === 0 || top === 0 ? 0 : Math.min(4, Math.max(1, Math.ceil((4 * count) / top))),
    ),
  )
}

/** A sign beside the colour of each state of an hour. */
const hourSigns = { data: '', quiet: '·', gap: '!', ahead: '', none: '–' } as const

/** What the colours and signs of the calendar mean. */
function CalendarLegend() {
  const { t } = useTranslation()
  return (
    <ul className={styles['legend']} aria-label={t('health:calendar.legend')}>
      <li>
        {t('health:calendar.fewer')}{' '}
        {[1, 2, 3, 4].map((level) => (
          <span
            key={level}
            className={styles['swatch']}
            data-state="data"
            data-level={level}
            aria-hidden="true"
          />
        ))}{' '}
        {t('health:calendar.more')}
      </li>
      {(['gap', 'quiet', 'ahead', 'none'] as const).map((state) => (
        <li key={state}>
          <span className={styles['swatch']} data-state={state} aria-hidden="true">
            {hourSigns[state]}
          </span>{' '}
          {t(`health:calendar.${state}`)}
        </li>
      ))}
    </ul>
  )
}

const two = (hour: number): string => String(hour).padStart(2, '0')

/** Days by hours: how many records, and where there are none though there usually are. One cell takes the focus, arrows lead to the others; a click says what it shows. */
export function HoursCalendar({ days }: { days: readonly HealthDay[] }) {
  const { t, i18n } = useTranslation()
  const [focused, setFocused] = useState<Cell>({ row: Math.max(0, days.length - 1), hour: 0 })
  const [told, setTold] = useState('')
  const [isNumbers, setNumbers] = useState(false)
  const body = useRef<HTMLTableSectionElement>(null)
  const levels = calendarLevels(days)
  const title = t('health:calendar.title')
  const at = { row: Math.min(focused.row, days.length - 1), hour: focused.hour }

  const textOf = (day: HealthDay, hour: number): string => {
    const state = day.states[hour] ?? 'ahead'
    const told =
      state === 'data'
        ? t('health:calendar.data', { count: day.hours[hour] ?? 0, shown: formatInteger(day.hours[hour]) })
        : t(`health:calendar.${state}`)
    return t('health:calendar.cell', { day: shortDay(day.day, i18n.language), hour: two(hour), state: told })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const next = nextCell(at, event.key, days.length)
    if (!next) return
    event.preventDefault()
    setFocused(next)
    body.current?.querySelector<HTMLElement>(`[data-cell="${next.row}-${next.hour}"]`)?.focus()
  }

  return (
    <div>
      <div className={styles['head']}>
        <Text size="xs" c="dimmed">
          {t('health:calendar.hint')}
        </Text>
        <Switch
          size="xs"
          label={t('health:calendar.numbers')}
          checked={isNumbers}
          onChange={(event) => setNumbers(event.currentTarget.checked)}
        />
      </div>
      <div className={styles['scroll']}>
        <table className={styles['grid']} aria-label={title} data-numbers={isNumbers || undefined}>
          <thead>
            <tr>
              <th scope="col">{t('health:calendar.day')}</th>
              {Array.from({ length: 24 }, (_, hour) => (
                <th key={hour} scope="col">
                  {hour % 3 === 0 || isNumbers ? two(hour) : <span className="only-read">{two(hour)}</span>}
                </th>
              ))}
            </tr>
          </thead>
          <tbody ref={body}>
            {days.map((day, row) => (
              <tr key={day.day}>
                <th scope="row">{shortDay(day.day, i18n.language)}</th>
                {day.states.map((state, hour) => {
                  const text = textOf(day, hour)
                  return (
                    <td key={hour}>
                      <UnstyledButton
                        className={styles['cell'] ?? ''}
                        data-cell={`${row}-${hour}`}
                        data-state={state}
                        data-level={levels[row]?.[hour]}
                        tabIndex={row === at.row && hour === at.hour ? 0 : -1}
                        title={text}
                        aria-label={text}
                        onKeyDown={onKeyDown}
                        onFocus={() => setFocused({ row, hour })}
                        onClick={() => setTold(text)}
                      >
                        {isNumbers && state === 'data' ? formatInteger(day.hours[hour]) : hourSigns[state]}
                      </UnstyledButton>
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Text size="sm" role="status" mih={20}>
        {told}
      </Text>
      <CalendarLegend />
    </div>
  )
}
