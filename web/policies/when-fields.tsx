import { useTranslation } from 'react-i18next'
import type { LocalDay } from '#contract/period.ts'
import { displayEndTime, displayStartTime } from '#contract/policy-types/policy-times.ts'
import { DateRangePicker } from '#web/kit/dates/date-range-picker.tsx'
import { TimeInput } from '#web/kit/time/time-input.tsx'
import { WeekdaysField } from '#web/filters/weekdays-field.tsx'
import { toClock, runsOvernight, parseOptionalClock } from './clock-text.ts'
import styles from './editor.module.css'
import type { FieldProps } from './field-props.ts'

interface Props extends FieldProps {
  today: LocalDay
}

/** The fields of period, days and times. */
export function WhenFields({ draft, change, errorFor, offers, today }: Props) {
  const { t } = useTranslation()
  return (
    <>
      <DateRangePicker
        label={t('policies:field.dates')}
        range={{ from: draft.start_date, to: draft.end_date }}
        today={today}
        error={errorFor('end_date')}
        onChange={({ from, to }) => change({ start_date: from, end_date: to })}
      />
      {offers('days') ? (
        <WeekdaysField
          label={t('policies:field.days')}
          value={draft.days}
          onChange={(days) => change({ days })}
        />
      ) : null}
      {offers('start_time') ? (
        <>
          <div className={styles['pair']}>
            <TimeInput
              label={t('policies:field.start_time')}
              value={parseOptionalClock(displayStartTime(draft.start_time))}
              error={errorFor('start_time')}
              onChange={(time) => change({ start_time: toClock(time) })}
            />
            <TimeInput
              label={t('policies:field.end_time')}
              value={parseOptionalClock(displayEndTime(draft.end_time))}
              error={errorFor('end_time')}
              onChange={(time) => change({ end_time: toClock(time) })}
            />
          </div>
          <p className={styles['hint']} role="status">
            {runsOvernight(draft.start_time, draft.end_time)
              ? t('policies:when.overnight')
              : t('policies:when.hours')}
          </p>
        </>
      ) : null}
    </>
  )
}
