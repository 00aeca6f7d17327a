import { Button, Stack } from '@mantine/core'
import { IconMapPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { listRegions } from '#contract/regions.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { Loaded } from '#web/kit/loaded.tsx'
import { useMe } from '#web/shell/me.tsx'
import { useSearchState } from '#web/shell/use-search-state.ts'
import { AdminPage } from '#web/users/admin-page.tsx'
import { RegionDialog } from './region-dialog.tsx'
import { RegionTable } from './region-table.tsx'

interface RegionsSearch {
  /** The region being edited. */
  edit?: string | undefined
  /** Whether a region is being made. */
  isNew?: true | undefined
}

export const regionsSearch = (search: Record<string, unknown>): RegionsSearch => ({
  ...(typeof search['edit'] === 'string' ? { edit: search['edit'] } : {}),
  ...(search['isNew'] === true ? { isNew: true as const } : {}),
})

export function RegionsScreen() {
  const { t } = useTranslation()
  const {
    search: { edit, isNew },
    push: change,
  } = useSearchState(regionsSearch)
  const regions = useEndpointQuery(listRegions, { query: { size: 300 } })
  const edited = regions.data?.items.find((region) => region.regionId === edit)
  const { user } = useMe()
  const add = user.regionIds ? null : (
    <Button leftSection={<IconMapPlus size={18} />} onClick={() => change({ isNew: true })}>
      {t('regions:add')}
    </Button>
  )

  return (
    <AdminPage page="regions" context={t('regions:context')} actions={add}>
      <Stack>
        <Loaded
          of={regions}
          isEmpty={(found) => found.items.length === 0}
          empty={
            <EmptyState title={t('regions:empty.title')} action={add}>
              {t('regions:empty.text')}
            </EmptyState>
          }
        >
          {(found) => <RegionTable regions={found.items} onEdit={(regionId) => change({ edit: regionId })} />}
        </Loaded>
      </Stack>
      {edited || isNew ? (
        <RegionDialog
          key={edited?.regionId}
          region={edited ?? null}
          onClose={() => change({ edit: undefined, isNew: undefined })}
        />
      ) : null}
    </AdminPage>
  )
}
