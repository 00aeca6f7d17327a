import { Button, Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import {
  getShape,
  getShapeHistory,
  listLayers,
  listShapes,
  type Shape,
  type ShapeVersion,
} from '#contract/geography.ts'
import { restoreShape } from '#contract/geography-history.ts'
import { listShapeRows } from '#contract/geography-use.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { FailedState } from '#web/kit/failed-state.tsx'
import { formatDateTime } from '#web/kit/format.ts'
import { Loaded } from '#web/kit/loaded.tsx'
import { useRegion } from '#web/shell/region.tsx'
import { ShapesDrawing } from './shapes-drawing.tsx'
import styles from './shape-history.module.css'

interface Props {
  shape: Shape
  regionId: string
  canEdit: boolean
  /** The version outlined on the map. */
  shown: number | null
  onShow: (version: ShapeVersion | null) => void
}

/** The versions of a shape, newest first; each can be shown on the map and restored. */
export function ShapeHistory({ shape, regionId, canEdit, shown, onShow }: Props) {
  const { t } = useTranslation()
  const { timezone } = useRegion()
  const params = { region_id: regionId, shape_uuid: shape.shape_uuid }
  const history = useEndpointQuery(getShapeHistory, { params })
  const restore = useEndpointMutation(restoreShape, [
    getShapeHistory,
    getShape,
    listShapes,
    listShapeRows,
    listLayers,
  ])
  return (
    <Loaded query={history}>
      {(data) => (
        <>
          {restore.error ? <FailedState error={restore.error} title={t('geography:history.failed')} /> : null}
          <ol
            className={styles['list']}
            aria-label={t('geography:shape.historyOf', { name: shape.shape_name })}
          >
            {data.items.map((version) => {
              const moment = formatDateTime(version.valid_from, timezone)
              const changeText =
                version.act === 'changed' && version.changes.length > 0
                  ? version.changes.map((part) => t(`geography:part.${part}`)).join(', ')
                  : t(`geography:act.${version.act}`)
              return (
                <li key={version.version} className={styles['version']}>
                  <ShapesDrawing
                    geometries={[version.geom]}
                    label={t('geography:shape.geometryFrom', { from: moment })}
                    width={72}
                    height={56}
                  />
                  <div>
                    <Text size="sm" fw={600}>
                      {changeText}
                    </Text>
                    {version.shape_name === shape.shape_name ? null : (
                      <Text size="xs">{version.shape_name}</Text>
                    )}
                    <Text size="xs" c="dimmed">
                      {moment} · {version.changed_by ?? t('geography:byServer')}
                    </Text>
                    {version.valid_until === null ? (
                      <Text size="xs" c="dimmed">
                        {t('geography:history.now')}
                      </Text>
                    ) : (
                      <Group gap={4} mt={4}>
                        <Button
                          size="compact-xs"
                          variant={shown === version.version ? 'filled' : 'default'}
                          aria-pressed={shown === version.version}
                          onClick={() => onShow(shown === version.version ? null : version)}
                        >
                          {t('geography:history.show')}
                        </Button>
                        {canEdit ? (
                          <Button
                            size="compact-xs"
                            variant="default"
                            aria-label={t('geography:history.restoreFrom', { moment })}
                            loading={restore.isPending && restore.variables.body.version === version.version}
                            onClick={() =>
                              restore.mutate(
                                {
                                  params,
                                  body: { version: version.version, if_modified_time: shape.modified_time },
                                },
                                { onSuccess: () => onShow(null) },
                              )
                            }
                          >
                            {t('geography:history.restore')}
                          </Button>
                        ) : null}
                      </Group>
                    )}
                  </div>
                </li>
              )
            })}
          </ol>
        </>
      )}
    </Loaded>
  )
}
