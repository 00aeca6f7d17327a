import { Accordion, Checkbox, Input } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Layer } from '#contract/geography.ts'
import { VehicleType } from '#contract/mobility.ts'
import { findPolicyType } from '#contract/policy-types/list.ts'
import {
  durationModes,
  type FeeOptions,
  FeeOptions as Options,
  pricePeriods,
  tierModes,
} from '#contract/policy.ts'
import { vehicleTypeName } from '#web/filters/vehicle-type-name.ts'
import { Dropdown } from '#web/kit/dropdown.tsx'
import { MoneyInput } from '#web/kit/money-input.tsx'
import { MultiDropdown } from '#web/kit/multi-dropdown.tsx'
import { EditableRows } from '#web/kit/table/editable-rows.tsx'
import { DiscountFields } from './discount-fields.tsx'
import styles from './editor.module.css'
import type { FieldProps } from './field-props.ts'
import { policyLayers } from './policy-scope.ts'
import { IntegerInput } from './integer-input.tsx'

type Tier = FeeOptions['tiers'][number]

type Props = FieldProps & { layers: readonly Layer[] | null }

/** Further pricing options; collapsed while none is set. */
export function FeeOptionFields({ draft, change, errorFor, currency, layers }: Props) {
  const { t } = useTranslation()
  const { options } = draft.fee_properties
  const updateOptions = (changes: Partial<FeeOptions>): void =>
    change({ fee_properties: { ...draft.fee_properties, options: { ...options, ...changes } } })
  const hasOptions = JSON.stringify(options) !== JSON.stringify(Options.parse({}))
  const errorText = errorFor('fee_options')
  return (
    <Accordion variant="contained" defaultValue={hasOptions || errorText ? 'options' : null}>
      <Accordion.Item value="options">
        <Accordion.Control>{t('billing:options.title')}</Accordion.Control>
        <Accordion.Panel>
          <OptionFields draft={draft} currency={currency} layers={layers} onChange={updateOptions} />
          {errorText ? <Input.Error>{errorText}</Input.Error> : null}
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  )
}

interface OptionFieldsProps extends Pick<Props, 'draft' | 'currency' | 'layers'> {
  onChange: (changes: Partial<FeeOptions>) => void
}

/** The options that the policy type offers. */
function OptionFields({ draft, currency, layers, onChange }: OptionFieldsProps) {
  const { t } = useTranslation()
  const { options } = draft.fee_properties
  const offeredOptions = findPolicyType(draft.policy_type)?.feeOptions?.(draft) ?? []
  const offers = (name: keyof FeeOptions): boolean => offeredOptions.includes(name)
  const renderMoneyField = (name: 'maximum_per_vehicle_day' | 'minimum_amount' | 'maximum_amount') =>
    offers(name) ? (
      <MoneyInput
        label={t(`billing:options.${name}`)}
        currency={currency}
        value={options[name]}
        error={null}
        onChange={(value) => onChange({ [name]: value })}
      />
    ) : null
  const renderIntegerField = (
    name: 'free_quantity' | 'minimum_trip_duration' | 'minimum_trip_distance',
    label: string,
  ) =>
    offers(name) ? (
      <IntegerInput
        label={label}
        value={options[name] || null}
        error={null}
        onChange={(value) => onChange({ [name]: value ?? 0 })}
      />
    ) : null
  return (
    <div className={styles['options']}>
      {offers('price_period') ? (
        <Dropdown
          label={t('billing:options.price_period')}
          options={pricePeriods.map((value) => ({ value, text: t(`billing:options.period.${value}`) }))}
          value={options.price_period}
          onChange={(value) => onChange({ price_period: value ?? 'day' })}
        />
      ) : null}
      {offers('duration_mode') ? (
        <Dropdown
          label={t('billing:options.duration_mode')}
          options={durationModes.map((value) => ({ value, text: t(`billing:options.duration.${value}`) }))}
          value={options.duration_mode}
          onChange={(value) => onChange({ duration_mode: value ?? 'marginal' })}
        />
      ) : null}
      {offers('is_free_after') ? (
        <Checkbox
          label={t('billing:options.is_free_after')}
          checked={options.is_free_after}
          onChange={(event) => onChange({ is_free_after: event.currentTarget.checked })}
        />
      ) : null}
      {renderIntegerField(
        'free_quantity',
        t(
          draft.policy_type === 'vehicle_fees'
            ? 'billing:options.free_vehicles'
            : 'billing:options.free_trips',
        ),
      )}
      {renderIntegerField('minimum_trip_duration', t('billing:options.minimum_trip_duration'))}
      {renderIntegerField('minimum_trip_distance', t('billing:options.minimum_trip_distance'))}
      {offers('tiers') ? (
        <TierFields
          tiers={options.tiers}
          firstPrice={draft.value ?? 0}
          currency={currency}
          onChange={(tiers) => onChange({ tiers })}
        />
      ) : null}
      {offers('tier_mode') && options.tiers.length ? (
        <Dropdown
          label={t('billing:options.tier_mode')}
          options={tierModes.map((value) => ({ value, text: t(`billing:options.mode.${value}`) }))}
          value={options.tier_mode}
          onChange={(value) => onChange({ tier_mode: value ?? 'marginal' })}
        />
      ) : null}
      {offers('exempt_vehicle_types') ? (
        <MultiDropdown
          label={t('billing:options.exempt')}
          options={VehicleType.options.map((value) => ({ value, text: vehicleTypeName(value) }))}
          value={options.exempt_vehicle_types}
          onChange={(exempt_vehicle_types) => onChange({ exempt_vehicle_types })}
        />
      ) : null}
      {offers('discount_percent') ? (
        <DiscountFields options={options} onChange={onChange} layers={policyLayers(layers ?? [])} />
      ) : null}
      {renderMoneyField('maximum_per_vehicle_day')}
      {renderMoneyField('minimum_amount')}
      {renderMoneyField('maximum_amount')}
    </div>
  )
}

interface TierFieldsProps {
  tiers: readonly Tier[]
  /** Price of a new tier. */
  firstPrice: number
  currency: string
  onChange: (tiers: Tier[]) => void
}

/** Prices by quantity. */
function TierFields({ tiers, firstPrice, currency, onChange }: TierFieldsProps) {
  const { t } = useTranslation()
  return (
    <div role="group" aria-label={t('billing:options.tiers')}>
      <Input.Label component="div">{t('billing:options.tiers')}</Input.Label>
      <p className={styles['hint']}>{t('billing:options.tiersHint')}</p>
      <EditableRows<Tier>
        rows={tiers}
        createRow={(rows) => ({ from: (rows.at(-1)?.from ?? -1) + 1, price: firstPrice })}
        canRemove
        rowLabel={(row) => t('billing:options.tierRow', { row })}
        removeLabel={(row) => t('billing:options.removeTier', { row })}
        addLabel={t('billing:options.addTier')}
        onChange={onChange}
        renderFields={(row, changeRow) => (
          <>
            <IntegerInput
              label={t('billing:options.tierFrom')}
              value={row.from}
              error={null}
              onChange={(from) => changeRow({ from: from ?? 0 })}
            />
            <MoneyInput
              label={t('billing:options.tierPrice')}
              currency={currency}
              value={row.price}
              error={null}
              onChange={(price) => changeRow({ price: price ?? 0 })}
            />
          </>
        )}
      />
    </div>
  )
}
