import { useTranslation } from 'react-i18next'
import { type CdsTimeSpan, cdsWeekdays } from '#contract/cds.ts'
import { CellGrid, HourHead } from '#web/kit/table/cell-grid.tsx'
import { formatWeekday } from '#web/kit/weekdays.ts'
import { formatTimeOfDay } from '#web/kit/time/time-of-day.ts'
import styles from './regulations.module.css'
import { formatTimeSpan, type TextContext } from '../rule-text.ts'
import { type HourState, getWeekOfSpans } from './week-of-spans.ts'
import type { RegulationCheck } from './use-regulation-check.ts'

/** The hour that the Tab key focuses first. */
const firstFocusedHour = 8
type CellState = HourState | 'overridden'
const states: readonly CellState[] = ['all', 'part', 'sometimes', 'none', 'overridden']

interface Props {
  spans: readonly CdsTimeSpan[]
  /** Undefined while the first check runs. */
  check: RegulationCheck | undefined
  context: TextContext
}

/** Returns the hours of a week in which another policy takes precedence; null if there are none. */
function getOverriddenWeek(check: RegulationCheck | undefined): HourState[][] | null {
  const times = (check?.precedences ?? []).flatMap((precedence) =>
    precedence.is_other_first ? precedence.times : [],
  )
  return times.length
    ? getWeekOfSpans(
        times.map(({ days, from, until }) => ({
          days_of_week: days.map((day) => cdsWeekdays[day % 7]!),
          time_of_day_start: from,
          time_of_day_end: until,
        })),
      )
    : null
}

/** When a policy applies: in words, and as a grid of 7 days by 24 hours. */
export function WeekPicture({ spans, check, context }: Props) {
  const { t, i18n } = useTranslation()
  const week = getWeekOfSpans(spans)
  const overridden = getOverriddenWeek(check)
  return (
    <div className={styles['week']}>
      <ul className={styles['spans']}>
        {(spans.length ? spans : [{}]).map((span, index) => (
          <li key={index}>{formatTimeSpan(context, span)}</li>
        ))}
      </ul>
      <CellGrid
        label={t('curb:regulations.week.label')}
        corner={<span className="visually-hidden">{t('curb:regulations.week.day')}</span>}
        columns={Array.from({ length: 24 }, (_, hour) => ({
          key: String(hour),
          content: <HourHead hour={hour} step={6} />,
          isStrong: hour % 6 === 0,
        }))}
        rows={week.map((_, day) => ({
          key: String(day),
          content: formatWeekday(day + 1, i18n.language, 'short'),
        }))}
        cellAt={(row, column) => {
          const ownState = week[row]?.[column] ?? 'none'
          const state: CellState =
            ownState !== 'none' && overridden && overridden[row]?.[column] !== 'none'
              ? 'overridden'
              : ownState
          return {
            text: t('curb:regulations.week.cell', {
              day: formatWeekday(row + 1, i18n.language, 'long'),
              from: formatTimeOfDay({ hour: column, minute: 0 }),
              to: formatTimeOfDay({ hour: column + 1, minute: 0 }),
              state: t(`curb:regulations.week.${state}`),
            }),
            content: null,
            data: { 'data-state': state },
          }
        }}
        noCell=""
        cellClassName={styles['hour'] ?? ''}
        start={{ row: 0, column: firstFocusedHour }}
        isWide
      />
      <ul className={styles['key']} aria-label={t('curb:regulations.week.key')}>
        {states
          .filter((state) => state !== 'overridden' || overridden)
          .map((state) => (
            <li key={state}>
              <span className={styles['swatch']} data-state={state} aria-hidden="true" />
              {t(`curb:regulations.week.${state}`)}
            </li>
          ))}
      </ul>
    </div>
  )
}
