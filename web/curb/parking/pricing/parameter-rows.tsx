import { MultiSelect, NumberInput, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { PricingBand, PricingDayType, PricingStep } from '#contract/curb-pricing-parameters.ts'
import { toMajor, toMinor } from '#contract/money.ts'
import { EditableRows } from '#web/kit/table/editable-rows.tsx'
import { parseTypedNumber } from '#web/kit/typed-number.ts'
import { WeekdayToggle } from '#web/kit/weekday-toggle.tsx'
import { formatClock, toTimeOfDay, minutesPerDay } from '#web/kit/time/time-of-day.ts'
import styles from './pricing.module.css'
import { formatKeyName } from './pricing-text.ts'

interface RowsProps<T> {
  rows: readonly T[]
  onChange: (rows: T[]) => void
}

/** Parses a time such as `8:30` as minutes of the day. */
const parseMinutes = (time: string): number => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}
/** New bands start at 8:00 if there are none. */
const defaultBandStart = 8 * 60
/** Converts a share to percent with two decimals. */
export const toPercent = (share: number): number => Math.round(share * 10_000) / 100
export const toShare = (percent: number): number => Math.round(percent * 100) / 10_000
/** Returns a key that no other row uses. */
const getUnusedKey = (prefix: string, rows: readonly { key: string }[]): string => {
  for (let suffix = rows.length + 1; ; suffix++)
    if (!rows.some(({ key }) => key === `${prefix}${suffix}`)) return `${prefix}${suffix}`
}

const getLabels = (t: ReturnType<typeof useTranslation>['t'], kind: 'band' | 'dayType' | 'step') => ({
  rowLabel: (row: number) => t(`curb:pricing.rows.${kind}`, { row }),
  removeLabel: (row: number) =>
    t('curb:pricing.rows.remove', { name: t(`curb:pricing.rows.${kind}`, { row }) }),
  addLabel: t(`curb:pricing.rows.add.${kind}`),
})

/** Kinds of days with their own rates. */
export function DayTypeFields({ rows, onChange }: RowsProps<PricingDayType>) {
  const { t } = useTranslation()
  return (
    <fieldset className={styles['part']}>
      <legend>{t('curb:pricing.field.day_types')}</legend>
      <EditableRows
        rows={rows}
        onChange={onChange}
        createRow={(rows) => ({ key: getUnusedKey('days_', rows), weekdays: [1] })}
        {...getLabels(t, 'dayType')}
        renderFields={(row, change) => (
          <>
            <TextInput
              label={t('curb:pricing.rows.key')}
              value={row.key}
              onChange={(event) => change({ key: event.currentTarget.value })}
            />
            <WeekdayToggle
              label={t('curb:pricing.rows.weekdays')}
              value={row.weekdays}
              onChange={(weekdays) => change({ weekdays })}
            />
          </>
        )}
      />
    </fieldset>
  )
}

/** Parts of the day with their own rates. */
export function BandFields({
  rows,
  dayTypes,
  onChange,
}: RowsProps<PricingBand> & { dayTypes: readonly PricingDayType[] }) {
  const { t } = useTranslation()
  return (
    <fieldset className={styles['part']}>
      <legend>{t('curb:pricing.field.bands')}</legend>
      <EditableRows
        rows={rows}
        onChange={onChange}
        createRow={(rows) => ({
          key: getUnusedKey('band_', rows),
          from: rows.at(-1)?.until ?? defaultBandStart,
          until: minutesPerDay,
          day_types: [],
        })}
        {...getLabels(t, 'band')}
        renderFields={(row, change) => (
          <>
            <TextInput
              label={t('curb:pricing.rows.key')}
              value={row.key}
              onChange={(event) => change({ key: event.currentTarget.value })}
            />
            <TextInput
              label={t('curb:pricing.rows.from')}
              value={formatClock(toTimeOfDay(row.from))}
              onChange={(event) => change({ from: parseMinutes(event.currentTarget.value) })}
            />
            <TextInput
              label={t('curb:pricing.rows.until')}
              value={formatClock(toTimeOfDay(row.until))}
              onChange={(event) => change({ until: parseMinutes(event.currentTarget.value) })}
            />
            <MultiSelect
              label={t('curb:pricing.rows.dayTypes')}
              placeholder={row.day_types.length ? '' : t('curb:pricing.rows.allDays')}
              data={dayTypes.map(({ key }) => ({ value: key, label: formatKeyName(t, key) }))}
              value={row.day_types}
              onChange={(types) => change({ day_types: types })}
            />
          </>
        )}
      />
    </fieldset>
  )
}

/** The change of the rate at each level of occupancy. */
export function StepFields({
  rows,
  unit,
  currency,
  onChange,
}: RowsProps<PricingStep> & {
  /** What changes count: minor units of the currency (`amount`), or positions in the price menu (`menu`). */
  unit: 'amount' | 'menu'
  currency: string
}) {
  const { t } = useTranslation()
  const toInputValue = (change: number): number => (unit === 'menu' ? change : toMajor(change, currency))
  const fromInputValue = (value: number): number =>
    unit === 'menu' ? Math.round(value) : toMinor(value, currency)
  return (
    <fieldset className={styles['part']}>
      <legend>{t('curb:pricing.field.steps')}</legend>
      <p className={styles['hint']}>{t('curb:pricing.rows.stepsHint')}</p>
      <EditableRows
        rows={rows}
        onChange={onChange}
        createRow={(rows) => ({ from: rows.at(-1)?.until ?? 0, until: null, change: null })}
        {...getLabels(t, 'step')}
        renderFields={(row, change) => (
          <>
            <NumberInput
              label={t('curb:pricing.rows.fromShare')}
              suffix=" %"
              min={0}
              value={toPercent(row.from)}
              onChange={(value) => change({ from: toShare(Number(value)) })}
            />
            <NumberInput
              label={t('curb:pricing.rows.untilShare')}
              suffix=" %"
              min={0}
              placeholder={t('curb:pricing.rows.noLimit')}
              value={row.until === null ? '' : toPercent(row.until)}
              onChange={(value) => {
                const percent = parseTypedNumber(value)
                change({ until: percent === null ? null : toShare(percent) })
              }}
            />
            <NumberInput
              label={t(unit === 'menu' ? 'curb:pricing.rows.places' : 'curb:pricing.rows.change', {
                currency,
              })}
              value={row.change === null ? '' : toInputValue(row.change)}
              step={unit === 'menu' ? 1 : 0.25}
              onChange={(value) => {
                const typed = parseTypedNumber(value)
                change({ change: typed === null ? null : fromInputValue(typed) })
              }}
            />
          </>
        )}
      />
    </fieldset>
  )
}
