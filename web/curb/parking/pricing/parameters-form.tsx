import { Button, MultiSelect, NumberInput, Select, Textarea, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  checkParameters,
  PricingParameters,
  type PricingPresetKey,
  pricingPresetKeys,
} from '#contract/curb-pricing-parameters.ts'
import { type OccupancyKind, occupancyKinds } from '#contract/curb-occupancy.ts'
import { pricingPresets } from '#contract/curb-pricing-presets.ts'
import { toMajor, toMinor } from '#contract/money.ts'
import type { LocalDay } from '#contract/period.ts'
import { DaysField } from '#web/kit/dates/days-field.tsx'
import { MoneyInput } from '#web/kit/money-input.tsx'
import { parseTypedNumber } from '#web/kit/typed-number.ts'
import { translateServerText } from '#web/i18n/server-text.ts'
import { BandFields, DayTypeFields, StepFields, toPercent, toShare } from './parameter-rows.tsx'
import styles from './pricing.module.css'
import { formatKeyName, formatRate } from './pricing-text.ts'

interface Props {
  parameters: PricingParameters
  currency: string
  today: LocalDay
  isPending: boolean
  onCalculate: (parameters: PricingParameters) => void
}

/** Splits typed prices at spaces, commas and semicolons. */
const splitPrices = (typed: string): string[] => typed.split(/[\s,;]+/).filter((price) => price !== '')

/** The parameters of a proposal: a preset, and all of its values to edit. */
export function ParametersForm({ parameters, currency, today, isPending, onCalculate }: Props) {
  const { t } = useTranslation()
  const [draft, setDraft] = useState(parameters)
  const [isDetailed, setIsDetailed] = useState(parameters.preset === null)
  const [menuText, setMenuText] = useState(parameters.menu.map((rate) => toMajor(rate, currency)).join(', '))
  const change = (changes: Partial<PricingParameters>): void => setDraft({ ...draft, ...changes })
  const applyPreset = (key: PricingPresetKey | null): void => {
    const fields = pricingPresets.find((preset) => preset.key === key)?.fields
    setDraft({ ...draft, ...fields, preset: key })
    if (fields) setMenuText(fields.menu.map((price) => toMajor(price, currency)).join(', '))
  }
  const draftWithMenu = {
    ...draft,
    // The price menu is hidden unless steps move along it.
    menu:
      draft.change_unit === 'menu'
        ? splitPrices(menuText).map((price) => toMinor(Number(price), currency))
        : [],
  }
  const parsed = PricingParameters.safeParse(draftWithMenu)
  const errors = parsed.success
    ? checkParameters(parsed.data)
    : parsed.error.issues.map(({ path, message }) => ({ field: path.join('.'), message }))
  return (
    <form
      className={styles['form']}
      aria-label={t('curb:pricing.form.title')}
      onSubmit={(event) => {
        event.preventDefault()
        if (parsed.success && !errors.length) onCalculate(parsed.data)
      }}
    >
      <PresetFields draft={draft} today={today} change={change} onPreset={applyPreset} />
      <details
        className={styles['details']}
        open={isDetailed || errors.length > 0}
        onToggle={(event) => setIsDetailed(event.currentTarget.open)}
      >
        <summary>{t('curb:pricing.form.details')}</summary>
        <OccupancyFields draft={draft} change={change} />
        <DayTypeFields rows={draft.day_types} onChange={(rows) => change({ day_types: rows })} />
        <BandFields
          rows={draft.bands}
          dayTypes={draft.day_types}
          onChange={(rows) => change({ bands: rows })}
        />
        <StepFields
          rows={draft.steps}
          unit={draft.change_unit}
          currency={currency}
          onChange={(rows) => change({ steps: rows })}
        />
        <LimitFields draft={draft} currency={currency} change={change}>
          {draft.change_unit === 'menu' ? (
            <TextInput
              label={t('curb:pricing.form.menu')}
              description={
                parsed.success ? parsed.data.menu.map((rate) => formatRate(rate, currency)).join(', ') : ''
              }
              placeholder="0.50 1.00 1.50"
              value={menuText}
              onChange={(event) => setMenuText(event.currentTarget.value)}
            />
          ) : null}
        </LimitFields>
      </details>
      {errors.length ? (
        <ul className={styles['errors']} aria-label={t('curb:pricing.form.errors')}>
          {errors.map(({ field, message }) => (
            <li key={`${field} ${message}`}>
              {formatParameterName(t, field)}: {message}
            </li>
          ))}
        </ul>
      ) : null}
      <div className={styles['buttons']}>
        <Button type="submit" disabled={errors.length > 0} loading={isPending}>
          {t('curb:pricing.form.calculate')}
        </Button>
      </div>
    </form>
  )
}

interface FieldProps {
  draft: PricingParameters
  change: (changes: Partial<PricingParameters>) => void
}

interface PresetFieldsProps extends FieldProps {
  today: LocalDay
  onPreset: (key: PricingPresetKey | null) => void
}

/** The preset with its sources, and the days that a proposal covers. */
function PresetFields({ draft, today, change, onPreset }: PresetFieldsProps) {
  const { t } = useTranslation()
  const preset = pricingPresets.find(({ key }) => key === draft.preset)
  return (
    <fieldset className={styles['part']}>
      <legend>{t('curb:pricing.form.preset')}</legend>
      <div className={styles['fields']}>
        <Select
          label={t('curb:pricing.form.presetLabel')}
          placeholder={t('curb:pricing.form.noPreset')}
          clearable
          data={pricingPresetKeys.map((key) => ({ value: key, label: t(`curb:pricing.preset.${key}`) }))}
          value={draft.preset}
          onChange={(key) => onPreset(key as PricingPresetKey | null)}
        />
        <DayField label={t('curb:pricing.form.start')} field="start_date" draft={draft} change={change} />
        <DayField label={t('curb:pricing.form.end')} field="end_date" draft={draft} change={change} />
        <DayField
          label={t('curb:pricing.form.effective')}
          field="effective_date"
          draft={draft}
          change={change}
        />
      </div>
      <DaysField
        label={t('curb:pricing.form.excluded')}
        description={t('curb:pricing.form.excludedHint')}
        days={draft.excluded_days}
        today={today}
        onChange={(days) => change({ excluded_days: days })}
      />
      {preset ? (
        <ul className={styles['notes']}>
          <li>{t('curb:pricing.form.source', { source: preset.source })}</li>
          {Object.entries(preset.notes).map(([field, note]) => (
            <li key={field}>
              {t(`curb:pricing.field.${field}`)}: {translateServerText(note)}
            </li>
          ))}
          {preset.unspecified.length ? (
            <li>
              {t('curb:pricing.form.open', {
                fields: preset.unspecified.map((field) => t(`curb:pricing.field.${field}`)).join(', '),
              })}
            </li>
          ) : null}
        </ul>
      ) : null}
    </fieldset>
  )
}

/** Which occupancy counts, and how much of it is required. */
function OccupancyFields({ draft, change }: FieldProps) {
  const { t } = useTranslation()
  return (
    <fieldset className={styles['part']}>
      <legend>{t('curb:pricing.form.occupancy')}</legend>
      <div className={styles['fields']}>
        <MultiSelect
          className={styles['wide'] ?? ''}
          label={t('curb:pricing.form.kinds')}
          description={t('curb:pricing.form.kindsHint')}
          data={occupancyKinds.map((kind) => ({ value: kind, label: t(`curb:pricing.kind.${kind}`) }))}
          value={draft.kinds}
          onChange={(kinds) => change({ kinds: kinds as OccupancyKind[] })}
        />
        <NumberField
          label={t('curb:pricing.form.minDays')}
          value={draft.min_days}
          onChange={(value) => change({ min_days: value ?? 1 })}
        />
        <PercentField
          label={t('curb:pricing.form.minCoverage')}
          value={draft.min_coverage}
          onChange={(value) => change({ min_coverage: value ?? 0 })}
        />
      </div>
      {draft.kinds.includes('paid') ? (
        <Textarea
          label={t('curb:pricing.form.paidReason')}
          description={t('curb:pricing.form.paidReasonHint')}
          required
          value={draft.paid_reason ?? ''}
          onChange={(event) => change({ paid_reason: event.currentTarget.value || null })}
        />
      ) : null}
    </fieldset>
  )
}

interface LimitFieldsProps extends FieldProps {
  currency: string
  /** Fields of the price menu. */
  children: ReactNode
}

/** The target occupancy, and the limits of prices and their changes. */
function LimitFields({ draft, currency, change, children }: LimitFieldsProps) {
  const { t } = useTranslation()
  const changeMax = (changes: Partial<PricingParameters['max_change']>): void =>
    change({ max_change: { ...draft.max_change, ...changes } })
  return (
    <fieldset className={styles['part']}>
      <legend>{t('curb:pricing.form.limits')}</legend>
      <div className={styles['fields']}>
        <PercentField
          label={t('curb:pricing.form.targetFrom')}
          value={draft.target.from}
          onChange={(value) => change({ target: { ...draft.target, from: value ?? 0 } })}
        />
        <PercentField
          label={t('curb:pricing.form.targetUntil')}
          value={draft.target.until}
          onChange={(value) => change({ target: { ...draft.target, until: value ?? 0 } })}
        />
        <PriceField
          label={t('curb:pricing.form.floor')}
          value={draft.floor}
          onChange={(floor) => change({ floor })}
          currency={currency}
        />
        <PriceField
          label={t('curb:pricing.form.ceiling')}
          value={draft.ceiling}
          onChange={(ceiling) => change({ ceiling })}
          currency={currency}
        />
        <PriceField
          label={t('curb:pricing.form.maxAmount')}
          value={draft.max_change.amount}
          onChange={(amount) => changeMax({ amount })}
          currency={currency}
          placeholder={t('curb:pricing.form.noLimit')}
        />
        <PercentField
          label={t('curb:pricing.form.maxShare')}
          value={draft.max_change.share}
          onChange={(share) => changeMax({ share })}
          placeholder={t('curb:pricing.form.noLimit')}
        />
        <Select
          label={t('curb:pricing.form.shareOf')}
          allowDeselect={false}
          data={(['current', 'base'] as const).map((reference) => ({
            value: reference,
            label: t(`curb:pricing.form.of.${reference}`),
          }))}
          value={draft.max_change.of}
          onChange={(reference) => changeMax({ of: reference === 'base' ? 'base' : 'current' })}
        />
        {draft.max_change.of === 'base' ? (
          <PriceField
            label={t('curb:pricing.form.base')}
            value={draft.max_change.base_rate}
            onChange={(rate) => changeMax({ base_rate: rate })}
            currency={currency}
          />
        ) : null}
        <NumberField
          label={t('curb:pricing.form.minDaysBetween')}
          value={draft.min_days_between}
          onChange={(value) => change({ min_days_between: value })}
        />
        <PriceField
          label={t('curb:pricing.form.rounding')}
          value={draft.rounding}
          onChange={(value) => change({ rounding: value ?? 1 })}
          currency={currency}
        />
        <Select
          label={t('curb:pricing.form.unit')}
          allowDeselect={false}
          data={(['amount', 'menu'] as const).map((unit) => ({
            value: unit,
            label: t(`curb:pricing.form.units.${unit}`),
          }))}
          value={draft.change_unit}
          onChange={(unit) => change({ change_unit: unit === 'menu' ? 'menu' : 'amount' })}
        />
        {children}
      </div>
    </fieldset>
  )
}

interface DayFieldProps extends FieldProps {
  label: string
  field: 'start_date' | 'end_date' | 'effective_date'
}

function DayField({ label, field, draft, change }: DayFieldProps) {
  return (
    <TextInput
      type="date"
      label={label}
      value={draft[field]}
      onChange={(event) => change({ [field]: event.currentTarget.value })}
    />
  )
}

interface NumberFieldProps {
  label: string
  value: number | null
  onChange: (value: number | null) => void
  placeholder?: string
  suffix?: string
}

function NumberField({ value, onChange, suffix = '', placeholder = '', label }: NumberFieldProps) {
  return (
    <NumberInput
      label={label}
      value={value ?? ''}
      min={0}
      suffix={suffix}
      placeholder={placeholder}
      onChange={(next) => onChange(parseTypedNumber(next))}
    />
  )
}

/** A field for a share, which is typed in percent. */
function PercentField({ value, onChange, ...props }: NumberFieldProps) {
  return (
    <NumberField
      {...props}
      suffix=" %"
      value={value === null ? null : toPercent(value)}
      onChange={(percent) => onChange(percent === null ? null : toShare(percent))}
    />
  )
}

interface PriceFieldProps extends NumberFieldProps {
  currency: string
}

/** A field for an amount in minor units, which is typed in major units. */
function PriceField({ label, currency, value, onChange, placeholder }: PriceFieldProps) {
  return (
    <MoneyInput
      label={label}
      currency={currency}
      value={value === null ? null : toMajor(value, currency)}
      onChange={(amount) => onChange(amount === null ? null : toMinor(amount, currency))}
      {...(placeholder === undefined ? {} : { placeholder })}
    />
  )
}

/** Formats the name of a parameter: `steps.1.from` as `Steps 2`. */
function formatParameterName(t: ReturnType<typeof useTranslation>['t'], field: string): string {
  const [name = '', index] = field.split('.')
  const label = t(`curb:pricing.field.${name}`, { defaultValue: formatKeyName(t, name) })
  return index !== undefined && /^\d+$/.test(index) ? `${label} ${Number(index) + 1}` : label
}
