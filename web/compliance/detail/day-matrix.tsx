import { IconAlertTriangleFilled, IconCheck, IconMinus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { LocalDay } from '#contract/period.ts'
import { getWeekday } from '#contract/period.ts'
import { formatShortDay } from '#web/kit/dates/calendar-text.ts'
import { formatInteger } from '#web/kit/format.ts'
import { CellGrid, type GridCell } from '#web/kit/table/cell-grid.tsx'
import type { DayTally, OperatorTally } from '#web/policies/results/tally-records.ts'
import { formatDayTally } from './day-text.ts'
import styles from './detail.module.css'

export interface SelectedDay {
  operator: string
  date: LocalDay
}

interface Props {
  tallies: readonly OperatorTally[]
  days: readonly LocalDay[]
  operatorName: (slug: string) => string
  selected: SelectedDay | null
  onChoose: (selected: SelectedDay | null) => void
}

/** The sign of a day: not applicable, compliant, or its number of violations. */
function DaySign({ day }: { day: DayTally }) {
  if (day.status === 'not_applicable') return <IconMinus size={14} aria-hidden="true" />
  if (day.status === 'compliant') return <IconCheck size={14} aria-hidden="true" />
  return (
    <>
      <IconAlertTriangleFilled size={10} aria-hidden="true" />
      {day.violations < 1000 ? day.violations : '999+'}
    </>
  )
}

/** A table of operators by days that shows whether each complied. A press explains a day. */
export function DayMatrix({ tallies, days, operatorName, selected, onChoose }: Props) {
  const { t, i18n } = useTranslation()
  const dayFormat = new Intl.DateTimeFormat(i18n.language, { day: 'numeric', timeZone: 'UTC' })
  const monthFormat = new Intl.DateTimeFormat(i18n.language, { month: 'short', timeZone: 'UTC' })
  const isSelected = (operator: string, date: LocalDay): boolean =>
    selected?.operator === operator && selected.date === date
  const cellAt = (row: number, column: number): GridCell | null => {
    const tally = tallies[row]
    const date = days[column]
    const day = tally && date !== undefined ? tally.days.get(date) : undefined
    if (!tally || !day) return null
    return {
      text: t('compliance:matrix.cell', {
        operator: operatorName(tally.operator),
        day: formatShortDay(day.date, i18n.language),
        status: t(`compliance:status.${day.status}`),
        reason: formatDayTally(t, day),
      }),
      content: <DaySign day={day} />,
      isPressed: isSelected(tally.operator, day.date),
      data: {
        'data-status': day.status,
        'data-provisional': day.provisional || undefined,
        'data-uncertain': day.uncertain > 0 || undefined,
      },
    }
  }
  const handlePress = (row: number, column: number): void => {
    const operator = tallies[row]?.operator
    const date = days[column]
    if (operator !== undefined && date !== undefined)
      onChoose(isSelected(operator, date) ? null : { operator, date })
  }
  return (
    <div className={styles['matrix']}>
      <CellGrid
        label={t('compliance:matrix.label')}
        corner={<span className="visually-hidden">{t('compliance:table.operator')}</span>}
        columns={days.map((day, column) => ({
          key: day,
          label: formatShortDay(day, i18n.language),
          isStrong: getWeekday(day) > 5,
          content: (
            <>
              <span className={styles['month']}>
                {column === 0 || day.endsWith('-01') ? monthFormat.format(Date.parse(day)) : '\u00a0'}
              </span>
              {dayFormat.format(Date.parse(day))}
            </>
          ),
        }))}
        rows={tallies.map(({ operator, violations }) => ({
          key: operator,
          content: (
            <>
              <span className={styles['operator']}>{operatorName(operator)}</span>{' '}
              <span className={styles['rowTotal']}>
                {t('compliance:card.violations', { count: violations, shown: formatInteger(violations) })}
              </span>
            </>
          ),
        }))}
        cellAt={cellAt}
        noCell={t('kit:notAvailable')}
        cellClassName={styles['cell'] ?? ''}
        start={{ row: 0, column: days.length - 1 }}
        onPress={handlePress}
      />
    </div>
  )
}
