import { useTranslation } from 'react-i18next'
import { WeekdayToggle } from '#web/kit/weekday-toggle.tsx'
import { orderedWeekdays } from '#web/kit/weekdays.ts'

interface Props {
  label?: string
  /** Monday 1 to Sunday 7; none means all. */
  value: readonly number[]
  onChange: (value: number[]) => void
}

/** Chooses the days of the week to include. */
export function WeekdaysField({ label, value, onChange }: Props) {
  const { t } = useTranslation()
  const week = orderedWeekdays(1)
  return (
    <WeekdayToggle
      label={label ?? t('filters:weekdays')}
      value={value.length === 0 ? week : value}
      onChange={(days) => onChange(days.length === week.length ? [] : days)}
    />
  )
}
