import { Button, Group, Select, Stack, Text } from '@mantine/core'
import { IconDatabaseImport, IconPlus, IconRefresh } from '@tabler/icons-react'
import { keepPreviousData, useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type CurbImport,
  type CurbInventory,
  listCurbImports,
  listCurbInventories,
  pullCurbFeed,
  uploadCurbFile,
} from '#contract/curb-imports.ts'
import type { ApiError } from '#web/data/api-error.ts'
import { call } from '#web/data/client.ts'
import { endpointQueryKey, useEndpointQuery } from '#web/data/query.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { Badge, type Tone } from '#web/kit/badge.tsx'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { FailedState } from '#web/kit/failed-state.tsx'
import { FileDrop } from '#web/kit/file-drop.tsx'
import { formatDateTime, formatInteger } from '#web/kit/format.ts'
import { Loaded } from '#web/kit/loaded.tsx'
import { PageHeader } from '#web/kit/page-header.tsx'
import { ReadingPage } from '#web/kit/reading-page.tsx'
import { Pager } from '#web/kit/table/pager.tsx'
import { Table } from '#web/kit/table/table.tsx'
import { column, type TableColumn } from '#web/kit/table/table-column.ts'
import { showToast } from '#web/kit/toasts.tsx'
import { useMe } from '#web/shell/me.tsx'
import { useRegion } from '#web/shell/region.tsx'
import { useSearchState } from '#web/shell/use-search-state.ts'
import { importsSearch } from './imports-search.ts'
import { SourceDialog } from './source-dialog.tsx'
import { formatSourceKind, describeSourceKind } from './source-kinds.ts'
import styles from './imports.module.css'

const pollMs = 1000
const importsPerPage = 50

/** Sources of curb data and their imports. */
export function CurbImportsScreen() {
  const { t } = useTranslation()
  const region = useRegion()
  const { can } = useMe()
  const { search, push } = useSearchState(importsSearch)
  const { page = 1, source } = search
  const [isSourceDialogOpen, setIsSourceDialogOpen] = useState(false)
  const params = { region_id: region.regionId }
  const sources = useEndpointQuery(listCurbInventories, { params }, { staleTime: 0 })
  const imports = useEndpointQuery(
    listCurbImports,
    { params, query: { page, size: importsPerPage, inventory_id: source } },
    {
      placeholderData: keepPreviousData,
      staleTime: 0,
      refetchInterval: (query) =>
        query.state.data?.items.some(({ status }) => status === 'staging') ? pollMs : false,
    },
  )
  // Zones that were drawn by hand have no files.
  const importSources = sources.data?.items.filter(({ kind }) => kind !== 'drawn') ?? []
  const selectedSource = importSources.find(({ inventory_id: id }) => id === source) ?? null
  const canEdit = can('edit_curb_regulations')
  const columns = useImportColumns(region.regionId, region.timezone)
  return (
    <ReadingPage>
      <PageHeader
        title={t('shell:pages.curbImports')}
        context={t('curb:imports.context', { region: region.text })}
        actions={
          canEdit ? (
            <Button leftSection={<IconPlus size={18} />} onClick={() => setIsSourceDialogOpen(true)}>
              {t('curb:imports.newSource')}
            </Button>
          ) : null
        }
      />
      <Stack>
        <Loaded
          query={sources}
          isEmpty={() => importSources.length === 0}
          empty={
            <EmptyState title={t('curb:imports.noSources')} icon={<IconDatabaseImport />}>
              {t(canEdit ? 'curb:imports.noSourcesEditor' : 'curb:imports.noSourcesReader')}
            </EmptyState>
          }
        >
          {() => (
            <>
              <Select
                label={t('curb:imports.source.label')}
                placeholder={t('curb:imports.allSources')}
                data={importSources.map(({ inventory_id, name, kind }) => ({
                  value: inventory_id,
                  label: `${name} (${formatSourceKind(t, kind)})`,
                }))}
                value={selectedSource?.inventory_id ?? null}
                clearable
                clearButtonProps={{ 'aria-label': t('curb:imports.allSources') }}
                onChange={(value) => push({ source: value ?? undefined, page: undefined })}
              />
              {selectedSource ? (
                <SourceCard key={selectedSource.inventory_id} source={selectedSource} canEdit={canEdit} />
              ) : null}
              {canEdit && !selectedSource ? <Text c="dimmed">{t('curb:imports.chooseSource')}</Text> : null}
            </>
          )}
        </Loaded>
        <Loaded query={imports} dim={false} isEmpty={({ total }) => total === 0} empty={null}>
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
      {isSourceDialogOpen ? (
        <SourceDialog
          regionId={region.regionId}
          onClose={() => setIsSourceDialogOpen(false)}
          onDone={(created) => {
            setIsSourceDialogOpen(false)
            push({ source: created.inventory_id, page: undefined })
          }}
        />
      ) : null}
    </ReadingPage>
  )
}

function useImportColumns(regionId: string, timezone: string): TableColumn<CurbImport>[] {
  const { t } = useTranslation()
  const countColumn = (key: 'accepted' | 'repaired' | 'refused'): TableColumn<CurbImport> =>
    column(key, t(`curb:imports.outcome.${key}`), ({ outcomes }) => outcomes[key], {
      isNumber: true,
      width: 110,
    })
  return [
    column('file', t('curb:imports.file'), (row) => row.file_name, {
      renderCell: ({ import_id: id, file_name: name }) => (
        <Link className={styles['link']} to={`/${regionId}/curb/regulations/imports/${id}`}>
          {name}
        </Link>
      ),
    }),
    column('source', t('curb:imports.source.label'), (row) => row.inventory_name, { width: 180 }),
    column('status', t('curb:imports.statusTitle'), ({ status }) => t(`curb:imports.status.${status}`), {
      width: 130,
      renderCell: ({ status }) => <StatusBadge status={status} />,
    }),
    countColumn('accepted'),
    countColumn('repaired'),
    countColumn('refused'),
    column('created', t('curb:imports.created'), (row) => row.created_time, {
      width: 205,
      renderCell: ({ created_time: time }) => formatDateTime(time, timezone),
    }),
  ]
}

const statusTones: Record<CurbImport['status'], Tone> = {
  waiting: 'amber',
  staging: 'neutral',
  staged: 'amber',
  published: 'green',
  undone: 'neutral',
  failed: 'red',
}

export function StatusBadge({ status }: { status: CurbImport['status'] }) {
  const { t } = useTranslation()
  return <Badge tone={statusTones[status]} text={t(`curb:imports.status.${status}`)} />
}

/** A source with its feed and an upload for its files. */
function SourceCard({ source, canEdit }: { source: CurbInventory; canEdit: boolean }) {
  const { t } = useTranslation()
  const { regionId, timezone } = useRegion()
  const client = useQueryClient()
  const navigate = useNavigate()
  const params = { region_id: regionId, inventory_id: source.inventory_id }
  const pull = useEndpointMutation(pullCurbFeed, [listCurbImports, listCurbInventories])
  const upload = useMutation<CurbImport, ApiError, File[]>({
    mutationFn: async (files) => {
      const [first, ...others] = files
      if (!first) throw new Error('No file')
      // Several files form one import, which is started from its report.
      const isWaiting = others.length > 0
      let curbImport = await call(uploadCurbFile, {
        params,
        query: { file_name: first.name, ...(isWaiting ? { wait: 'true' } : {}) },
        body: first,
      })
      for (const file of others)
        curbImport = await call(uploadCurbFile, {
          params,
          query: { file_name: file.name, with_import: curbImport.import_id },
          body: file,
        })
      return curbImport
    },
    onSuccess: async (curbImport) => {
      await client.invalidateQueries({ queryKey: endpointQueryKey(listCurbImports) })
      await navigate({ to: `/${regionId}/curb/regulations/imports/${curbImport.import_id}` })
    },
  })
  const { feed } = source
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {t('curb:imports.zonesInForce', {
          count: source.zones_in_force,
          shown: formatInteger(source.zones_in_force),
        })}
        {' · '}
        {describeSourceKind(t, source.kind)}
      </Text>
      {feed ? (
        <Group>
          <Text size="sm">
            {t('curb:imports.feedText', {
              url: feed.url,
              minutes: feed.every_minutes,
              last: feed.last_pull_time
                ? formatDateTime(feed.last_pull_time, timezone)
                : t('curb:imports.never'),
            })}
          </Text>
          {canEdit ? (
            <Button
              size="xs"
              variant="default"
              leftSection={<IconRefresh size={16} />}
              loading={pull.isPending}
              onClick={() =>
                pull.mutate({ params }, { onSuccess: () => showToast(t('curb:imports.pullQueued')) })
              }
            >
              {t('curb:imports.pull')}
            </Button>
          ) : null}
          {feed.last_problem ? (
            <Text size="sm" c="red" role="alert">
              {feed.last_problem}
            </Text>
          ) : null}
        </Group>
      ) : null}
      {canEdit ? (
        <FileDrop
          title={t('curb:imports.drop.title')}
          button={t('curb:imports.drop.button')}
          accept=".csv,.json,.geojson,.gz,.txt,text/csv,application/json,application/gzip"
          isMultiple
          isDisabled={upload.isPending}
          onFiles={(files) => upload.mutate(files)}
        >
          {t(source.kind === 'signs' ? 'curb:imports.drop.signs' : 'curb:imports.drop.text')}
        </FileDrop>
      ) : null}
      {upload.error ? <FailedState error={upload.error} title={t('curb:imports.sendFailed')} /> : null}
    </Stack>
  )
}
