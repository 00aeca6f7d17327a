import { Input, NativeSelect } from '@mantine/core'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { type LocalDay, dayNumber, dayFromNumber, startOfMonth, startOfNextMonth } from '#contract/period.ts'
import { rangeEnds, type RangeEnd } from './date-range.ts'
import styles from './month-range-picker.module.css'

/** First and last day of a range of months, clamped to the earliest and latest day. */
export interface MonthRange {
  from: LocalDay
  to: LocalDay
}

interface MonthBounds {
  minDate: LocalDay
  maxDate: LocalDay
}

/** First day of the earliest month to choose from, by default. */
export const earliestMonth: LocalDay = '2010-01-01'

const endOfMonth = (day: LocalDay): LocalDay => dayFromNumber(dayNumber(startOfNextMonth(day)) - 1)
const clamp = (day: LocalDay, { minDate, maxDate }: MonthBounds): LocalDay => {
  if (day < minDate) return minDate
  return day > maxDate ? maxDate : day
}
const toFirstDay = (year: number, month: number): LocalDay =>
  `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-01`

/** Sets the month of one end, clamped to the bounds; moves the other end if the range would be reversed. */
export function chooseMonth(
  range: MonthRange,
  end: RangeEnd,
  { year, month }: { year: number; month: number },
  bounds: MonthBounds,
): MonthRange {
  const clampedDay = clamp(toFirstDay(year, month), bounds)
  const selected = {
    from: clamp(startOfMonth(clampedDay), bounds),
    to: clamp(endOfMonth(clampedDay), bounds),
  }
  const current = { from: clamp(range.from, bounds), to: clamp(range.to, bounds) }
  if (end === 'from')
    return {
      from: selected.from,
      to: current.to < selected.from ? clamp(endOfMonth(selected.from), bounds) : current.to,
    }
  return {
    from: current.from > selected.to ? clamp(startOfMonth(selected.to), bounds) : current.from,
    to: selected.to,
  }
}

/** Whether no day of a month is within the bounds. */
export const isMonthOutside = (year: number, month: number, { minDate, maxDate }: MonthBounds): boolean =>
  toFirstDay(year, month) > maxDate || endOfMonth(toFirstDay(year, month)) < minDate

/** Returns the years of the bounds, in order. */
export function listYears({ minDate, maxDate }: MonthBounds): number[] {
  const first = Number(minDate.slice(0, 4))
  const last = Number(maxDate.slice(0, 4))
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index)
}

interface Props {
  label: string
  value: MonthRange
  /** Today in the region; the default of maxDate. */
  today: LocalDay
  onChange: (value: MonthRange) => void
  minDate?: LocalDay
  maxDate?: LocalDay
  error?: string | null
  disabled?: boolean
}

const months = Array.from({ length: 12 }, (_, index) => index + 1)

/** A field for a range of months: month and year of each end. */
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
  const monthFormat = new Intl.DateTimeFormat(i18n.language, { month: 'long', timeZone: 'UTC' })
  const getYearAndMonth = (end: RangeEnd): [number, number] => [
    Number(value[end].slice(0, 4)),
    Number(value[end].slice(5, 7)),
  ]
  const commonProps = { disabled, error: error !== null }
  return (
    <fieldset className={styles['field']} aria-describedby={error === null ? undefined : errorId}>
      <Input.Label component="legend" className={styles['label'] ?? ''}>
        {label}
      </Input.Label>
      {rangeEnds.map((end) => {
        const [year, month] = getYearAndMonth(end)
        const selectMonth = (nextYear: number, nextMonth: number): void =>
          onChange(chooseMonth(value, end, { year: nextYear, month: nextMonth }, bounds))
        return (
          <div key={end} className={styles['end']}>
            <span className={styles['name']} aria-hidden="true">
              {t(`kit:months.${end}`)}
            </span>
            <NativeSelect
              {...commonProps}
              aria-label={t(`kit:months.${end}Month`)}
              value={String(month)}
              onChange={(event) => selectMonth(year, Number(event.currentTarget.value))}
              data={months.map((option) => ({
                value: String(option),
                label: monthFormat.format(Date.UTC(2024, option - 1, 1)),
                disabled: isMonthOutside(year, option, bounds),
              }))}
            />
            <NativeSelect
              {...commonProps}
              aria-label={t(`kit:months.${end}Year`)}
              value={String(year)}
              onChange={(event) => selectMonth(Number(event.currentTarget.value), month)}
              data={listYears(bounds).map(String)}
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
