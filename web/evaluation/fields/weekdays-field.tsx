import { Input } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import styles from './weekdays-field.module.css'

interface Props {
  /** Monday 1 to Sunday 7; none means all. */
  value: readonly number[]
  onChange: (value: number[]) => void
}

const week = [1, 2, 3, 4, 5, 6, 7]
/** The first of January 2024 was a Monday. */
const dayName = (day: number, language: string, weekday: 'short' | 'long'): string => new Intl.DateTimeFormat(language, { weekday, timeZone: 'UTC' }).format(Date.UTC(2024, 0, day))

export function WeekdaysField({ value, onChange }: Props) {
  const { t, i18n } = useTranslation()
  const chosen = value.length === 0 ? week : value
  const toggle = (day: number): void => {
    const next = week.filter((each) => (each === day ? !chosen.includes(day) : chosen.includes(each)))
    onChange(next.length === week.length ? [] : next)
  }
  return (
    <div role="group" aria-label={t('evaluation:weekdays')}>
      <Input.Label component="div" aria-hidden="true">{t('evaluation:weekdays')}</Input.Label>
      <div className={styles['days']}>
        {week.map((day) => (
          <button key={day} type="button" className={styles['day']} aria-pressed={chosen.includes(day)} aria-label={dayName(day, i18n.language, 'long')} onClick={() => toggle(day)}>
            {dayName(day, i18n.language, 'short').slice(0, 3)}
          </button>
        ))}
      </div>
    </div>
  )
}
