import { useTranslation } from 'react-i18next'
import { findPolicyType } from '#contract/policy-types/list.ts'
import { Allocation, VehicleCountMethod } from '#contract/policy.ts'
import { Dropdown } from '#web/kit/dropdown.tsx'
import styles from './editor.module.css'
import type { FieldProps } from './field-props.ts'
import { IntegerInput } from './integer-input.tsx'

/** The limit: allocation, unit, bounds, and how vehicles are counted. */
export function LimitFields({ draft, change, errorFor, offers }: FieldProps) {
  const { t } = useTranslation()
  const type = findPolicyType(draft.policy_type)
  const isShare =
    draft.allocation === 'percent_vehicles_per_operator_per_shape' ||
    draft.policy_type === 'preferred_parking'
  const isShareOfFleet = draft.policy_type === 'distribution' && isShare
  const textKey = `policies:limit.${draft.policy_type}${isShareOfFleet ? 'Share' : ''}`
  const hasLimit = (type && offers('minimum')) || offers('maximum')
  const limitText = hasLimit ? t(textKey, { defaultValue: '' }) : ''
  const renderBound = (field: 'minimum' | 'maximum') => (
    <IntegerInput
      label={t(`policies:field.${field}`)}
      description={limitText || undefined}
      value={draft[field]}
      error={errorFor(field)}
      suffix={isShare ? ' %' : ''}
      onChange={(value) => change({ [field]: value })}
    />
  )
  return (
    <>
      {offers('allocation') ? (
        <Dropdown
          label={t('policies:field.allocation')}
          required
          options={Allocation.options.map((value) => ({ value, text: t(`policies:allocation.${value}`) }))}
          value={draft.allocation}
          error={errorFor('allocation')}
          onChange={(allocation) => change({ allocation })}
        />
      ) : null}
      {offers('minimum') && offers('maximum') ? (
        <div className={styles['pair']}>
          {renderBound('minimum')}
          {renderBound('maximum')}
        </div>
      ) : null}
      {offers('minimum') && !offers('maximum') ? renderBound('minimum') : null}
      {offers('unit') ? (
        <div className={styles['pair']}>
          {offers('maximum') ? renderBound('maximum') : null}
          <Dropdown
            label={t('policies:field.unit')}
            description={'\u00a0'}
            required
            options={(type?.units ?? []).map((value) => ({ value, text: t(`policies:unit.${value}`) }))}
            value={draft.unit}
            error={errorFor('unit')}
            onChange={(unit) => change({ unit })}
          />
        </div>
      ) : null}
      {offers('vehicle_count_method') ? (
        <Dropdown
          label={t('policies:field.vehicle_count_method')}
          required={type?.isFee ?? false}
          clearable={!type?.isFee}
          options={VehicleCountMethod.options.map((value) => ({ value, text: t(`policies:count.${value}`) }))}
          value={draft.fee_properties.vehicle_count_method}
          error={errorFor('vehicle_count_method')}
          onChange={(method) =>
            change({ fee_properties: { ...draft.fee_properties, vehicle_count_method: method } })
          }
        />
      ) : null}
    </>
  )
}
