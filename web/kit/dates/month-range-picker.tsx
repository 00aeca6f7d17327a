import { Input, NativeSelect } from '@mantine/core'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { LocalDay } from '#contract/period.ts'
import { rangeEnds, type RangeEnd } from './date-range.ts'
import styles from './month-range-picker.module.css'
import { chooseMonth, earliestMonth, isMonthOutside, yearsWithin, type MonthRange } from './month-range.ts'

interface Props {
  label: string
  value: MonthRange
  /** The region's day of today: no month after it unless maxDate says so. */
  today: LocalDay
  onChange: (value: MonthRange) => void
  minDate?: LocalDay
  maxDate?: LocalDay
  error?: string | null
  disabled?: boolean
}

const months = Array.from({ length: 12 }, (_, k) => k + 1)

/** From a month and year to a month and year. */
export function MonthRangePicker({
  label,
  value,
  today,
  onChange,
  minDate = earliestMonth,
  maxDate = today,
  error = null,
  disabled,
}: Props) {
  const { t, i18n } = useTranslation()
  const errorId = useId()
  const bounds = { minDate, maxDate }
  const name = new Intl.DateTimeFormat(i18n.language, { month: 'long', timeZone: 'UTC' })
  const partsOf = (end: RangeEnd): [number, number] => [
    Number(value[end].slice(0, 4)),
    Number(value[end].slice(5, 7)),
  ]
  const usual = { disabled, error: error !== null }

  return (
    <fieldset className={styles['field']} aria-describedby={error === null ? undefined : errorId}>
      <Input.Label component="legend" className={styles['label'] ?? ''}>
        {label}
      </Input.Label>
      {rangeEnds.map((end) => {
        const [year, month] = partsOf(end)
        const choose = (nextYear: number, nextMonth: number): void =>
          onChange(chooseMonth(value, end, nextYear, nextMonth, bounds))
        return (
          <div key={end} className={styles['end']}>
            <span className={styles['name']} aria-hidden="true">
              {t(`kit:months.${end}`)}
            </span>
            <NativeSelect
              {...usual}
              aria-label={t(`kit:months.${end}Month`)}
              value={String(month)}
              onChange={(event) => choose(year, Number(event.currentTarget.value))}
              data={months.map((each) => ({
                value: String(each),
                label: name.format(Date.UTC(2024, each - 1, 1)),
                disabled: isMonthOutside(year, each, bounds),
              }))}
            />
            <NativeSelect
              {...usual}
              aria-label={t(`kit:months.${end}Year`)}
              value={String(year)}
              onChange={(event) => choose(Number(event.currentTarget.value), month)}
              data={yearsWithin(bounds).map(String)}
            />
          </div>
        )
      })}
      {error === null ? null : (
        <Input.Error id={errorId} className={styles['error'] ?? ''}>
          {error}
        </Input.Error>
      )}
    </fieldset>
  )
}
