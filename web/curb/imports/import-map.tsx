import { Text } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { curbOutcomes, getCurbImportMap } from '#contract/curb-imports.ts'
import { listLayers } from '#contract/geography.ts'
import type { Region } from '#contract/regions.ts'
import { boxAroundGeometries } from '#web/map/rendering/box-around.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { useBasemap } from '#web/map-page/use-basemap.ts'
import { formatInteger } from '#web/kit/format.ts'
import { Loaded } from '#web/kit/loaded.tsx'
import { type Scheme, tokens } from '#web/kit/theme.ts'
import { curbZonesLayer } from '#web/map/layers/curb-zones-layer.ts'
import { EmbeddedMap } from '#web/map-page/embedded-map.tsx'
import { useMapScheme } from '#web/map/use-map-scheme.ts'
import styles from './imports.module.css'

interface Props {
  region: Region
  importId: string
  selectedRow: number | null
  at: number
  onSelect: (row: number) => void
}

/** Returns the colors in the order of `curbOutcomes`. */
const getOutcomeColors = (scheme: Scheme): string[] => [
  tokens[scheme].teal,
  tokens[scheme].amber,
  tokens[scheme].red,
]

/** The staged zones, colored by the result of their records. */
export function ImportMap({ region, importId, selectedRow, at, onSelect }: Props) {
  const { t } = useTranslation()
  const scheme = useMapScheme()
  const layers = useEndpointQuery(listLayers, { params: { region_id: region.regionId } }).data?.items ?? null
  const basemap = useBasemap(layers, at)
  const staged = useEndpointQuery(getCurbImportMap, {
    params: { region_id: region.regionId, import_id: importId },
  })
  const zones = staged.data?.zones
  const colors = getOutcomeColors(scheme)
  const layer = useMemo(
    () =>
      curbZonesLayer({
        key: `import-zones:${importId}:${zones?.length ?? 0}`,
        zones: (zones ?? []).map(({ row, geometry }) => ({ id: String(row), geometry })),
        binById: new Map(
          (zones ?? []).map(({ row, outcome }) => [String(row), curbOutcomes.indexOf(outcome)]),
        ),
        colors: getOutcomeColors(scheme),
        scheme,
      }),
    [zones, importId, scheme],
  )
  const scene = useMemo(
    () => ({
      scheme,
      basemap,
      layers: [layer],
      heat: null,
      selected: selectedRow === null ? null : String(selectedRow),
    }),
    [scheme, basemap, layer, selectedRow],
  )
  const cameraTarget = useMemo(() => {
    const box = boxAroundGeometries((zones ?? []).map(({ geometry }) => geometry))
    return box && { box, minZoom: 13 }
  }, [zones])
  return (
    <Loaded query={staged}>
      {({ total, zones: shownZones }) => (
        <div>
          <div className={styles['map']}>
            <EmbeddedMap
              region={region}
              scene={scene}
              title={t('curb:imports.map.title')}
              cameraTarget={cameraTarget}
              onSelect={(id) => {
                if (id !== null) onSelect(Number(id))
              }}
              hoverCard={(id) => <strong>{t('curb:imports.rowNumber', { row: id })}</strong>}
            />
          </div>
          <ul className={styles['legend']} aria-label={t('curb:imports.map.legend')}>
            {(['accepted', 'repaired'] as const).map((outcome, index) => (
              <li key={outcome}>
                <span className={styles['swatch']} style={{ background: colors[index] }} aria-hidden="true" />
                {t(`curb:imports.outcome.${outcome}`)}
              </li>
            ))}
          </ul>
          {shownZones.length < total ? (
            <Text size="sm" c="dimmed" role="status">
              {t('curb:imports.map.part', {
                shown: formatInteger(shownZones.length),
                total: formatInteger(total),
              })}
            </Text>
          ) : null}
        </div>
      )}
    </Loaded>
  )
}
