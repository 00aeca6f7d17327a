import { Button } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatInteger } from '#web/kit/format.ts'
import { dataColors } from '#web/kit/theme.ts'
import { shapeStates } from '#web/map/layers/shape-states.ts'
import { streetSideLayer } from '#web/map/layers/street-side-layer.ts'
import { MapView } from '#web/map/map-view.tsx'
import { useMapScheme } from '#web/map/use-map-scheme.ts'
import styles from './curb-map-screen.module.css'
import { cityCenter, curbBins, curbIds, curbSource, districtsLayer } from './curb-samples.ts'

const uncovered = { top: 0, right: 0, bottom: 0, left: 0 }
const none = new Map<never, never>()

/** For developers: districts, 20,000 curb segments beside their streets, and meters on one map. */
export function CurbMapScreen() {
  const { t } = useTranslation()
  const scheme = useMapScheme()
  const [step, setStep] = useState(0)
  const [selected, setSelected] = useState<string | null>(null)
  const [districts, curbs] = useMemo(
    () =>
      [
        districtsLayer(scheme),
        streetSideLayer({
          key: 'curbs',
          source: curbSource,
          sourceLayer: null,
          idProperty: 'curb_id',
          sideProperty: 'side',
          binById: none,
          colors: dataColors[scheme].categorical.slice(0, 5),
          scheme,
        }),
      ] as const,
    [scheme],
  )
  // New classes only change feature states; the scene is drawn once.
  const scene = useMemo(
    () => ({
      scheme,
      basemap: [],
      layers: [districts, { ...curbs, states: shapeStates(curbBins(step)) }],
      heat: null,
      selected,
    }),
    [scheme, districts, curbs, step, selected],
  )
  return (
    <main className={styles['page']}>
      <div className={styles['bar']}>
        <h1>{t('curb:gallery.title', { shown: formatInteger(curbIds.length) })}</h1>
        <Button size="xs" onClick={() => setStep(step + 1)}>
          {t('curb:gallery.change')}
        </Button>
        <output>{selected ?? t('curb:gallery.nothing')}</output>
      </div>
      <div className={styles['map']}>
        <MapView
          requestHeaders={() => ({})}
          scene={scene}
          title={t('curb:gallery.map')}
          view={cityCenter}
          isExact
          covered={uncovered}
          isMetric={false}
          isDimmed={false}
          onViewChange={() => undefined}
          onSelect={setSelected}
          findShape={() => null}
          hoverCard={(id) => id}
        />
      </div>
    </main>
  )
}
