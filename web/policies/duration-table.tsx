import { ActionIcon, Button, Input } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { PriceByDuration } from '#contract/policy.ts'
import { MoneyInput } from '#web/kit/money-input.tsx'
import styles from './editor.module.css'
import type { FieldProps } from './field-props.ts'
import { addDuration, changeDuration, mayRemoveDuration, removeDuration } from './price-table.ts'
import { WholeInput } from './whole-input.tsx'

/** Prices by how long a vehicle was parked, in minutes. The table always keeps a row. */
export function DurationTable({ draft, change, faultOf, currency }: FieldProps) {
  const { t } = useTranslation()
  const rows = draft.fee_properties.prices_by_duration
  const error = faultOf('prices_by_duration')
  const set = (next: PriceByDuration[]): void =>
    change({ fee_properties: { ...draft.fee_properties, prices_by_duration: next } })
  return (
    <div role="group" aria-label={t('policies:field.prices_by_duration')}>
      <Input.Label component="div">{t('policies:field.prices_by_duration')}</Input.Label>
      <p className={styles['hint']}>{t('policies:price.longerHint')}</p>
      <div className={styles['table']}>
        {rows.map((row, at) => (
          <div
            key={at}
            role="group"
            aria-label={t('policies:price.row', { row: at + 1 })}
            className={styles['row']}
          >
            <WholeInput
              label={t('policies:price.fromMinutes')}
              value={row.start_duration}
              error={null}
              onChange={(value) => set(changeDuration(rows, at, { start_duration: value ?? 0 }))}
            />
            <WholeInput
              label={t('policies:price.untilMinutes')}
              value={row.end_duration}
              error={null}
              onChange={(value) => set(changeDuration(rows, at, { end_duration: value }))}
            />
            <MoneyInput
              label={t('policies:price.amount')}
              currency={currency}
              value={row.price}
              error={error && row.price === null ? '\u00a0' : null}
              onChange={(price) => set(changeDuration(rows, at, { price }))}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              disabled={!mayRemoveDuration(rows)}
              aria-label={t('policies:price.removeRow', { row: at + 1 })}
              onClick={() => set(removeDuration(rows, at))}
            >
              <IconTrash size={18} />
            </ActionIcon>
          </div>
        ))}
        <div>
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<IconPlus size={16} />}
            onClick={() => set(addDuration(rows))}
          >
            {t('policies:price.addRow')}
          </Button>
        </div>
      </div>
      {error ? <Input.Error>{error}</Input.Error> : null}
    </div>
  )
}
