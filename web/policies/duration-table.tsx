import { Input } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { PriceByDuration } from '#contract/policy.ts'
import { MoneyInput } from '#web/kit/money-input.tsx'
import { EditableRows } from '#web/kit/table/editable-rows.tsx'
import styles from './editor.module.css'
import type { FieldProps } from './field-props.ts'
import { nextDuration } from './price-table.ts'
import { IntegerInput } from './integer-input.tsx'

/** Prices by parking duration, in minutes. The table always has at least one row. */
export function DurationTable({ draft, change, errorFor, currency }: FieldProps) {
  const { t } = useTranslation()
  const rows = draft.fee_properties.prices_by_duration
  const error = errorFor('prices_by_duration')
  const setPrices = (next: PriceByDuration[]): void =>
    change({ fee_properties: { ...draft.fee_properties, prices_by_duration: next } })
  return (
    <div role="group" aria-label={t('policies:field.prices_by_duration')}>
      <Input.Label component="div">{t('policies:field.prices_by_duration')}</Input.Label>
      <p className={styles['hint']}>{t('policies:price.longerHint')}</p>
      <div className={styles['table']}>
        <EditableRows<PriceByDuration>
          rows={rows}
          createRow={nextDuration}
          rowLabel={(row) => t('policies:price.row', { row })}
          removeLabel={(row) => t('policies:price.removeRow', { row })}
          addLabel={t('policies:price.addRow')}
          onChange={setPrices}
          renderFields={(row, changeRow) => (
            <>
              <IntegerInput
                label={t('policies:price.fromMinutes')}
                value={row.start_duration}
                error={null}
                onChange={(value) => changeRow({ start_duration: value ?? 0 })}
              />
              <IntegerInput
                label={t('policies:price.untilMinutes')}
                value={row.end_duration}
                error={null}
                onChange={(value) => changeRow({ end_duration: value })}
              />
              <MoneyInput
                label={t('policies:price.amount')}
                currency={currency}
                value={row.price}
                error={error && row.price === null ? '\u00a0' : null}
                onChange={(price) => changeRow({ price })}
              />
            </>
          )}
        />
      </div>
      {error ? <Input.Error>{error}</Input.Error> : null}
    </div>
  )
}
