import type { TFunction } from 'i18next'
import type { Charge } from '#contract/charges.ts'
import { formatDateRange } from '#web/kit/dates/date-range.ts'
import { formatDay } from '#web/kit/dates/day-text.ts'
import { formatDecimal, formatInteger } from '#web/kit/format.ts'
import { RowMenu } from '#web/kit/action-menu.tsx'
import { column, type TableColumn } from '#web/kit/table/table-column.ts'
import { formatPrice } from '../amounts.ts'

interface ColumnContext {
  t: TFunction
  language: string
  getOperatorName: (slug: string) => string
  /** `onEdit` and `onDelete` are absent if charges are read-only. */
  onEdit?: (charge: Charge) => void
  onDelete?: (charge: Charge) => void
}

/** Formats the price of a charge in words, such as `$100 each month`. */
export function formatCharge(t: TFunction, charge: Charge): string {
  const { kind, amount, percent, currency, frequency, permitted_quantity, quantity, above } = charge
  const price = amount === null ? '' : formatPrice(String(amount), currency)
  const share = percent === null ? '' : formatDecimal(percent, { minimum: 0, maximum: 4 })
  const frequencyText = t(`billing:charges.frequency.${frequency}`)
  switch (kind) {
    case 'fixed':
      return t('billing:charges.words.fixed', { price, when: frequencyText })
    case 'device':
      return permitted_quantity === null
        ? t('billing:charges.words.reported', { price, when: frequencyText, quantity })
        : t('billing:charges.words.permitted', {
            price,
            when: frequencyText,
            count: permitted_quantity,
            number: formatInteger(permitted_quantity),
          })
    case 'revenue':
      return above
        ? t('billing:charges.words.revenueAbove', {
            share,
            quantity,
            above: formatPrice(String(above), currency),
          })
        : t('billing:charges.words.revenue', { share, quantity })
    case 'discount':
      return percent === null
        ? t('billing:charges.words.discount', { price, when: frequencyText })
        : t('billing:charges.words.discountShare', { share })
    case 'minimum':
    case 'maximum':
      return t(`billing:charges.words.${kind}`, { price })
  }
}

export const getChargeColumns = ({
  t,
  language,
  getOperatorName,
  onEdit,
  onDelete,
}: ColumnContext): TableColumn<Charge>[] => [
  column('name', t('billing:charges.field.name'), ({ name }) => name),
  column('kind', t('billing:charges.field.kind'), ({ kind }) => t(`billing:charges.kind.${kind}`), {
    width: 170,
  }),
  column(
    'operator',
    t('billing:field.operator'),
    ({ operator }) => (operator === null ? t('billing:charges.all') : getOperatorName(operator)),
    { width: 140 },
  ),
  column('price', t('billing:charges.price'), (charge) => formatCharge(t, charge), { width: 280 }),
  column(
    'days',
    t('billing:charges.days'),
    ({ start_date: from, end_date: to }) => formatDateRange(t, { from, to }, language),
    { width: 190 },
  ),
  column('invoiced', t('billing:charges.invoiced'), (row) => row.invoiced_until, {
    width: 130,
    renderCell: ({ invoiced_until: until }) => (until === null ? '–' : formatDay(until, language)),
  }),
  ...(onEdit && onDelete
    ? [
        column('actions', t('kit:actions'), () => null, {
          width: 56,
          isActions: true,
          renderCell: (charge: Charge) => (
            <RowMenu
              label={t('billing:charges.moreOf', { name: charge.name })}
              actions={[
                {
                  key: 'edit',
                  label: t(charge.invoiced_until === null ? 'billing:charges.edit' : 'billing:charges.end'),
                  onSelect: () => onEdit(charge),
                },
                ...(charge.invoiced_until === null
                  ? [
                      {
                        key: 'delete',
                        label: t('billing:charges.delete'),
                        isDanger: true,
                        onSelect: () => onDelete(charge),
                      },
                    ]
                  : []),
              ]}
            />
          ),
        }),
      ]
    : []),
]
