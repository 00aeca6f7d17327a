import { Anchor, Autocomplete, Stack, Text } from '@mantine/core'
import { IconDatabaseImport } from '@tabler/icons-react'
import { keepPreviousData, useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listPaymentImports, type PaymentImport, uploadPaymentFile } from '#contract/curb-payment-imports.ts'
import { listPaymentOperators } from '#contract/curb-payments.ts'
import type { Region } from '#contract/regions.ts'
import type { ApiError } from '#web/data/api-error.ts'
import { call } from '#web/data/client.ts'
import { endpointQueryKey, useEndpointQuery } from '#web/data/query.ts'
import { Badge, type Tone } from '#web/kit/badge.tsx'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { FailedState } from '#web/kit/failed-state.tsx'
import { FileDrop } from '#web/kit/file-drop.tsx'
import { getCurrencyDecimals, formatDateTime, formatMoney } from '#web/kit/format.ts'
import { Loaded } from '#web/kit/loaded.tsx'
import { PageHeader } from '#web/kit/page-header.tsx'
import { ReadingPage } from '#web/kit/reading-page.tsx'
import { Pager } from '#web/kit/table/pager.tsx'
import { Table } from '#web/kit/table/table.tsx'
import { column, type TableColumn } from '#web/kit/table/table-column.ts'
import { useMe } from '#web/shell/me.tsx'
import { useRegion } from '#web/shell/region.tsx'
import { page as pageParam, searchParams } from '#web/shell/search-params.ts'
import { useSearchState } from '#web/shell/use-search-state.ts'

const pollMs = 1000
const importsPerPage = 50
const importsSearch = searchParams({ page: pageParam })

/** Returns the address of the list of payment imports. */
export const getImportsPath = (regionId: string): string =>
  `/${regionId}/curb/parking-insights/transactions/imports`

/** Tests whether the status will change without user action. */
export const isWorking = ({ status }: PaymentImport): boolean =>
  status === 'staging' || status === 'publishing' || status === 'undoing'

const statusTones: Record<PaymentImport['status'], Tone> = {
  waiting: 'amber',
  staging: 'neutral',
  staged: 'amber',
  publishing: 'neutral',
  published: 'green',
  undoing: 'neutral',
  undone: 'neutral',
  failed: 'red',
}

export function PaymentStatusBadge({ status }: { status: PaymentImport['status'] }) {
  const { t } = useTranslation()
  return <Badge tone={statusTones[status]} text={t(`curb:payments.status.${status}`)} />
}

/** Payment files of vendors and their results. */
export function PaymentImportsScreen() {
  const { t } = useTranslation()
  const region = useRegion()
  const { can } = useMe()
  const {
    search: { page = 1 },
    push,
  } = useSearchState(importsSearch)
  const params = { region_id: region.regionId }
  const imports = useEndpointQuery(
    listPaymentImports,
    { params, query: { page, size: importsPerPage } },
    {
      placeholderData: keepPreviousData,
      staleTime: 0,
      refetchInterval: (query) => (query.state.data?.items.some(isWorking) ? pollMs : false),
    },
  )
  const columns = useImportColumns(region)
  return (
    <ReadingPage>
      <PageHeader
        title={t('shell:pages.paymentImports')}
        context={
          <>
            <Anchor
              component={Link}
              underline="always"
              to={`/${region.regionId}/curb/parking-insights/transactions`}
            >
              {t('shell:pages.transactions')}
            </Anchor>
            {` · ${region.text}`}
          </>
        }
      />
      <Stack>
        {can('edit_curb_regulations') ? <Upload region={region} /> : null}
        <Loaded
          query={imports}
          dim={false}
          isEmpty={({ total }) => total === 0}
          empty={
            <EmptyState title={t('curb:payments.imports.none')} icon={<IconDatabaseImport />}>
              {t('curb:payments.imports.noneText')}
            </EmptyState>
          }
        >
          {(data) => (
            <>
              <Table
                label={t('curb:imports.list')}
                rows={data.items}
                columns={columns}
                rowKey={(row) => row.import_id}
                hasTools={false}
              />
              <Pager
                page={page}
                size={importsPerPage}
                total={data.total}
                onPage={(next) => push({ page: next })}
              />
            </>
          )}
        </Loaded>
      </Stack>
    </ReadingPage>
  )
}

/** Uploads payment files; each vendor has its own column mapping. */
function Upload({ region }: { region: Region }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [vendor, setVendor] = useState('')
  const params = { region_id: region.regionId }
  const operatorsQuery = useEndpointQuery(listPaymentOperators, { params })
  const upload = useMutation<PaymentImport, ApiError, File>({
    mutationFn: (file) =>
      call(uploadPaymentFile, { params, query: { vendor: vendor.trim(), file_name: file.name }, body: file }),
    onSuccess: async ({ import_id: importId }) => {
      await client.invalidateQueries({ queryKey: endpointQueryKey(listPaymentImports) })
      await navigate({ to: `${getImportsPath(region.regionId)}/${importId}` })
    },
  })
  return (
    <Stack gap="sm">
      <Autocomplete
        label={t('curb:payments.imports.vendor')}
        description={t('curb:payments.imports.vendorText')}
        data={(operatorsQuery.data?.vendors ?? []).filter((vendor) => vendor !== 'CDS')}
        value={vendor}
        maxLength={100}
        maw={420}
        onChange={setVendor}
      />
      <FileDrop
        title={t('curb:payments.imports.drop')}
        button={t('curb:payments.imports.choose')}
        accept=".csv,.txt,.tsv,.gz"
        isDisabled={vendor.trim() === '' || upload.isPending}
        onFiles={([file]) => {
          if (file) upload.mutate(file)
        }}
      >
        <Text size="sm" c="dimmed">
          {t(vendor.trim() === '' ? 'curb:payments.imports.vendorFirst' : 'curb:payments.imports.dropText')}
        </Text>
      </FileDrop>
      {upload.error ? <FailedState title={t('curb:imports.sendFailed')} error={upload.error} /> : null}
    </Stack>
  )
}

function useImportColumns(region: Region): TableColumn<PaymentImport>[] {
  const { t } = useTranslation()
  const minorPerMajor = 10 ** getCurrencyDecimals(region.currencyCode)
  return [
    column('file', t('curb:imports.file'), (row) => row.file_name, {
      renderCell: ({ import_id: id, file_name: name }) => (
        <Anchor component={Link} to={`${getImportsPath(region.regionId)}/${id}`}>
          {name}
        </Anchor>
      ),
    }),
    column('vendor', t('curb:payments.column.vendor'), ({ vendor }) => vendor, { width: 180 }),
    column('status', t('curb:imports.statusTitle'), ({ status }) => t(`curb:payments.status.${status}`), {
      width: 130,
      renderCell: ({ status }) => <PaymentStatusBadge status={status} />,
    }),
    column('rows', t('curb:payments.imports.rows'), ({ rows }) => rows, { isNumber: true, width: 95 }),
    column(
      'revenue',
      t('curb:payments.measure.revenue.name'),
      ({ reconciliation: { kinds } }) => (kinds.counted?.amount ?? 0) + (kinds.refund?.amount ?? 0),
      {
        isNumber: true,
        width: 125,
        renderCell: ({ reconciliation: { kinds } }) =>
          formatMoney(
            ((kinds.counted?.amount ?? 0) + (kinds.refund?.amount ?? 0)) / minorPerMajor,
            region.currencyCode,
          ),
      },
    ),
    column(
      'aside',
      t('curb:payments.imports.setAside'),
      ({ reconciliation: { rejected, duplicates } }) => rejected.rows + duplicates.rows,
      { isNumber: true, width: 95 },
    ),
    column('created', t('curb:imports.created'), (row) => row.created_time, {
      width: 190,
      renderCell: ({ created_time: time }) => formatDateTime(time, region.timezone),
    }),
  ]
}
