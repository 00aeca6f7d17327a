import { Stack } from '@mantine/core'
import { IconPolygon } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { listLayers } from '#contract/geography.ts'
import { useAnswer } from '#web/data/query.ts'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { Loaded } from '#web/kit/loaded.tsx'
import { PageHeader } from '#web/kit/page-header.tsx'
import { ReadingPage } from '#web/kit/reading-page.tsx'
import { useMe } from '#web/shell/me.tsx'
import { useRegion } from '#web/shell/region.tsx'
import { useSearchState } from '#web/shell/use-search-state.ts'
import { BoundaryUpload } from './boundary-upload.tsx'
import { geographiesSearch } from './geographies-search.ts'
import { LayerDrawer } from './layer-drawer.tsx'
import { LayerTable } from './layer-table.tsx'

export function GeographiesScreen() {
  const { t } = useTranslation()
  const { regionId, text } = useRegion()
  const { can } = useMe()
  const { search: { layer }, change } = useSearchState(geographiesSearch)
  const layers = useAnswer(listLayers, { params: { region_id: regionId } })
  const open = layers.data?.items.find((each) => each.shape_layer_uuid === layer)

  return (
    <ReadingPage>
      <PageHeader title={t('shell:pages.geographies')} context={t('geography:context', { region: text })} />
      <Stack>
        {can('edit_geography') ? <BoundaryUpload onCreated={(created) => change({ layer: created })} /> : null}
        <Loaded
          of={layers} isEmpty={(found) => found.items.length === 0}
          empty={<EmptyState title={t('geography:empty.title')} icon={<IconPolygon />}>{t(can('edit_geography') ? 'geography:empty.text' : 'geography:empty.ask')}</EmptyState>}
        >
          {(found) => <LayerTable layers={found.items} onOpen={(shape_layer_uuid) => change({ layer: shape_layer_uuid })} />}
        </Loaded>
      </Stack>
      {open ? <LayerDrawer key={open.shape_layer_uuid} layer={open} mayEdit={can('edit_geography') && open.editable} onClose={() => change({ layer: undefined })} /> : null}
    </ReadingPage>
  )
}
