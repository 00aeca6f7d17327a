import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { TFunction } from 'i18next'
import { groupLines } from '#contract/invoice-lines.ts'
import type { Invoice, InvoiceLine } from '#contract/invoices.ts'
import { formatPeriod } from '#web/filters/period.ts'
import { Badge } from '#web/kit/badge.tsx'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { column, type TableColumn } from '#web/kit/table/table-column.ts'
import type { TableState } from '#web/kit/table/table-state.ts'
import { Table } from '#web/kit/table/table.tsx'
import { useRegion } from '#web/shell/region.tsx'
import { formatAmount, formatPrice, formatQuantity } from '../amounts.ts'
import styles from '../billing.module.css'
import { invoiceAddress } from '../invoice-columns.tsx'
import { DisputeDialog } from './dispute-dialog.tsx'
import { FactsDialog } from './facts-dialog.tsx'
import { canDispute, type InvoiceUser, isDisputable, isUnissued } from './invoice-actions.ts'
import { formatLineDetail, formatLine, formatUnit } from './line-text.ts'

type OpenDialog = { kind: 'facts' | 'dispute'; line: InvoiceLine }

const capitalize = (text: string): string => text.slice(0, 1).toLocaleUpperCase() + text.slice(1)

/** Number of lines per page. */
const pageSize = 50

/** The lines of an invoice grouped by fee. Each line shows how it was computed, and can be disputed. */
export function InvoiceLines({ invoice, user }: { invoice: Invoice; user: InvoiceUser }) {
  const { t } = useTranslation()
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const { currency, lines } = invoice
  const [state, setState] = useState<TableState>({})
  // Sorted by a column, the lines of a fee are no longer adjacent.
  const isGrouped = state.sort === undefined
  const groupByLine = useMemo(() => {
    const groups = groupLines(lines).filter((group) => group.lines.length > 1)
    return new Map(groups.flatMap((group) => group.lines.map(({ line }) => [line, group] as const)))
  }, [lines])
  const explain = (line: InvoiceLine): void => setDialog({ kind: 'facts', line })
  const getMenu = (line: InvoiceLine) => ({
    label: t('billing:lines.moreOf', { line: line.line }),
    actions: [
      ...(line.kind === 'credit'
        ? []
        : [{ key: 'facts', label: t('billing:facts.open'), onSelect: () => explain(line) }]),
      ...(canDispute(user) && isDisputable(invoice, line)
        ? [
            {
              key: 'dispute',
              label: t('billing:disputes.open'),
              onSelect: () => setDialog({ kind: 'dispute', line }),
            },
          ]
        : []),
    ],
  })
  const columns = getLineColumns({
    t,
    invoice,
    hasFeeTitle: ({ line }) => isGrouped && groupByLine.has(line),
    onExplain: explain,
  })
  const getGroup = ({ line }: InvoiceLine) => {
    const group = groupByLine.get(line)
    if (!group) return null
    return {
      key: String(group.lines[0]?.line),
      title: group.fee,
      totals: { unit_price: t('billing:lines.subtotal'), amount: formatAmount(group.subtotal, currency) },
    }
  }
  if (lines.length === 0)
    return (
      <EmptyState title={t('billing:lines.none.title')}>
        {t(isUnissued(invoice) ? 'billing:lines.none.text' : 'billing:lines.none.read')}
      </EmptyState>
    )
  return (
    <>
      <Table
        label={t('billing:lines.title')}
        rows={lines}
        columns={columns}
        rowKey={({ line }) => String(line)}
        isWrapped
        hasTools={false}
        state={state}
        onStateChange={(changes) => setState({ ...state, ...changes })}
        {...(isGrouped ? { getGroup } : {})}
        maxHeight="none"
        {...(lines.some((line) => line.kind !== 'credit') ? { rowMenu: getMenu } : {})}
        {...(lines.length > pageSize ? { pageSize } : {})}
      />
      <div className={styles['lineFoot']}>
        <span className={styles['sub']}>{t('billing:lines.hint')}</span>
        <Totals invoice={invoice} />
      </div>
      {dialog?.kind === 'facts' ? (
        <FactsDialog invoice={invoice} line={dialog.line} onClose={() => setDialog(null)} />
      ) : null}
      {dialog?.kind === 'dispute' ? (
        <DisputeDialog invoice={invoice} line={dialog.line} onClose={() => setDialog(null)} />
      ) : null}
    </>
  )
}

/** The description of a line, with its notes and actions. */
function Description({ invoice, line, text }: { invoice: Invoice; line: InvoiceLine; text: string }) {
  const { t, i18n } = useTranslation()
  const { regionId } = useRegion()
  const hasOwnPeriod = line.start_date !== invoice.start_date || line.end_date !== invoice.end_date
  const dispute = invoice.disputes.find((dispute) => dispute.line === line.line && dispute.state === 'open')
  return (
    <>
      <span className={styles['marks']}>
        <span>
          {line.line}. {text}
        </span>
        {line.is_estimate ? <Badge tone="amber" text={t('billing:estimate')} /> : null}
        {!line.is_estimate && line.days_without_data.length ? (
          <Badge tone="amber" text={t('billing:lines.noData', { count: line.days_without_data.length })} />
        ) : null}
        {dispute ? <Badge tone="amber" text={t('billing:status.disputed')} /> : null}
      </span>
      {hasOwnPeriod ? <span className={styles['sub']}>{formatPeriod(line, i18n.language)}</span> : null}
      {line.original ? (
        <span className={styles['sub']}>
          {t(`billing:lines.${line.kind === 'credit' ? 'credits' : 'adjusts'}`)}{' '}
          <Link className={styles['link']} to={invoiceAddress(regionId, line.original.invoice_id) as never}>
            {line.original.line === null
              ? line.original.number
              : t('billing:lines.originalLine', { number: line.original.number, line: line.original.line })}
          </Link>
          {line.charged_before === null
            ? null
            : `. ${t('billing:lines.chargedBefore', {
                amount: formatAmount(line.charged_before, invoice.currency),
              })}`}
        </span>
      ) : null}
    </>
  )
}

/** Net amount, tax per rate, and total. */
function Totals({ invoice: { net, taxes, total, currency } }: { invoice: Invoice }) {
  const { t } = useTranslation()
  return (
    <div className={styles['totals']}>
      <dl>
        {taxes.length ? (
          <div>
            <dt>{t('billing:field.net')}</dt>
            <dd>{formatAmount(net, currency)}</dd>
          </div>
        ) : null}
        {taxes.map(({ code, name, rate, tax, is_inclusive: isIncluded }) => (
          <div key={code}>
            <dt>
              {t(isIncluded ? 'billing:lines.taxIncluded' : 'billing:lines.tax', {
                name,
                rate: formatQuantity(rate),
              })}
            </dt>
            <dd>{formatAmount(tax, currency)}</dd>
          </div>
        ))}
        <div data-total>
          <dt>{t('billing:field.total')}</dt>
          <dd>{formatAmount(total, currency)}</dd>
        </div>
      </dl>
      {taxes
        .filter(({ exemption_text: text }) => text !== '')
        .map(({ code, exemption_text: text }) => (
          <p key={code} className={styles['sub']}>
            {text}
          </p>
        ))}
    </div>
  )
}

interface ColumnsInput {
  t: TFunction
  invoice: Invoice
  /** Whether the fee is the title of the line's group. */
  hasFeeTitle: (line: InvoiceLine) => boolean
  onExplain: (line: InvoiceLine) => void
}

function getLineColumns({ t, invoice, hasFeeTitle, onExplain }: ColumnsInput): TableColumn<InvoiceLine>[] {
  const { currency } = invoice
  return [
    column<InvoiceLine>('description', t('billing:field.description'), (line) => formatLine(t, line), {
      renderCell: (line) => (
        <Description
          invoice={invoice}
          line={line}
          text={
            hasFeeTitle(line)
              ? capitalize(formatLineDetail(t, line)) || line.policy_name
              : formatLine(t, line)
          }
        />
      ),
    }),
    column('quantity', t('billing:field.quantity'), ({ quantity }) => Number(quantity), {
      width: 165,
      isNumber: true,
      renderCell: ({ quantity }) => formatQuantity(quantity),
    }),
    column('unit', t('billing:field.unit'), ({ unit }) => formatUnit(t, unit), { width: 130 }),
    column(
      'unit_price',
      t('billing:field.unit_price'),
      ({ unit_price: price }) => (price === null ? null : Number(price)),
      {
        width: 110,
        isNumber: true,
        renderCell: ({ unit_price: price }) => (price === null ? '' : formatPrice(price, currency)),
      },
    ),
    column('amount', t('billing:field.amount'), ({ amount }) => Number(amount), {
      width: 125,
      isNumber: true,
      renderCell: (line) =>
        line.kind === 'credit' ? (
          formatAmount(line.amount, currency)
        ) : (
          <Anchor
            component="button"
            type="button"
            size="sm"
            title={t('billing:facts.open')}
            aria-label={t('billing:facts.openOf', {
              line: line.line,
              amount: formatAmount(line.amount, currency),
            })}
            onClick={() => onExplain(line)}
          >
            {formatAmount(line.amount, currency)}
          </Anchor>
        ),
    }),
  ]
}
