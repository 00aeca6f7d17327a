import { Anchor, Stack, Text } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import {
  getPaymentImport,
  listPaymentImportRows,
  type PaymentFindingCode,
  paymentFindingCodes,
  type PaymentImport,
  type PaymentImportRow,
  type RowSum,
} from '#contract/curb-payment-imports.ts'
import { paymentKinds } from '#contract/curb-payments.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { FilterBar } from '#web/filters/filter-bar.tsx'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { getCurrencyDecimals, formatDateTime, formatInteger, formatMoney } from '#web/kit/format.ts'
import { Loaded } from '#web/kit/loaded.tsx'
import { PageHeader } from '#web/kit/page-header.tsx'
import { ReadingPage } from '#web/kit/reading-page.tsx'
import { Pager } from '#web/kit/table/pager.tsx'
import { Table } from '#web/kit/table/table.tsx'
import { Warning } from '#web/kit/warning.tsx'
import { useRegion } from '#web/shell/region.tsx'
import { enumParam, page as pageParam, searchParams } from '#web/shell/search-params.ts'
import { useSearchState } from '#web/shell/use-search-state.ts'
import { PaymentImportActions } from './payment-import-actions.tsx'
import { getImportsPath, isWorking, PaymentStatusBadge } from './payment-imports-screen.tsx'
import { translateServerText } from '#web/i18n/server-text.ts'

const pollMs = 1000
const rowsPerPage = 50
/** Findings that excluded a row, and those that did not. */
const effects = ['set_aside', 'note'] as const
const importSearch = searchParams({
  code: enumParam(paymentFindingCodes),
  effect: enumParam(effects),
  page: pageParam,
})

/** The report of a payment import: totals to the cent, and rows with findings. */
export function PaymentImportScreen() {
  const { t } = useTranslation()
  const { regionId, timezone } = useRegion()
  const { importId = '' } = useParams({ strict: false }) as { importId?: string }
  const response = useEndpointQuery(
    getPaymentImport,
    { params: { region_id: regionId, import_id: importId } },
    {
      staleTime: 0,
      refetchInterval: (query) => (query.state.data && isWorking(query.state.data) ? pollMs : false),
    },
  )
  return (
    <ReadingPage>
      <Loaded query={response} dim={false}>
        {(data) => (
          <>
            <PageHeader
              title={data.file_name}
              context={
                <>
                  <Anchor component={Link} underline="always" to={getImportsPath(regionId)}>
                    {t('shell:pages.paymentImports')}
                  </Anchor>
                  {` · ${data.vendor} · ${formatDateTime(data.created_time, timezone)} `}
                  <PaymentStatusBadge status={data.status} />
                </>
              }
              actions={<PaymentImportActions regionId={regionId} paymentImport={data} />}
            />
            <Report paymentImport={data} />
          </>
        )}
      </Loaded>
    </ReadingPage>
  )
}

function Report({ paymentImport }: { paymentImport: PaymentImport }) {
  const { t } = useTranslation()
  if (paymentImport.status === 'waiting')
    return (
      <EmptyState title={t('curb:imports.waiting.title')}>{t('curb:payments.imports.waiting')}</EmptyState>
    )
  return (
    <Stack>
      {paymentImport.problem ? (
        <Warning title={t('curb:payments.imports.problem')}>
          {translateServerText(paymentImport.problem)}
        </Warning>
      ) : null}
      {paymentImport.same_as ? <Text size="sm">{t('curb:imports.sameFile')}</Text> : null}
      {paymentImport.locations ? (
        <Text size="sm">
          {t('curb:payments.imports.locations', {
            locations: formatInteger(paymentImport.locations),
            unlinked: formatInteger(paymentImport.unlinked_locations),
          })}
        </Text>
      ) : null}
      <Reconciliation paymentImport={paymentImport} />
      {paymentImport.status === 'staging' || paymentImport.rows === 0 ? null : (
        <Rows paymentImport={paymentImport} />
      )}
    </Stack>
  )
}

/** Accounts for each row and each cent of the file. */
function Reconciliation({ paymentImport: { reconciliation, status } }: { paymentImport: PaymentImport }) {
  const { t } = useTranslation()
  const { currencyCode } = useRegion()
  const minorPerMajor = 10 ** getCurrencyDecimals(currencyCode)
  const rows: { key: string; name: string; sum: RowSum }[] = [
    ...paymentKinds.flatMap((kind) => {
      const sum = reconciliation.kinds[kind]
      return sum ? [{ key: kind, name: t(`curb:payments.kind.${kind}`), sum }] : []
    }),
    ...(reconciliation.duplicates.rows
      ? [{ key: 'duplicates', name: t('curb:payments.imports.duplicates'), sum: reconciliation.duplicates }]
      : []),
    ...(reconciliation.rejected.rows
      ? [{ key: 'set_aside', name: t('curb:payments.imports.setAside'), sum: reconciliation.rejected }]
      : []),
    { key: 'file', name: t('curb:payments.imports.total'), sum: reconciliation.file },
    ...(reconciliation.stored
      ? [{ key: 'stored', name: t('curb:payments.imports.stored'), sum: reconciliation.stored }]
      : []),
  ]
  if (reconciliation.file.rows === 0) return null
  return (
    <section>
      <h2>{t('curb:payments.imports.reconciliation')}</h2>
      {status === 'staging' ? null : (
        <Text role="status" size="sm" c={reconciliation.is_reconciled ? 'dimmed' : 'red'}>
          {t(
            reconciliation.is_reconciled
              ? 'curb:payments.imports.reconciled'
              : 'curb:payments.imports.differs',
          )}
        </Text>
      )}
      <Table
        label={t('curb:payments.imports.reconciliation')}
        rows={rows}
        rowKey={({ key }) => key}
        hasTools={false}
        columns={[
          { key: 'name', title: t('curb:payments.column.kind'), canSort: false, value: ({ name }) => name },
          {
            key: 'rows',
            title: t('curb:payments.imports.rows'),
            isNumber: true,
            canSort: false,
            value: ({ sum }) => sum.rows,
            renderCell: ({ sum }) => formatInteger(sum.rows),
          },
          {
            key: 'amount',
            title: t('curb:payments.column.amount'),
            isNumber: true,
            canSort: false,
            value: ({ sum }) => sum.amount / minorPerMajor,
            renderCell: ({ sum }) => formatMoney(sum.amount / minorPerMajor, currencyCode),
          },
        ]}
      />
    </section>
  )
}

function Rows({ paymentImport }: { paymentImport: PaymentImport }) {
  const { t } = useTranslation()
  const region = useRegion()
  const { search, push, replace } = useSearchState(importSearch)
  const { page = 1, code, effect } = search
  const rows = useEndpointQuery(
    listPaymentImportRows,
    {
      params: { region_id: region.regionId, import_id: paymentImport.import_id },
      query: { page, size: rowsPerPage, code, effect },
    },
    { placeholderData: keepPreviousData },
  )
  const codes = (Object.entries(paymentImport.codes) as [PaymentFindingCode, number][]).toSorted(
    ([, a], [, b]) => b - a,
  )
  return (
    <section>
      <h2>{t('curb:payments.imports.findings')}</h2>
      <FilterBar
        filters={[
          {
            kind: 'choice',
            key: 'code',
            label: t('curb:payments.imports.reason'),
            none: t('curb:imports.any'),
            options: codes.map(([value, count]) => ({
              value,
              text: `${t(`curb:payments.code.${value}`)} (${formatInteger(count)})`,
            })),
          },
          {
            kind: 'choice',
            key: 'effect',
            label: t('curb:imports.outcomeTitle'),
            none: t('curb:imports.any'),
            options: effects.map((value) => ({ value, text: t(`curb:payments.effect.${value}`) })),
          },
        ]}
        state={search}
        onChange={(changes) => push({ ...changes, page: undefined })}
        onType={(changes) => replace({ ...changes, page: undefined })}
      />
      <Loaded
        query={rows}
        isEmpty={({ total }) => total === 0}
        empty={<EmptyState title={t('curb:payments.imports.noFindings')} />}
      >
        {(data) => (
          <>
            <Table
              label={t('curb:imports.rows')}
              rows={data.items}
              rowKey={(row: PaymentImportRow) => `${row.row} ${row.code}`}
              hasTools={false}
              isWrapped
              columns={[
                {
                  key: 'row',
                  title: t('curb:imports.row'),
                  isNumber: true,
                  width: 90,
                  canSort: false,
                  value: ({ row }) => row,
                },
                {
                  key: 'effect',
                  title: t('curb:imports.outcomeTitle'),
                  width: 130,
                  canSort: false,
                  value: (row) => t(`curb:payments.effect.${row.effect}`),
                },
                {
                  key: 'reason',
                  title: t('curb:payments.imports.reason'),
                  width: 200,
                  canSort: false,
                  value: (row) => t(`curb:payments.code.${row.code}`),
                },
                {
                  key: 'message',
                  title: t('curb:imports.findings'),
                  canSort: false,
                  value: ({ message }) => message,
                },
                {
                  key: 'source',
                  title: t('curb:imports.sourceRecord'),
                  canSort: false,
                  value: ({ source }) => source,
                },
              ]}
            />
            <Pager
              page={page}
              size={rowsPerPage}
              total={data.total}
              onPage={(next) => push({ page: next })}
            />
          </>
        )}
      </Loaded>
    </section>
  )
}
