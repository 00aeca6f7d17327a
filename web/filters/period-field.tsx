import { useTranslation } from 'react-i18next'
import { defaultPeriod, type LocalDay } from '#contract/period.ts'
import { DateRangePicker } from '#web/kit/dates/date-range-picker.tsx'
import type { Period } from './period.ts'

interface Props {
  value: Period
  today: LocalDay
  /** Maximum number of days. */
  maxDays?: number | undefined
  onChange: (value: Period) => void
}

/** Without the modes that leave an end open. */
const modes = ['custom', 'singleDay', 'thisMonth', 'lastMonth'] as const

/** A preset, or the days of a calendar. */
export function PeriodField({ value, today, maxDays, onChange }: Props) {
  const { t } = useTranslation()
  const defaults = defaultPeriod(today)
  return (
    <DateRangePicker
      label={t('filters:period.label')}
      range={{ from: value.start_date, to: value.end_date }}
      today={today}
      maxDate={today}
      requireDates
      dropdownOptions={modes}
      morePresets={[
        { label: t('filters:period.usual'), range: { from: defaults.start_date, to: defaults.end_date } },
      ]}
      {...(maxDays === undefined ? {} : { rangeLimit: maxDays })}
      onChange={({ from, to }) => {
        if (from !== null && to !== null) onChange({ start_date: from, end_date: to })
      }}
    />
  )
}
