import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Geometry } from '#contract/place.ts'
import { formatLength } from '#web/kit/format.ts'
import { formatArea } from './format-measure.ts'
import { measure } from './geometry/measure.ts'
import styles from './shape-details.module.css'

interface Props {
  geom: Geometry
  isMetric: boolean
  /** Further terms and descriptions. */
  children?: ReactNode
}

/** The size of a geometry as a list of terms. */
export function MeasureList({ geom, isMetric, children }: Props) {
  const { t } = useTranslation()
  const { area, perimeter, length } = measure(geom)
  return (
    <dl className={styles['facts']}>
      {area === null ? null : (
        <>
          <dt>{t('geography:measure.area')}</dt>
          <dd>{formatArea(area, isMetric)}</dd>
        </>
      )}
      {perimeter === null ? null : (
        <>
          <dt>{t('geography:measure.perimeter')}</dt>
          <dd>{formatLength(perimeter, isMetric)}</dd>
        </>
      )}
      {length === null ? null : (
        <>
          <dt>{t('geography:measure.length')}</dt>
          <dd>{formatLength(length, isMetric)}</dd>
        </>
      )}
      {children}
    </dl>
  )
}
