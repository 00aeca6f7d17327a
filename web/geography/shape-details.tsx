import { ActionIcon, Button, Group, Text } from '@mantine/core'
import { IconHistory, IconPencil, IconTrash, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getShape, type Shape, type ShapeVersion } from '#contract/geography.ts'
import { listShapePolicies } from '#contract/geography-use.ts'
import type { EndpointOutput } from '#contract/endpoint.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { formatDateTime } from '#web/kit/format.ts'
import { Loaded } from '#web/kit/loaded.tsx'
import { useRegion } from '#web/shell/region.tsx'
import { DeleteShapeDialog } from './delete-shape-dialog.tsx'
import { MeasureList } from './measure-list.tsx'
import { RenameShapeDialog } from './rename-shape-dialog.tsx'
import styles from './shape-details.module.css'
import { ShapeHistory } from './shape-history.tsx'

interface Props {
  shapeUuid: string
  canEdit: boolean
  /** The version outlined on the map. */
  shown: number | null
  onShow: (version: ShapeVersion | null) => void
  onClear: () => void
}

/** The details of a shape: type, size, history and dependents. */
export function ShapeDetails({ shapeUuid, canEdit, shown, onShow, onClear }: Props) {
  const { t } = useTranslation()
  const { regionId } = useRegion()
  const params = { region_id: regionId, shape_uuid: shapeUuid }
  const response = useEndpointQuery(getShape, { params })
  const policies = useEndpointQuery(listShapePolicies, { params })
  const [openDialog, setOpenDialog] = useState<'rename' | 'delete' | null>(null)
  const [isHistoryShown, setIsHistoryShown] = useState(false)
  return (
    <section className={styles['card']} aria-label={t('geography:shape.details')}>
      <ActionIcon
        className={styles['close'] ?? ''}
        variant="subtle"
        color="gray"
        aria-label={t('geography:shape.clear')}
        onClick={onClear}
      >
        <IconX size={18} />
      </ActionIcon>
      <Loaded query={response}>
        {(shape) => (
          <>
            <h2 className={styles['name']}>{shape.shape_name}</h2>
            {shape.shape_description ? (
              <Text size="sm" className={styles['text'] ?? ''}>
                {shape.shape_description}
              </Text>
            ) : null}
            <ShapeFacts shape={shape} policies={policies.data?.items} />
            <Group gap={4} mt="sm">
              <Button
                size="xs"
                variant="default"
                leftSection={<IconHistory size={16} />}
                aria-expanded={isHistoryShown}
                onClick={() => {
                  setIsHistoryShown(!isHistoryShown)
                  onShow(null)
                }}
              >
                {t('geography:shape.history')}
              </Button>
              {canEdit ? <EditButtons onOpen={setOpenDialog} /> : null}
            </Group>
            {isHistoryShown ? (
              <ShapeHistory
                shape={shape}
                regionId={regionId}
                canEdit={canEdit}
                shown={shown}
                onShow={onShow}
              />
            ) : null}
            {openDialog === 'rename' ? (
              <RenameShapeDialog shape={shape} regionId={regionId} onClose={() => setOpenDialog(null)} />
            ) : null}
            {openDialog === 'delete' ? (
              <DeleteShapeDialog
                shape={shape}
                regionId={regionId}
                onClose={() => setOpenDialog(null)}
                onDeleted={onClear}
              />
            ) : null}
          </>
        )}
      </Loaded>
    </section>
  )
}

interface ShapeFactsProps {
  shape: Shape
  /** Undefined while loading. */
  policies: EndpointOutput<typeof listShapePolicies>['items'] | undefined
}

/** Size, id, last change, and the policies that use the shape. */
function ShapeFacts({ shape, policies }: ShapeFactsProps) {
  const { t } = useTranslation()
  const { timezone, isMetric } = useRegion()
  return (
    <MeasureList geom={shape.geom} isMetric={isMetric}>
      <dt>{t('geography:shape.id')}</dt>
      <dd>{shape.shape_id}</dd>
      <dt>{t('geography:shape.changed')}</dt>
      <dd>
        {t('geography:shape.changedBy', {
          moment: formatDateTime(shape.modified_time, timezone),
          name: shape.modified_by ?? t('geography:byServer'),
        })}
      </dd>
      {policies ? (
        <>
          <dt>{t('geography:shape.policies')}</dt>
          <dd>
            {policies.length === 0
              ? t('geography:shape.noPolicies')
              : policies.map(({ policy_name }) => policy_name).join(', ')}
          </dd>
        </>
      ) : null}
    </MeasureList>
  )
}

function EditButtons({ onOpen }: { onOpen: (dialog: 'rename' | 'delete') => void }) {
  const { t } = useTranslation()
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconPencil size={16} />}
        onClick={() => onOpen('rename')}
      >
        {t('geography:shape.rename')}
      </Button>
      <Button
        size="xs"
        variant="default"
        c="var(--red)"
        leftSection={<IconTrash size={16} />}
        onClick={() => onOpen('delete')}
      >
        {t('kit:delete')}
      </Button>
    </>
  )
}
