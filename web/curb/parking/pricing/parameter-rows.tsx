import { MultiSelect, NumberInput, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { PricingBand, PricingDayType, PricingStep } from '#contract/curb-pricing-parameters.ts'
import { toMajor, toMinor } from '#contract/money.ts'
import { EditableRows } from '#web/kit/table/editable-rows.tsx'
import { typedNumber } from '#web/kit/typed-number.ts'
import { WeekdayToggle } from '#web/kit/weekday-toggle.tsx'
import { formatTime, minutesToTime } from '#web/kit/time/time-of-day.ts'
import styles from './pricing.module.css'
import { nameOfKey } from './pricing-text.ts'

interface Rows<T> {
  rows: readonly T[]
  onChange: (rows: T[]) => void
}

const minutesIn = (time: string): number => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}
/** Returns a key that no other row uses. */
const freeKey = (prefix: string, taken: readonly { key: string }[]): string => {
  for (let number = taken.length + 1; ; number++)
    if (!taken.some(({ key }) => key === `${prefix}${number}`)) return `${prefix}${number}`
}

const getLabels = (t: ReturnType<typeof useTranslation>['t'], what: 'band' | 'dayType' | 'step') => ({
  rowLabel: (row: number) => t(`curb:pricing.rows.${what}`, { row }),
  removeLabel: (row: number) =>
    t('curb:pricing.rows.remove', { name: t(`curb:pricing.rows.${what}`, { row }) }),
  addLabel: t(`curb:pricing.rows.add.${what}`),
})

/** Kinds of days with their own rates. */
export function DayTypeFields({ rows, onChange }: Rows<PricingDayType>) {
  const { t } = useTranslation()
  return (
    <fieldset className={styles['part']}>
      <legend>{t('curb:pricing.field.day_types')}</legend>
      <EditableRows
        rows={rows}
        onChange={onChange}
        createRow={(rows) => ({ key: freeKey('days_', rows), weekdays: [1] })}
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
}: Rows<PricingBand> & { dayTypes: readonly PricingDayType[] }) {
  const { t } = useTranslation()
  return (
    <fieldset className={styles['part']}>
      <legend>{t('curb:pricing.field.bands')}</legend>
      <EditableRows
        rows={rows}
        onChange={onChange}
        createRow={(rows) => ({
          key: freeKey('band_', rows),
          from: rows.at(-1)?.until ?? 480,
          until: 1440,
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
              value={formatTime(minutesToTime(row.from))}
              onChange={(event) => change({ from: minutesIn(event.currentTarget.value) })}
            />
            <TextInput
              label={t('curb:pricing.rows.until')}
              value={formatTime(minutesToTime(row.until))}
              onChange={(event) => change({ until: minutesIn(event.currentTarget.value) })}
            />
            <MultiSelect
              label={t('curb:pricing.rows.dayTypes')}
              placeholder={row.day_types.length ? '' : t('curb:pricing.rows.allDays')}
              data={dayTypes.map(({ key }) => ({ value: key, label: nameOfKey(t, key) }))}
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
}: Rows<PricingStep> & { unit: 'amount' | 'menu'; currency: string }) {
  const { t } = useTranslation()
  const toField = (change: number): number => (unit === 'menu' ? change : toMajor(change, currency))
  const fromField = (value: number): number =>
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
              value={Math.round(row.from * 10_000) / 100}
              onChange={(value) => change({ from: Math.round(Number(value) * 100) / 10_000 })}
            />
            <NumberInput
              label={t('curb:pricing.rows.untilShare')}
              suffix=" %"
              min={0}
              placeholder={t('curb:pricing.rows.noLimit')}
              value={row.until === null ? '' : Math.round(row.until * 10_000) / 100}
              onChange={(value) => {
                const percent = typedNumber(value)
                change({ until: percent === null ? null : Math.round(percent * 100) / 10_000 })
              }}
            />
            <NumberInput
              label={t(unit === 'menu' ? 'curb:pricing.rows.places' : 'curb:pricing.rows.change', {
                currency,
              })}
              value={row.change === null ? '' : toField(row.change)}
              step={unit === 'menu' ? 1 : 0.25}
              onChange={(value) => {
                const typed = typedNumber(value)
                change({ change: typed === null ? null : fromField(typed) })
              }}
            />
          </>
        )}
      />
    </fieldset>
  )
}
