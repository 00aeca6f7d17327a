import { useTranslation } from 'react-i18next'
import type { SpatialMode } from '#contract/spatial.ts'
import { ColorRamp } from '#web/charts/color-ramp.tsx'
import { formatInteger } from '#web/kit/format.ts'
import styles from './heat-legend.module.css'

interface Props {
  /** Mode of the map, which determines what the points are. */
  map: SpatialMode
  text: string
  colors: readonly string[]
  points: number | null
}

/** The legend of a heat map: the density of its points. */
export function HeatLegend({ map, text, colors, points }: Props) {
  const { t } = useTranslation()
  return (
    <div className={styles['heat']}>
      <ColorRamp colors={colors} />
      <div className={styles['ends']}>
        <span>{t('evaluation:heat.sparse')}</span>
        <span>{t('evaluation:heat.dense')}</span>
      </div>
      <p className={styles['text']}>
        {points === null
          ? t('evaluation:heat.loading')
          : t(`evaluation:heat.points.${map}`, { text, shown: formatInteger(points) })}
      </p>
    </div>
  )
}
