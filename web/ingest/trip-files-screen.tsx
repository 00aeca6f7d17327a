import { Stack } from '@mantine/core'
import { IconFileImport, IconSearchOff } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { FileDrop } from '#web/kit/file-drop.tsx'
import { Loaded } from '#web/kit/loaded.tsx'
import { PageHeader } from '#web/kit/page-header.tsx'
import { Pager } from '#web/kit/pager.tsx'
import { ReadingPage } from '#web/kit/reading-page.tsx'
import { useRegion } from '#web/shell/region.tsx'
import { useSearchState } from '#web/shell/use-search-state.ts'
import { ImportCard } from './import-card.tsx'
import { ImportFilters } from './import-filters.tsx'
import { MappingDialog } from './mapping-dialog.tsx'
import { MissingDialog } from './missing-dialog.tsx'
import { type TripFilesSearch, tripFilesSearch } from './trip-files-search.ts'
import { UploadList } from './upload-list.tsx'
import { importsPerPage, useImports } from './use-imports.ts'
import { useUploads } from './use-uploads.ts'

export function TripFilesScreen() {
  const { t } = useTranslation()
  const { regionId, text: regionName } = useRegion()
  const { search, change, adjust } = useSearchState(tripFilesSearch)
  const { map, page = 1, status, search: text } = search
  const uploads = useUploads(regionId)
  const imports = useImports(regionId, search)
  const asked = imports.data?.items.find((each) => each.import_uuid === map)
  const close = () => change({ map: undefined })
  const isFiltered = status !== undefined || text !== undefined
  const total = imports.data?.total
  const filter = (part: TripFilesSearch, isTyping = false) =>
    (isTyping ? adjust : change)({ ...part, page: undefined })

  return (
    <ReadingPage>
      <PageHeader title={t('shell:pages.tripFiles')} context={t('ingest:context', { region: regionName })} />
      <Stack>
        <FileDrop
          title={t('ingest:drop.title')}
          button={t('ingest:drop.button')}
          accept=".csv,.gz,.zip,.txt,.json,.geojson,.dly,text/csv,application/gzip,application/json"
          isMultiple
          onFiles={uploads.add}
        >
          {t('ingest:drop.text')}
        </FileDrop>
        <UploadList uploads={uploads} />
        {total || isFiltered ? <ImportFilters search={search} total={total} onChange={filter} /> : null}
        <Loaded
          of={imports}
          dim={false}
          isEmpty={(found) => found.total === 0 && (isFiltered || uploads.list.length === 0)}
          empty={
            isFiltered ? (
              <EmptyState title={t('ingest:noMatch.title')} icon={<IconSearchOff />}>
                {t('ingest:noMatch.text')}
              </EmptyState>
            ) : (
              <EmptyState title={t('ingest:empty.title')} icon={<IconFileImport />}>
                {t('ingest:empty.text')}
              </EmptyState>
            )
          }
        >
          {(found) => (
            <Stack
              component="ul"
              gap="sm"
              p={0}
              m={0}
              aria-label={t('ingest:list')}
              style={{ listStyle: 'none' }}
            >
              {found.items.map((each) => (
                <li key={each.import_uuid}>
                  <ImportCard given={each} onMap={() => change({ map: each.import_uuid })} />
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
            onPage={(chosen) => change({ page: chosen })}
          />
        )}
      </Stack>
      {asked && asked.kind !== 'trips' ? (
        <MissingDialog key={asked.import_uuid} given={asked} onClose={close} />
      ) : map && imports.data ? (
        <MappingDialog
          key={map}
          importUuid={map}
          asks={asked?.asks.length ? asked.asks : ['mapping']}
          onClose={close}
        />
      ) : null}
    </ReadingPage>
  )
}
