import { Input, NativeSelect } from '@mantine/core'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { type LocalDay, dayNumber, dayFromNumber, startOfMonth } from '#contract/period.ts'
import { rangeEnds, type RangeEnd } from './date-range.ts'
import styles from './month-range-picker.module.css'

/** Whole months by their first and last day, cut at the earliest and the latest day. */
export interface MonthRange {
  from: LocalDay
  to: LocalDay
}

interface MonthBounds {
  minDate: LocalDay
  maxDate: LocalDay
}

export const earliestMonth: LocalDay = '2010-01-01'

const endOfMonth = (day: LocalDay): LocalDay => dayFromNumber(dayNumber(startOfMonth(day, -1)) - 1)
const clamp = (day: LocalDay, { minDate, maxDate }: MonthBounds): LocalDay =>
  day < minDate ? minDate : day > maxDate ? maxDate : day
const monthStart = (year: number, month: number): LocalDay =>
  `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-01`

/** A month chosen for one end: the nearest within the bounds, and the other end moves along where it would be passed. */
export function chooseMonth(
  range: MonthRange,
  end: RangeEnd,
  year: number,
  month: number,
  bounds: MonthBounds,
): MonthRange {
  const within = clamp(monthStart(year, month), bounds)
  const chosen = { from: clamp(startOfMonth(within), bounds), to: clamp(endOfMonth(within), bounds) }
  const current = { from: clamp(range.from, bounds), to: clamp(range.to, bounds) }
  if (end === 'from')
    return {
      from: chosen.from,
      to: current.to < chosen.from ? clamp(endOfMonth(chosen.from), bounds) : current.to,
    }
  return {
    from: current.from > chosen.to ? clamp(startOfMonth(chosen.to), bounds) : current.from,
    to: chosen.to,
  }
}

export const isMonthOutside = (year: number, month: number, { minDate, maxDate }: MonthBounds): boolean =>
  monthStart(year, month) > maxDate || endOfMonth(monthStart(year, month)) < minDate

export function yearsWithin({ minDate, maxDate }: MonthBounds): number[] {
  const [first, last] = [Number(minDate.slice(0, 4)), Number(maxDate.slice(0, 4))]
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, k) => first + k)
}

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
