import { Pagination, Stack } from '@mantine/core'
import { IconFileImport } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { FileDrop } from '#web/kit/file-drop.tsx'
import { Loaded } from '#web/kit/loaded.tsx'
import { PageHeader } from '#web/kit/page-header.tsx'
import { ReadingPage } from '#web/kit/reading-page.tsx'
import { useRegion } from '#web/shell/region.tsx'
import { useSearchState } from '#web/shell/use-search-state.ts'
import { ImportCard } from './import-card.tsx'
import { MappingDialog } from './mapping-dialog.tsx'
import { MissingDialog } from './missing-dialog.tsx'
import { tripFilesSearch } from './trip-files-search.ts'
import { UploadList } from './upload-list.tsx'
import { useImports } from './use-imports.ts'
import { useUploads } from './use-uploads.ts'

export function TripFilesScreen() {
  const { t } = useTranslation()
  const { regionId, text } = useRegion()
  const { search: { map, page = 1 }, change } = useSearchState(tripFilesSearch)
  const uploads = useUploads(regionId)
  const imports = useImports(regionId, page)
  const asked = imports.data?.items.find((each) => each.import_uuid === map && each.kind !== 'trips')
  const close = () => change({ map: undefined })
  const pages = Math.ceil((imports.data?.total ?? 0) / (imports.data?.size ?? 1))

  return (
    <ReadingPage>
      <PageHeader title={t('shell:pages.tripFiles')} context={t('ingest:context', { region: text })} />
      <Stack>
        <FileDrop title={t('ingest:drop.title')} button={t('ingest:drop.button')} accept=".csv,.gz,.txt,.json,.geojson,.dly,text/csv,application/gzip,application/json" isMultiple onFiles={uploads.add}>
          {t('ingest:drop.text')}
        </FileDrop>
        <UploadList uploads={uploads} />
        <Loaded
          of={imports} dim={false} isEmpty={(found) => found.total === 0 && uploads.list.length === 0}
          empty={<EmptyState title={t('ingest:empty.title')} icon={<IconFileImport />}>{t('ingest:empty.text')}</EmptyState>}
        >
          {(found) => (
            <Stack component="ul" gap="sm" p={0} m={0} aria-label={t('ingest:list')} style={{ listStyle: 'none' }}>
              {found.items.map((each) => (
                <li key={each.import_uuid}><ImportCard given={each} onMap={() => change({ map: each.import_uuid })} /></li>
              ))}
            </Stack>
          )}
        </Loaded>
        {pages > 1 ? <Pagination value={page} total={pages} onChange={(chosen) => change({ page: chosen })} getItemProps={(at) => ({ 'aria-label': t('ingest:page', { page: at }) })} /> : null}
      </Stack>
      {asked ? <MissingDialog key={asked.import_uuid} given={asked} onClose={close} /> : map && imports.data ? <MappingDialog key={map} importUuid={map} onClose={close} /> : null}
    </ReadingPage>
  )
}
