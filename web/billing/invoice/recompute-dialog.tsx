import { Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type Invoice, type InvoiceRecomputation, recomputeInvoice } from '#contract/invoices.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { Dialog } from '#web/kit/dialog.tsx'
import { formatInteger } from '#web/kit/format.ts'
import { Loaded } from '#web/kit/loaded.tsx'
import { Table } from '#web/kit/table/table.tsx'
import { Warning } from '#web/kit/warning.tsx'
import { useRegion } from '#web/shell/region.tsx'
import { formatAmount } from '../amounts.ts'

/** Recomputes an issued invoice from its stored facts, and says in words whether the results agree. */
export function RecomputeDialog({ invoice, onClose }: { invoice: Invoice; onClose: () => void }) {
  const { t } = useTranslation()
  const { regionId } = useRegion()
  const result = useEndpointQuery(
    recomputeInvoice,
    { params: { region_id: regionId, invoice_id: invoice.invoice_id } },
    { staleTime: 0 },
  )
  return (
    <Dialog title={t('billing:recompute.title', { number: invoice.number })} size={760} onClose={onClose}>
      <Loaded query={result}>
        {(data) => (
          <Recomputation recomputation={data} currency={invoice.currency} rows={invoice.facts?.rows ?? 0} />
        )}
      </Loaded>
    </Dialog>
  )
}

interface RecomputationProps {
  recomputation: InvoiceRecomputation
  currency: string
  /** Number of stored facts. */
  rows: number
}

function Recomputation({ recomputation, currency, rows }: RecomputationProps) {
  const { t } = useTranslation()
  const differentLines = recomputation.lines.filter((line) => !line.is_equal)
  const texts = {
    count: recomputation.lines.length,
    rows: formatInteger(rows),
    issued: formatAmount(recomputation.issued, currency),
    recomputed: formatAmount(recomputation.recomputed, currency),
  }
  const formatCell = (value: string | null): string => (value === null ? '–' : formatAmount(value, currency))
  return (
    <Stack gap="sm">
      {recomputation.is_equal ? (
        <Text role="status">{t('billing:recompute.equal', texts)}</Text>
      ) : (
        <Warning title={t('billing:recompute.different', { ...texts, count: differentLines.length })}>
          {t('billing:recompute.differentText', texts)}
        </Warning>
      )}
      <Text size="sm">
        {t(recomputation.facts_match ? 'billing:recompute.factsMatch' : 'billing:recompute.factsDiffer')}{' '}
        {recomputation.method_version.issued === recomputation.method_version.now
          ? t('billing:recompute.sameMethod', { version: recomputation.method_version.now })
          : t('billing:recompute.otherMethod', recomputation.method_version)}
      </Text>
      {differentLines.length ? (
        <Table
          label={t('billing:recompute.lines')}
          rows={differentLines}
          rowKey={({ line, description }) => `${line} ${description}`}
          isWrapped
          hasTools={false}
          maxHeight={320}
          columns={[
            {
              key: 'description',
              title: t('billing:field.description'),
              value: ({ description }) => description,
            },
            {
              key: 'issued',
              title: t('billing:recompute.issued'),
              width: 130,
              isNumber: true,
              value: ({ issued }) => formatCell(issued),
            },
            {
              key: 'recomputed',
              title: t('billing:recompute.recomputed'),
              width: 130,
              isNumber: true,
              value: ({ recomputed }) => formatCell(recomputed),
            },
          ]}
        />
      ) : null}
      <Text size="sm" c="dimmed">
        {t('billing:recompute.elsewhere')}
      </Text>
    </Stack>
  )
}
