import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Layer, Shape } from '#contract/geography.ts'
import type { Region } from '#contract/regions.ts'
import { BinLegend } from '#web/charts/bin-legend.tsx'
import { dataColors } from '#web/kit/theme.ts'
import { useMapScheme } from '#web/map/use-map-scheme.ts'
import styles from './area-map.module.css'
import type { Evaluation } from './evaluation.ts'
import { embeddedMapWidth } from '../first-view.ts'
import { formatValue, unitAfter } from './format-value.ts'
import { paintValues } from './paint-values.ts'
import { ValuesMap } from './values-map.tsx'

interface Props {
  title: string
  /** Unit of the values in the legend, and its singular. */
  unitText: string
  unitSingular: string
  region: Region
  layers: readonly Layer[]
  layer: Layer
  shapes: readonly Shape[]
  values: Pick<Evaluation, 'rows' | 'unit'>
  /** When the screen was opened, in ms since 1970. */
  at: number
  /** Called with the clicked shape, or null for a click beside all shapes. */
  onSelect?: (id: string | null) => void
  selected?: string | undefined
}

/** A map of one value per area within a page. */
export function AreaMap({
  title,
  unitText,
  unitSingular,
  region,
  layers,
  layer,
  shapes,
  values,
  at,
  onSelect,
  selected,
}: Props) {
  const { t } = useTranslation()
  const scheme = useMapScheme()
  const painting = useMemo(
    () => paintValues(t, values, dataColors[scheme].sequential.tide),
    [t, values, scheme],
  )
  return (
    <div className={styles['box']}>
      <ValuesMap
        title={title}
        region={region}
        search={{ view: undefined, shape: selected }}
        layers={layers}
        layer={layer}
        shapes={shapes}
        painting={painting}
        heat={null}
        width={embeddedMapWidth}
        isDimmed={false}
        onViewChange={() => undefined}
        onSelect={onSelect ?? (() => undefined)}
        hoverCard={(id) => {
          const row = values.rows.find((candidate) => candidate.id === id)
          if (!row) return null
          return (
            <span className={styles['card']}>
              <b>{row.name}</b> {formatValue(row.value, values.unit)}{' '}
              {unitAfter(row.value, values.unit, unitText, unitSingular)}
            </span>
          )
        }}
        at={at}
      />
      <section className={styles['legend']} aria-label={t('evaluation:legend.label')}>
        <h3 className={styles['title']}>{unitText}</h3>
        <BinLegend label={t('evaluation:legend.bins')} rows={painting.legend} />
      </section>
    </div>
  )
}
