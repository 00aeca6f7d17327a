import { Input } from '@mantine/core'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { isoSunday, isWeekend, formatWeekday, orderedWeekdays } from './weekdays.ts'
import styles from './weekday-toggle.module.css'

interface Props {
  label: string
  /** ISO weekdays, Monday 1 to Sunday 7. */
  value: readonly number[]
  /** Called with the selected days, sorted. */
  onChange: (value: number[]) => void
  /** First day of the displayed week. */
  weekStart?: number
  error?: string | null
  disabled?: boolean
}

/** Toggle buttons for the days of the week. */
export function WeekdayToggle({
  label,
  value,
  onChange,
  weekStart = isoSunday,
  error = null,
  disabled,
}: Props) {
  const { i18n } = useTranslation()
  const errorId = useId()
  const toggle = (day: number): void =>
    onChange(
      orderedWeekdays(1).filter((weekday) =>
        weekday === day ? !value.includes(day) : value.includes(weekday),
      ),
    )
  return (
    <div role="group" aria-label={label} aria-describedby={error === null ? undefined : errorId}>
      <Input.Label component="div" aria-hidden="true">
        {label}
      </Input.Label>
      <div className={styles['days']} data-error={error !== null || undefined}>
        {orderedWeekdays(weekStart).map((day) => (
          <button
            key={day}
            type="button"
            className={styles['day']}
            data-weekend={isWeekend(day) || undefined}
            disabled={disabled}
            aria-pressed={value.includes(day)}
            aria-label={formatWeekday(day, i18n.language, 'long')}
            onClick={() => toggle(day)}
          >
            {formatWeekday(day, i18n.language, 'short').slice(0, 3)}
          </button>
        ))}
      </div>
      {error === null ? null : (
        <Input.Error id={errorId} mt={4}>
          {error}
        </Input.Error>
      )}
    </div>
  )
}
