import { useTranslation } from 'react-i18next'
import type { Layer } from '#contract/geography.ts'
import { type ParkingFeeType, ParkingFeeType as Structure } from '#contract/policy.ts'
import { Dropdown } from '#web/kit/dropdown.tsx'
import { MoneyInput } from '#web/kit/money-input.tsx'
import { DurationTable } from './duration-table.tsx'
import { FeeOptionFields } from './fee-option-fields.tsx'
import type { FieldProps } from './field-props.ts'
import { currencySign, ScheduleTable } from './schedule-table.tsx'

interface Props extends FieldProps {
  setStructure: (structure: ParkingFeeType | null) => void
  layers: readonly Layer[] | null
}

/** The price: a single one, or a table by time of day or by parking duration. */
export function PriceFields(props: Props) {
  const { t, i18n } = useTranslation()
  const { draft, change, errorFor, offers, currency, setStructure } = props
  return (
    <>
      {offers('parking_fee_type') ? (
        <Dropdown
          label={t('policies:field.parking_fee_type')}
          required
          options={Structure.options.map((value) => ({ value, text: t(`policies:structure.${value}`) }))}
          value={draft.fee_properties.parking_fee_type}
          error={errorFor('parking_fee_type')}
          onChange={setStructure}
        />
      ) : null}
      {offers('value') ? (
        <MoneyInput
          label={t('policies:field.value')}
          required={!draft.fee_properties.options.tiers.length}
          description={t(`policies:price.${draft.policy_type}`, {
            sign: currencySign(currency, i18n.language),
          })}
          currency={currency}
          value={draft.value}
          error={errorFor('value')}
          onChange={(value) => change({ value })}
        />
      ) : null}
      {offers('prices') ? <ScheduleTable {...props} /> : null}
      {offers('prices_by_duration') ? <DurationTable {...props} /> : null}
      <FeeOptionFields {...props} />
    </>
  )
}
