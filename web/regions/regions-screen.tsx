import { Button, Stack } from '@mantine/core'
import { IconMapPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { listRegions } from '#contract/regions.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { Loaded } from '#web/kit/loaded.tsx'
import { useMe } from '#web/shell/me.tsx'
import { flag, searchParams, tableParams, text } from '#web/shell/search-params.ts'
import { useSearchState } from '#web/shell/use-search-state.ts'
import { AdminPage } from '#web/shell/admin-page.tsx'
import { RegionDialog } from './region-dialog.tsx'
import { RegionTable } from './region-table.tsx'

/** URL parameters of the list of regions, including the open dialog. */
const regionsSearch = searchParams({ edit: text(), is_new: flag, ...tableParams })

export function RegionsScreen() {
  const { t } = useTranslation()
  const { search, push: change } = useSearchState(regionsSearch)
  const { edit, is_new } = search
  const regions = useEndpointQuery(listRegions, { query: { size: 300 } })
  const editedRegion = regions.data?.items.find((region) => region.regionId === edit)
  const { user } = useMe()
  const addButton = user.regionIds ? null : (
    <Button leftSection={<IconMapPlus size={18} />} onClick={() => change({ is_new: true })}>
      {t('regions:add')}
    </Button>
  )
  return (
    <AdminPage page="regions" context={t('regions:context')} actions={addButton}>
      <Stack>
        <Loaded
          query={regions}
          isEmpty={(loadedRegions) => loadedRegions.items.length === 0}
          empty={
            <EmptyState title={t('regions:empty.title')} action={addButton}>
              {t('regions:empty.text')}
            </EmptyState>
          }
        >
          {(loadedRegions) => (
            <RegionTable
              regions={loadedRegions.items}
              onEdit={(regionId) => change({ edit: regionId })}
              state={search}
              onStateChange={change}
            />
          )}
        </Loaded>
      </Stack>
      {editedRegion || is_new ? (
        <RegionDialog
          key={editedRegion?.regionId}
          region={editedRegion ?? null}
          onClose={() => change({ edit: undefined, is_new: undefined })}
        />
      ) : null}
    </AdminPage>
  )
}
