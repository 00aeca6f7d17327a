import { UnstyledButton } from '@mantine/core'
import { IconAlertTriangleFilled, IconCheck, IconMinus } from '@tabler/icons-react'
import { useRef, useState, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { LocalDay } from '#contract/period.ts'
import { weekdayOf } from '#contract/period.ts'
import { shortDay } from '#web/health/short-day.ts'
import { formatInteger } from '#web/kit/format.ts'
import type { DayTally, OperatorTally } from '../tally-records.ts'
import { dayText } from './day-text.ts'
import styles from './detail.module.css'

interface Place {
  row: number
  column: number
}

/** Where a key leads in a grid; null: it leads nowhere. */
export function nextPlace({ row, column }: Place, key: string, rows: number, columns: number): Place | null {
  const to = (toRow: number, toColumn: number): Place => ({
    row: Math.max(0, Math.min(rows - 1, toRow)),
    column: Math.max(0, Math.min(columns - 1, toColumn)),
  })
  switch (key) {
    case 'ArrowLeft':
      return to(row, column - 1)
    case 'ArrowRight':
      return to(row, column + 1)
    case 'ArrowUp':
      return to(row - 1, column)
    case 'ArrowDown':
      return to(row + 1, column)
    case 'Home':
      return to(row, 0)
    case 'End':
      return to(row, columns - 1)
    default:
      return null
  }
}

export interface ChosenDay {
  operator: string
  date: LocalDay
}

interface Props {
  tallies: readonly OperatorTally[]
  days: readonly LocalDay[]
  operatorName: (slug: string) => string
  chosen: ChosenDay | null
  onChoose: (chosen: ChosenDay | null) => void
}

function Sign({ day }: { day: DayTally }) {
  if (day.status === 'not_applicable') return <IconMinus size={14} aria-hidden="true" />
  if (day.status === 'compliant') return <IconCheck size={14} aria-hidden="true" />
  return (
    <>
      <IconAlertTriangleFilled size={10} aria-hidden="true" />
      {day.violations < 1000 ? day.violations : '999+'}
    </>
  )
}

/** Operators by days: whether each was kept. One cell takes the focus, arrows lead to the others; a press tells why. */
export function DayMatrix({ tallies, days, operatorName, chosen, onChoose }: Props) {
  const { t, i18n } = useTranslation()
  const [focused, setFocused] = useState<Place>({ row: 0, column: days.length - 1 })
  const body = useRef<HTMLTableSectionElement>(null)
  const at = {
    row: Math.min(focused.row, tallies.length - 1),
    column: Math.min(focused.column, days.length - 1),
  }
  const dayOfMonth = new Intl.DateTimeFormat(i18n.language, { day: 'numeric', timeZone: 'UTC' })
  const monthName = new Intl.DateTimeFormat(i18n.language, { month: 'short', timeZone: 'UTC' })
  const onKeyDown = (event: KeyboardEvent) => {
    const next = nextPlace(at, event.key, tallies.length, days.length)
    if (!next) return
    event.preventDefault()
    setFocused(next)
    body.current?.querySelector<HTMLElement>(`[data-cell="${next.row}-${next.column}"]`)?.focus()
  }
  return (
    <div className={styles['matrixBox']}>
      <table className={styles['matrix']} aria-label={t('compliance:matrix.label')}>
        <thead>
          <tr>
            <th scope="col">
              <span className="only-read">{t('compliance:table.operator')}</span>
            </th>
            {days.map((day, column) => (
              <th
                key={day}
                scope="col"
                data-weekend={weekdayOf(day) > 5 || undefined}
                aria-label={shortDay(day, i18n.language)}
              >
                <span className={styles['month']}>
                  {column === 0 || day.endsWith('-01') ? monthName.format(Date.parse(day)) : '\u00a0'}
                </span>
                {dayOfMonth.format(Date.parse(day))}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          {tallies.map(({ operator, days: of, violations }, row) => (
            <tr key={operator}>
              <th scope="row">
                <span>{operatorName(operator)}</span>{' '}
                <span className={styles['rowTotal']}>
                  {t('compliance:card.violations', { count: violations, shown: formatInteger(violations) })}
                </span>
              </th>
              {days.map((date, column) => {
                const day = of.get(date)
                if (!day)
                  return (
                    <td key={date}>
                      <span className="only-read">{t('kit:notAvailable')}</span>
                    </td>
                  )
                const isChosen = chosen?.operator === operator && chosen.date === date
                const text = t('compliance:matrix.cell', {
                  operator: operatorName(operator),
                  day: shortDay(date, i18n.language),
                  status: t(`compliance:status.${day.status}`),
                  reason: dayText(t, day),
                })
                return (
                  <td key={date}>
                    <UnstyledButton
                      className={styles['cell'] ?? ''}
                      data-cell={`${row}-${column}`}
                      data-status={day.status}
                      data-provisional={day.provisional || undefined}
                      data-uncertain={day.uncertain > 0 || undefined}
                      aria-pressed={isChosen}
                      aria-label={text}
                      title={text}
                      tabIndex={row === at.row && column === at.column ? 0 : -1}
                      onKeyDown={onKeyDown}
                      onFocus={() => setFocused({ row, column })}
                      onClick={() => onChoose(isChosen ? null : { operator, date })}
                    >
                      <Sign day={day} />
                    </UnstyledButton>
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
