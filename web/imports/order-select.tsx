import { Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { DateOrder } from '#contract/imports.ts'

interface Props {
  orders: readonly DateOrder[]
  value: DateOrder | null
  onChange: (value: DateOrder) => void
  error?: string | null
}

/** Selects the order of day and month in a file with ambiguous dates. */
export function OrderSelect({ orders, value, onChange, error }: Props) {
  const { t } = useTranslation()
  return (
    <Select
      required
      allowDeselect={false}
      label={t('imports:units.order')}
      placeholder={t('imports:order.choose')}
      error={error ?? null}
      value={value}
      data={orders.map((order) => ({ value: order, label: t(`imports:order.${order}`) }))}
      onChange={(selected) => selected && onChange(selected as DateOrder)}
    />
  )
}
