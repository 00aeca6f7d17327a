import { Button, MultiSelect, NumberInput, Select, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
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
import { typedNumber } from '#web/kit/typed-number.ts'
import { BandFields, DayTypeFields, StepFields } from './parameter-rows.tsx'
import styles from './pricing.module.css'
import { nameOfKey, rateText } from './pricing-text.ts'
import { serverText } from '#web/i18n/server-text.ts'

interface Props {
  parameters: PricingParameters
  currency: string
  today: LocalDay
  isPending: boolean
  onCalculate: (parameters: PricingParameters) => void
}

/** Splits typed prices at spaces and commas. */
const wordsIn = (text: string): string[] => text.split(/[\s,;]+/).filter((word) => word !== '')
const percentDigits = 10_000
const toShare = (percent: number): number => Math.round(percent * 100) / percentDigits
const toPercent = (share: number): number => Math.round(share * percentDigits) / 100

/** The parameters of a proposal: a preset, and all of its values to edit. */
export function ParametersForm({ parameters, currency, today, isPending, onCalculate }: Props) {
  const { t } = useTranslation()
  const [draft, setDraft] = useState(parameters)
  const [isDetailed, setDetailed] = useState(parameters.preset === null)
  const [menu, setMenu] = useState(parameters.menu.map((price) => toMajor(price, currency)).join(', '))
  const change = (part: Partial<PricingParameters>): void => setDraft({ ...draft, ...part })
  const changeMax = (part: Partial<PricingParameters['max_change']>): void =>
    change({ max_change: { ...draft.max_change, ...part } })
  const preset = pricingPresets.find(({ key }) => key === draft.preset)
  const choosePreset = (key: PricingPresetKey | null): void => {
    const fields = pricingPresets.find((each) => each.key === key)?.fields
    setDraft({ ...draft, ...fields, preset: key })
    if (fields) setMenu(fields.menu.map((price) => toMajor(price, currency)).join(', '))
  }
  const complete = {
    ...draft,
    // The price menu is hidden unless steps move along it.
    menu: draft.change_unit === 'menu' ? wordsIn(menu).map((price) => toMinor(Number(price), currency)) : [],
  }
  const parsed = PricingParameters.safeParse(complete)
  const errors = parsed.success
    ? checkParameters(parsed.data)
    : parsed.error.issues.map(({ path, message }) => ({ field: path.join('.'), message }))
  const money = (
    label: string,
    value: number | null,
    set: (minor: number | null) => void,
    placeholder?: string,
  ) => (
    <MoneyInput
      label={label}
      currency={currency}
      value={value === null ? null : toMajor(value, currency)}
      onChange={(amount) => set(amount === null ? null : toMinor(amount, currency))}
      {...(placeholder === undefined ? {} : { placeholder })}
    />
  )
  const day = (label: string, field: 'start_date' | 'end_date' | 'effective_date') => (
    <TextInput
      type="date"
      label={label}
      value={draft[field]}
      onChange={(event) => change({ [field]: event.currentTarget.value })}
    />
  )
  const number = (
    label: string,
    value: number | null,
    set: (value: number | null) => void,
    suffix = '',
    placeholder = '',
  ) => (
    <NumberInput
      label={label}
      value={value ?? ''}
      min={0}
      suffix={suffix}
      placeholder={placeholder}
      onChange={(next) => set(typedNumber(next))}
    />
  )
  return (
    <form
      className={styles['form']}
      aria-label={t('curb:pricing.form.title')}
      onSubmit={(event) => {
        event.preventDefault()
        if (parsed.success && !errors.length) onCalculate(parsed.data)
      }}
    >
      <fieldset className={styles['part']}>
        <legend>{t('curb:pricing.form.preset')}</legend>
        <div className={styles['fields']}>
          <Select
            label={t('curb:pricing.form.presetLabel')}
            placeholder={t('curb:pricing.form.noPreset')}
            clearable
            data={pricingPresetKeys.map((key) => ({ value: key, label: t(`curb:pricing.preset.${key}`) }))}
            value={draft.preset}
            onChange={(key) => choosePreset(key as PricingPresetKey | null)}
          />
          {day(t('curb:pricing.form.start'), 'start_date')}
          {day(t('curb:pricing.form.end'), 'end_date')}
          {day(t('curb:pricing.form.effective'), 'effective_date')}
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
            {Object.entries(preset.readings).map(([field, reading]) => (
              <li key={field}>
                {t(`curb:pricing.field.${field}`)}: {serverText(reading)}
              </li>
            ))}
            {preset.open.length ? (
              <li>
                {t('curb:pricing.form.open', {
                  fields: preset.open.map((field) => t(`curb:pricing.field.${field}`)).join(', '),
                })}
              </li>
            ) : null}
          </ul>
        ) : null}
      </fieldset>
      <details
        className={styles['details']}
        open={isDetailed || errors.length > 0}
        onToggle={(event) => setDetailed(event.currentTarget.open)}
      >
        <summary>{t('curb:pricing.form.details')}</summary>
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
            {number(t('curb:pricing.form.minDays'), draft.min_days, (value) =>
              change({ min_days: value ?? 1 }),
            )}
            {number(
              t('curb:pricing.form.minCoverage'),
              toPercent(draft.min_coverage),
              (value) => change({ min_coverage: toShare(value ?? 0) }),
              ' %',
            )}
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
        <fieldset className={styles['part']}>
          <legend>{t('curb:pricing.form.limits')}</legend>
          <div className={styles['fields']}>
            {number(
              t('curb:pricing.form.targetFrom'),
              toPercent(draft.target.from),
              (value) => change({ target: { ...draft.target, from: toShare(value ?? 0) } }),
              ' %',
            )}
            {number(
              t('curb:pricing.form.targetUntil'),
              toPercent(draft.target.until),
              (value) => change({ target: { ...draft.target, until: toShare(value ?? 0) } }),
              ' %',
            )}
            {money(t('curb:pricing.form.floor'), draft.floor, (floor) => change({ floor }))}
            {money(t('curb:pricing.form.ceiling'), draft.ceiling, (ceiling) => change({ ceiling }))}
            {money(
              t('curb:pricing.form.maxAmount'),
              draft.max_change.amount,
              (amount) => changeMax({ amount }),
              t('curb:pricing.form.noLimit'),
            )}
            {number(
              t('curb:pricing.form.maxShare'),
              draft.max_change.share === null ? null : toPercent(draft.max_change.share),
              (value) => changeMax({ share: value === null ? null : toShare(value) }),
              ' %',
              t('curb:pricing.form.noLimit'),
            )}
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
            {draft.max_change.of === 'base'
              ? money(t('curb:pricing.form.base'), draft.max_change.base_rate, (rate) =>
                  changeMax({ base_rate: rate }),
                )
              : null}
            {number(t('curb:pricing.form.minDaysBetween'), draft.min_days_between, (value) =>
              change({ min_days_between: value }),
            )}
            {money(t('curb:pricing.form.rounding'), draft.rounding, (value) =>
              change({ rounding: value ?? 1 }),
            )}
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
            {draft.change_unit === 'menu' ? (
              <TextInput
                label={t('curb:pricing.form.menu')}
                description={
                  parsed.success ? parsed.data.menu.map((each) => rateText(each, currency)).join(', ') : ''
                }
                placeholder="0.50 1.00 1.50"
                value={menu}
                onChange={(event) => setMenu(event.currentTarget.value)}
              />
            ) : null}
          </div>
        </fieldset>
      </details>
      {errors.length ? (
        <ul className={styles['errors']} aria-label={t('curb:pricing.form.errors')}>
          {errors.map(({ field, message }) => (
            <li key={`${field} ${message}`}>
              {fieldText(t, field)}: {message}
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

/** Turns `steps.1.from` into "Steps 2". */
function fieldText(t: ReturnType<typeof useTranslation>['t'], field: string): string {
  const [name = '', row] = field.split('.')
  const label = t(`curb:pricing.field.${name}`, { defaultValue: nameOfKey(t, name) })
  return row !== undefined && /^\d+$/.test(row) ? `${label} ${Number(row) + 1}` : label
}
