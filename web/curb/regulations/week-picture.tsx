import { useTranslation } from 'react-i18next'
import type { CdsTimeSpan } from '#contract/cds.ts'
import { CellGrid, HourHead } from '#web/kit/table/cell-grid.tsx'
import { weekdayName } from '#web/kit/weekdays.ts'
import styles from './regulations.module.css'
import { spanText, type TextContext } from '../rule-text.ts'
import { type HourState, weekOfSpans } from './week-of-spans.ts'
import { timeText } from '#web/kit/time/time-of-day.ts'

const states: readonly HourState[] = ['all', 'part', 'sometimes', 'none']

/** When a policy applies: a grid of 7 days by 24 hours, and the same in words. */
export function WeekPicture({ spans, context }: { spans: readonly CdsTimeSpan[]; context: TextContext }) {
  const { t, i18n } = useTranslation()
  const week = weekOfSpans(spans)
  return (
    <div className={styles['week']}>
      <ul className={styles['spans']}>
        {(spans.length ? spans : [{}]).map((span, index) => (
          <li key={index}>{spanText(context, span)}</li>
        ))}
      </ul>
      <CellGrid
        label={t('curb:regulations.week.label')}
        corner={<span className="only-read">{t('curb:regulations.week.day')}</span>}
        columns={Array.from({ length: 24 }, (_, hour) => ({
          key: String(hour),
          content: <HourHead hour={hour} step={6} />,
          isStrong: hour % 6 === 0,
        }))}
        rows={week.map((_, day) => ({
          key: String(day),
          content: weekdayName(day + 1, i18n.language, 'short'),
        }))}
        cellAt={(row, column) => {
          const state = week[row]?.[column] ?? 'none'
          return {
            text: t('curb:regulations.week.cell', {
              day: weekdayName(row + 1, i18n.language, 'long'),
              from: timeText({ hour: column, minute: 0 }),
              to: timeText({ hour: column + 1, minute: 0 }),
              state: t(`curb:regulations.week.${state}`),
            }),
            content: null,
            data: { 'data-state': state },
          }
        }}
        noCell=""
        cellClassName={styles['hour'] ?? ''}
        start={{ row: 0, column: 8 }}
        isWide
      />
      <ul className={styles['key']} aria-label={t('curb:regulations.week.key')}>
        {states.map((state) => (
          <li key={state}>
            <span className={styles['swatch']} data-state={state} aria-hidden="true" />
            {t(`curb:regulations.week.${state}`)}
          </li>
        ))}
      </ul>
    </div>
  )
}
