import { Stack, Text, CloseButton, Group, Progress } from '@mantine/core'
import { IconFileImport, IconSearchOff } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { TFunction } from 'i18next'
import { type Import, ImportStatus } from '#contract/imports.ts'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { FileDrop } from '#web/kit/file-drop.tsx'
import { Loaded } from '#web/kit/loaded.tsx'
import { PageHeader } from '#web/kit/page-header.tsx'
import { Pager } from '#web/kit/table/pager.tsx'
import { ReadingPage } from '#web/kit/reading-page.tsx'
import { useRegion } from '#web/shell/region.tsx'
import { useSearchState } from '#web/shell/use-search-state.ts'
import { FilterBar } from '#web/filters/filter-bar.tsx'
import { Dialog } from '#web/kit/dialog.tsx'
import { FailedState } from '#web/kit/failed-state.tsx'
import { formatBytes, formatInteger, formatPercent, formatTimezone } from '#web/kit/format.ts'
import type { Filter } from '#web/filters/filter.ts'
import { ImportCard } from './import-card.tsx'
import { MappingDialog } from './mapping-dialog.tsx'
import { shownOrders, tripFilesSearch } from './trip-files-search.ts'
import { importsPerPage, useImports, getRequirementKey } from './use-imports.ts'
import { useUploads, type Upload, type Uploads } from './use-uploads.ts'
import { MissingForm } from './missing-form.tsx'
import styles from './imports.module.css'

/** Files that are being uploaded. */
export function UploadList({ uploads }: { uploads: Uploads }) {
  const { t } = useTranslation()
  if (uploads.list.length === 0) return null
  return (
    <ul className={styles['uploads']} aria-label={t('imports:uploads')}>
      {uploads.list.map((upload) => (
        <li key={upload.id} className={styles['card']}>
          <Group justify="space-between" wrap="nowrap">
            <Text fw={600} truncate>
              {upload.file.name}
            </Text>
            <Group gap="xs" wrap="nowrap">
              <Text size="sm" c="dimmed" className="figures">
                {formatState(upload)}
              </Text>
              <CloseButton
                aria-label={t('imports:stop', { name: upload.file.name })}
                onClick={() => uploads.remove(upload.id)}
              />
            </Group>
          </Group>
          {upload.error ? (
            <FailedState
              error={upload.error}
              title={t('imports:sendFailed')}
              onRetry={() => uploads.retry(upload.id)}
            />
          ) : (
            <Progress
              value={100 * (upload.share ?? 0)}
              mt="xs"
              aria-label={t('imports:sending', { name: upload.file.name })}
            />
          )}
        </li>
      ))}
    </ul>
  )
  function formatState({ share, file, error }: Upload): string {
    if (error) return formatBytes(file.size)
    return share === null
      ? t('imports:waiting')
      : t('imports:sent', { share: formatPercent(share), size: formatBytes(file.size) })
  }
}

/** Asks for the time or operator of a vehicle file that lacks them. */
function MissingDialog({ imported, onClose }: { imported: Import; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Dialog title={t(getRequirementKey(imported.asks))} onClose={onClose}>
      <Text size="sm" c="dimmed" mb="md">
        {imported.file_name}: {imported.asks.map((requirement) => t(`imports:asks.${requirement}`)).join(' ')}
      </Text>
      {imported.notes.map((note) => (
        <Text key={note} size="sm" mb="md">
          {note}
        </Text>
      ))}
      <MissingForm imported={imported} onDone={onClose} />
    </Dialog>
  )
}

/** The upload of trip files, and all imports with their results. */
export function TripFilesScreen() {
  const { t } = useTranslation()
  const { regionId, text: regionName, timezone } = useRegion()
  const { search, push: change, replace: adjust } = useSearchState(tripFilesSearch)
  const { map: openImportId, page = 1, status, search: text } = search
  const uploads = useUploads(regionId)
  const imports = useImports(regionId, search)
  const openImport = imports.data?.items.find((item) => item.import_uuid === openImportId)
  const close = () => change({ map: undefined })
  const isFiltered = status !== undefined || text !== undefined
  const total = imports.data?.total
  return (
    <ReadingPage>
      <PageHeader
        title={t('shell:pages.tripFiles')}
        context={`${t('imports:context', { region: regionName })} · ${t('users:times', { zone: formatTimezone(timezone) })}`}
      />
      <Stack>
        <FileDrop
          title={t('imports:drop.title')}
          button={t('imports:drop.button')}
          accept=".csv,.gz,.zip,.txt,.json,.geojson,.dly,text/csv,application/gzip,application/json"
          isMultiple
          onFiles={uploads.add}
        >
          {t('imports:drop.text')}
        </FileDrop>
        <UploadList uploads={uploads} />
        {total || isFiltered ? (
          <div>
            <FilterBar
              filters={getImportFilters(t)}
              state={search}
              onChange={(changes) => change({ ...changes, page: undefined })}
              onType={(changes) => adjust({ ...changes, page: undefined })}
            />
            {total === undefined ? null : (
              <Text size="sm" c="dimmed" className="figures" role="status">
                {t('imports:files', { count: total, shown: formatInteger(total) })}
              </Text>
            )}
          </div>
        ) : null}
        <Loaded
          query={imports}
          dim={false}
          isEmpty={(data) => data.total === 0 && (isFiltered || uploads.list.length === 0)}
          empty={
            isFiltered ? (
              <EmptyState title={t('imports:noMatch.title')} icon={<IconSearchOff />}>
                {t('imports:noMatch.text')}
              </EmptyState>
            ) : (
              <EmptyState title={t('imports:empty.title')} icon={<IconFileImport />}>
                {t('imports:empty.text')}
              </EmptyState>
            )
          }
        >
          {(data) => (
            <Stack
              component="ul"
              gap="sm"
              p={0}
              m={0}
              aria-label={t('imports:list')}
              style={{ listStyle: 'none' }}
            >
              {data.items.map((imported) => (
                <li key={imported.import_uuid}>
                  <ImportCard imported={imported} onMap={() => change({ map: imported.import_uuid })} />
                </li>
              ))}
            </Stack>
          )}
        </Loaded>
        {total === undefined ? null : (
          <Pager
            page={page}
            size={importsPerPage}
            total={total}
            onPage={(selected) => change({ page: selected })}
          />
        )}
      </Stack>
      {openImport && openImport.kind !== 'trips' ? (
        <MissingDialog key={openImport.import_uuid} imported={openImport} onClose={close} />
      ) : openImportId && imports.data ? (
        <MappingDialog
          key={openImportId}
          importUuid={openImportId}
          asks={openImport?.asks.length ? openImport.asks : ['mapping']}
          onClose={close}
        />
      ) : null}
    </ReadingPage>
  )
}

/** Returns the filters of files. */
const getImportFilters = (t: TFunction): Filter[] => [
  { kind: 'search', key: 'search', label: t('imports:filter.search') },
  {
    kind: 'choice',
    key: 'status',
    label: t('imports:filter.status'),
    none: t('imports:filter.any'),
    options: ImportStatus.options.map((value) => ({ value, text: t(`imports:status.${value}`) })),
  },
  {
    kind: 'choice',
    key: 'sort',
    label: t('imports:filter.sort'),
    defaultValue: '-created_time',
    options: shownOrders.map((value) => ({ value, text: t(`imports:sort.${value}`) })),
  },
]
