import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listLayers } from '#contract/geography.ts'
import { useOpenedAt } from '#web/data/clock.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { requestHeaders } from '#web/data/request-headers.ts'
import { useBasemap } from '#web/map-page/use-basemap.ts'
import { useRegion } from '#web/shell/region.tsx'
import { CurbMap } from './curb-map.tsx'
import { getRegionCurbSource } from './curb-source.ts'

/** The map of curb regulations for signed-in users of the region. */
export function RegulationsMapScreen() {
  const { t } = useTranslation()
  const region = useRegion()
  const now = useOpenedAt()
  const [source] = useState(() => getRegionCurbSource(region.regionId))
  const layers = useEndpointQuery(listLayers, { params: { region_id: region.regionId } })
  const basemap = useBasemap(layers.data?.items ?? null, now)
  return (
    <CurbMap
      region={region}
      source={source}
      basemap={basemap}
      requestHeaders={requestHeaders}
      title={t('shell:pages.regulationsMap')}
      now={now}
    />
  )
}
