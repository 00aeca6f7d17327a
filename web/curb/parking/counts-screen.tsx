import { Anchor, Select, Stack, TextInput } from '@mantine/core'
import { IconClipboardData } from '@tabler/icons-react'
import { keepPreviousData, useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type CountImport, listCountImports, uploadCounts } from '#contract/curb-counts.ts'
import { OccupancySource, occupancySources } from '#contract/curb-occupancy.ts'
import { useToday } from '#web/filters/use-today.ts'
import type { ApiError } from '#web/data/api-error.ts'
import { call } from '#web/data/client.ts'
import { endpointQueryKey, useEndpointQuery } from '#web/data/query.ts'
import { Badge, type Tone } from '#web/kit/badge.tsx'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { FailedState } from '#web/kit/failed-state.tsx'
import { FileDrop } from '#web/kit/file-drop.tsx'
import { FormPart } from '#web/kit/form-part.tsx'
import { formatDateTime, formatPercent } from '#web/kit/format.ts'
import { Loaded } from '#web/kit/loaded.tsx'
import { PageHeader } from '#web/kit/page-header.tsx'
import { ReadingPage } from '#web/kit/reading-page.tsx'
import { Pager } from '#web/kit/table/pager.tsx'
import { Table } from '#web/kit/table/table.tsx'
import { column, type TableColumn } from '#web/kit/table/table-column.ts'
import { useMe } from '#web/shell/me.tsx'
import { useRegion } from '#web/shell/region.tsx'
import { useSearchState } from '#web/shell/use-search-state.ts'
import { Calibrations } from './calibrations.tsx'
import { countsSearch } from './counts-search.ts'
import styles from './occupancy.module.css'

const pollMs = 1000
const importsPerPage = 50

/** Files of counts, and calibrations of counted to paid occupancy. */
export function CountsScreen() {
  const { t } = useTranslation()
  const region = useRegion()
  const { regionId, timezone } = region
  const { can } = useMe()
  const today = useToday(timezone)
  const { search, push } = useSearchState(countsSearch)
  const { page = 1 } = search
  const imports = useEndpointQuery(
    listCountImports,
    { params: { region_id: regionId }, query: { page, size: importsPerPage } },
    {
      placeholderData: keepPreviousData,
      staleTime: 0,
      refetchInterval: (query) =>
        query.state.data?.items.some(({ status }) => status === 'staging') ? pollMs : false,
    },
  )
  const canEdit = can('edit_curb_regulations')
  const columns = useImportColumns(regionId, timezone)
  return (
    <ReadingPage>
      <PageHeader
        title={t('shell:pages.occupancyCounts')}
        context={
          <>
            <Anchor component={Link} underline="always" to={`/${regionId}/curb/parking-insights/occupancy`}>
              {t('shell:pages.occupancy')}
            </Anchor>
            {` · ${region.text}`}
          </>
        }
      />
      <Stack gap="xl">
        {canEdit ? <SendCounts regionId={regionId} /> : null}
        <Loaded
          query={imports}
          isEmpty={({ total }) => total === 0}
          empty={
            <EmptyState title={t('curb:counts.empty.title')} icon={<IconClipboardData />}>
              {t('curb:counts.empty.text')}
            </EmptyState>
          }
        >
          {(data) => (
            <>
              <Table
                label={t('curb:counts.list')}
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
        <Calibrations regionId={regionId} canEdit={canEdit} today={today} />
      </Stack>
    </ReadingPage>
  )
}

/** Uploads a file of counts, with the date and source that some files lack. */
function SendCounts({ regionId }: { regionId: string }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [date, setDate] = useState('')
  const [source, setSource] = useState<OccupancySource | null>(null)
  const upload = useMutation<CountImport, ApiError, File[]>({
    mutationFn: ([file]) => {
      if (!file) throw new Error('No file')
      return call(uploadCounts, {
        params: { region_id: regionId },
        query: { file_name: file.name, ...(date ? { date } : {}), ...(source ? { source } : {}) },
        body: file,
      })
    },
    onSuccess: async (sent) => {
      await client.invalidateQueries({ queryKey: endpointQueryKey(listCountImports) })
      await navigate({ to: `/${regionId}/curb/parking-insights/occupancy/counts/${sent.import_id}` })
    },
  })
  return (
    <FormPart title={t('curb:counts.send.title')}>
      <div className={styles['fields']}>
        <TextInput
          type="date"
          label={t('curb:counts.send.date')}
          description={t('curb:counts.send.dateText')}
          value={date}
          onChange={(event) => setDate(event.currentTarget.value)}
        />
        <Select
          label={t('curb:counts.send.source')}
          description={t('curb:counts.send.sourceText')}
          placeholder={t('curb:counts.send.sourceOfFile')}
          clearable
          data={occupancySources.map((value) => ({ value, label: t(`curb:metrics.source.${value}`) }))}
          value={source}
          onChange={(value) => setSource(OccupancySource.safeParse(value).data ?? null)}
        />
      </div>
      <FileDrop
        title={t('curb:counts.send.drop')}
        button={t('curb:imports.drop.button')}
        accept=".csv,.json,.geojson,.gz,.txt,text/csv,application/json,application/gzip"
        isDisabled={upload.isPending}
        onFiles={(files) => upload.mutate(files)}
      >
        {t('curb:counts.send.text')}
      </FileDrop>
      {upload.error ? <FailedState error={upload.error} title={t('curb:imports.sendFailed')} /> : null}
    </FormPart>
  )
}

function useImportColumns(regionId: string, timezone: string): TableColumn<CountImport>[] {
  const { t } = useTranslation()
  return [
    column('file', t('curb:imports.file'), (row) => row.file_name, {
      renderCell: ({ import_id: id, file_name: name }) => (
        <Anchor component={Link} to={`/${regionId}/curb/parking-insights/occupancy/counts/${id}`}>
          {name}
        </Anchor>
      ),
    }),
    column('layout', t('curb:counts.layoutTitle'), ({ layout }) =>
      layout ? t(`curb:counts.layout.${layout}`) : null,
    ),
    column('status', t('curb:imports.statusTitle'), ({ status }) => t(`curb:imports.status.${status}`), {
      width: 130,
      renderCell: ({ status }) => <CountStatus status={status} />,
    }),
    column(
      'days',
      t('curb:counts.days'),
      (row) => (row.first_day === null ? null : `${row.first_day} – ${row.last_day}`),
      { width: 200 },
    ),
    column('accepted', t('curb:counts.accepted'), ({ accepted }) => accepted, { isNumber: true, width: 120 }),
    column('aside', t('curb:counts.setAside'), ({ rejected }) => rejected, { isNumber: true, width: 120 }),
    column('matched', t('curb:counts.matched'), (row) => row.matched_share, {
      isNumber: true,
      width: 120,
      renderCell: ({ matched_share: share }) => formatPercent(share),
    }),
    column('created', t('curb:imports.created'), (row) => row.created_time, {
      width: 190,
      renderCell: ({ created_time: time }) => formatDateTime(time, timezone),
    }),
  ]
}

const statusTones: Record<CountImport['status'], Tone> = {
  waiting: 'amber',
  staging: 'neutral',
  staged: 'amber',
  published: 'green',
  undone: 'neutral',
  failed: 'red',
}

export function CountStatus({ status }: { status: CountImport['status'] }) {
  const { t } = useTranslation()
  return <Badge tone={statusTones[status]} text={t(`curb:imports.status.${status}`)} />
}
