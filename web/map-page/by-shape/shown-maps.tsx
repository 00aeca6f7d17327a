import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Region } from '#contract/regions.ts'
import type { BinColors, Scheme } from '#web/kit/theme.ts'
import type { HeatPoint } from '#web/map/layers/heat-points.ts'
import { ViewLink } from '#web/map/viewport.ts'
import { formatPeriod, type Period } from '#web/filters/period.ts'
import { coveredMap } from '../covered-map.ts'
import type { MapSearch } from './map-search.ts'
import { SideBySideMaps } from './side-by-side-maps.tsx'
import { CurrentShapeCard } from './current-shape-card.tsx'
import type { ShownMap } from './shown-map.ts'
import { usePainting } from './use-painting.ts'
import { ValuesMap } from './values-map.tsx'

interface Props {
  title: string
  region: Region
  search: Pick<MapSearch, 'view' | 'shape' | 'results'>
  map: ShownMap
  period: Period
  ramp: BinColors
  scheme: Scheme
  heat: readonly HeatPoint[] | null
  unitText: string
  unitSingular: string
  isSmall: boolean
  isPanelOpen: boolean
  hasAxis: boolean
  isDimmed: boolean
  onViewChange: (view: [number, number, number]) => void
  onSelect: (id: string | null) => void
  /** When the screen was opened, in ms since 1970. */
  at: number
}

/** One map, or two synchronized maps of two periods. */
export function ShownMaps({
  title,
  region,
  search,
  map,
  period,
  ramp,
  scheme,
  heat,
  unitText,
  unitSingular,
  isSmall,
  isPanelOpen,
  hasAxis,
  isDimmed,
  onViewChange,
  onSelect,
  at,
}: Props) {
  const { t, i18n } = useTranslation()
  const [viewLink] = useState(() => new ViewLink())
  const { comparison, playing } = map
  const { now, before } = usePainting(map, map.evaluation, ramp, scheme)
  const heatPoints = useMemo(() => (heat ? { points: heat, colors: ramp } : null), [heat, ramp])
  const earlierMap = useMemo(
    (): ShownMap => ({ ...map, evaluation: comparison?.before ?? null, comparison: null, playing: null }),
    [map, comparison],
  )
  const covered = coveredMap({ isSmall, isPanelOpen, areResultsOpen: search.results === true, hasAxis })
  const mapWidth = window.innerWidth - covered.left
  const mapTitle = t('evaluation:mapOf', { title, region: region.text })
  const sharedProps = {
    region,
    search,
    layers: map.layers,
    layer: map.layer,
    shapes: map.shapes,
    isDimmed,
    onViewChange,
    onSelect,
    at,
  }
  if (!comparison || !before)
    return (
      <ValuesMap
        {...sharedProps}
        key="one"
        title={mapTitle}
        painting={now}
        heat={heatPoints}
        playing={playing?.states ?? null}
        covered={covered}
        width={mapWidth}
        hoverCard={(id) => (
          <CurrentShapeCard map={map} id={id} unitText={unitText} unitSingular={unitSingular} />
        )}
      />
    )
  // Two maps end above the results bar, so they do not count it; on a phone the drawer covers only the lower one.
  const coveredHalf = {
    ...covered,
    left: 0,
    bottom: isSmall ? 0 : covered.bottom - coveredMap({ isSmall, isPanelOpen, areResultsOpen: false }).bottom,
  }
  const sides = [
    { key: 'now', shown: map, painting: now, shownPeriod: period, leads: true },
    { key: 'before', shown: earlierMap, painting: before, shownPeriod: comparison.period, leads: false },
  ]
  return (
    <SideBySideMaps
      isSmall={isSmall}
      maps={sides.map(({ key, shown, painting, shownPeriod, leads }) => {
        const label = formatPeriod(shownPeriod, i18n.language)
        return {
          key,
          label,
          map: (
            <ValuesMap
              {...sharedProps}
              title={t('evaluation:compare.mapOf', { title: mapTitle, period: label })}
              painting={painting}
              heat={null}
              linkedViews={{ link: viewLink, leads }}
              covered={coveredHalf}
              width={isSmall ? mapWidth : mapWidth / 2}
              hoverCard={(id) => (
                <CurrentShapeCard map={shown} id={id} unitText={unitText} unitSingular={unitSingular} />
              )}
            />
          ),
        }
      })}
    />
  )
}
