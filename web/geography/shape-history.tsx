import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { getShapeHistory, type Shape } from '#contract/geography.ts'
import { useAnswer } from '#web/data/query.ts'
import { formatMoment } from '#web/kit/format.ts'
import { Loaded } from '#web/kit/loaded.tsx'
import { useRegion } from '#web/shell/region.tsx'
import { ShapesDrawing } from './shapes-drawing.tsx'
import styles from './geography.module.css'

interface Props {
  shape: Shape
  regionId: string
}

/** Every geometry that a shape had, newest first. */
export function ShapeHistory({ shape, regionId }: Props) {
  const { t } = useTranslation()
  const { timezone } = useRegion()
  const history = useAnswer(getShapeHistory, { params: { region_id: regionId, shape_uuid: shape.shape_uuid } })
  return (
    <Loaded of={history}>
      {(found) => found.items.map((version) => {
        const from = formatMoment(version.valid_from, timezone)
        return (
          <div key={version.valid_from} className={styles['history']}>
            <ShapesDrawing geometries={[version.geom]} label={t('geography:shape.geometryFrom', { from })} width={120} height={80} />
            <div>
              <Text size="sm">{version.valid_until ? t('geography:shape.span', { from, until: formatMoment(version.valid_until, timezone) }) : t('geography:shape.since', { from })}</Text>
              {version.changed_by ? <Text size="sm" c="dimmed">{t('geography:shape.by', { name: version.changed_by })}</Text> : null}
            </div>
          </div>
        )
      })}
    </Loaded>
  )
}
