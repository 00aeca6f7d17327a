import { useTranslation } from 'react-i18next'
import { hourSigns } from './hour-signs.ts'
import styles from './hours-calendar.module.css'

/** What the colours and signs of the calendar mean. */
export function CalendarLegend() {
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
