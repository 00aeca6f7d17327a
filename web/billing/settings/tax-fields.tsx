import { Select, SimpleGrid, Switch, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { BillingSettings, TaxRate } from '#contract/billing-settings.ts'
import { EditableRows } from '#web/kit/table/editable-rows.tsx'
import styles from '../billing.module.css'
import { withCode } from './settings-issues.ts'

/** Policy types with fees of their own; `default` applies to all others. */
export const chargedTypes = ['default', 'vehicle_fees', 'trip_fees', 'parking_fees'] as const

interface Props {
  draft: BillingSettings
  issues: ReadonlyMap<string, string>
  onChange: (changes: Partial<BillingSettings>) => void
}

interface IndexedRate extends TaxRate {
  /** Position in the list, by which the server names the field of an error. */
  index: number
}

const newRate: TaxRate = { code: '', name: '', rate: '', is_inclusive: false, exemption_text: '' }

/** Tax rates, and which rate applies to which fees. */
export function TaxFields({ draft: { tax_rates: rates, tax_codes: codes }, issues, onChange }: Props) {
  const { t } = useTranslation()
  const renderFields = ({ index, ...rate }: IndexedRate, change: (changes: Partial<IndexedRate>) => void) => (
    <div className={styles['rate']}>
      <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
        <TextInput
          label={t('billing:settings.taxes.code')}
          required
          maxLength={20}
          value={rate.code}
          error={issues.get(`tax_rates.${index}.code`)}
          onChange={(event) => change({ code: event.currentTarget.value })}
        />
        <TextInput
          label={t('billing:settings.taxes.name')}
          required
          maxLength={80}
          value={rate.name}
          error={issues.get(`tax_rates.${index}.name`)}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <TextInput
          label={t('billing:settings.taxes.rate')}
          required
          inputMode="decimal"
          maxLength={12}
          value={rate.rate}
          error={issues.get(`tax_rates.${index}.rate`)}
          onChange={(event) => change({ rate: event.currentTarget.value.trim().replace(',', '.') })}
        />
      </SimpleGrid>
      <TextInput
        label={t('billing:settings.taxes.exemption')}
        maxLength={500}
        value={rate.exemption_text}
        error={issues.get(`tax_rates.${index}.exemption_text`)}
        onChange={(event) => change({ exemption_text: event.currentTarget.value })}
      />
      <Switch
        label={t('billing:settings.taxes.inclusive')}
        checked={rate.is_inclusive}
        onChange={(event) => change({ is_inclusive: event.currentTarget.checked })}
      />
    </div>
  )
  return (
    <>
      <div className={styles['rates']}>
        <EditableRows<IndexedRate>
          rows={rates.map((rate, index) => ({ ...rate, index }))}
          renderFields={renderFields}
          createRow={(rows) => ({ ...newRate, index: rows.length })}
          onChange={(rows) => onChange({ tax_rates: rows.map(({ index: _index, ...rate }) => rate) })}
          rowLabel={(row) => t('billing:settings.taxes.row', { row })}
          removeLabel={(row) => t('billing:settings.taxes.remove', { row })}
          addLabel={t('billing:settings.taxes.add')}
          canRemove
        />
      </div>
      {rates.length ? (
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
          {chargedTypes.map((type) => (
            <Select
              key={type}
              label={t(`billing:policyType.${type}`)}
              allowDeselect={false}
              data={[
                { value: '', label: t(`billing:settings.taxes.${type === 'default' ? 'none' : 'asOthers'}`) },
                ...[...new Set(rates.map(({ code }) => code).filter(Boolean))].map((code) => ({
                  value: code,
                  label: rates.find((rate) => rate.code === code)?.name || code,
                })),
              ]}
              value={codes[type] ?? ''}
              error={issues.get(`tax_codes.${type}`)}
              onChange={(code) => onChange({ tax_codes: withCode(codes, type, code ?? '') })}
            />
          ))}
        </SimpleGrid>
      ) : null}
    </>
  )
}
