import { Badge, Group, Progress, Text, UnstyledButton } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Layer } from '#contract/geography.ts'
import type { LayerCubes } from '#contract/geography-use.ts'
import { formatDateTime, formatPercent, formatInteger } from '#web/kit/format.ts'
import { useRegion } from '#web/shell/region.tsx'
import styles from './layer-entry.module.css'

interface Props {
  layer: Layer
  cubes: LayerCubes | undefined
  isOpen: boolean
  onOpen: () => void
}

/** A layer in the list: type, shape count, author and time of the last change, progress of its hourly sums. */
export function LayerEntry({ layer, cubes, isOpen, onOpen }: Props) {
  const { t } = useTranslation()
  const { timezone } = useRegion()
  const level =
    layer.level === null
      ? null
      : t(`geography:level.${layer.level.replace(':', '_')}`, { defaultValue: layer.level })
  const by = layer.modified_by ?? t('geography:byServer')
  return (
    <li className={styles['row']} data-open={isOpen || undefined}>
      <UnstyledButton className={styles['entry'] ?? ''} aria-current={isOpen || undefined} onClick={onOpen}>
        <Group gap={6} wrap="nowrap" justify="space-between">
          <Text fw={600} truncate title={layer.layer_name}>
            {layer.layer_name}
          </Text>
          {layer.editable ? null : (
            <IconLock
              size={15}
              role="img"
              aria-label={t('geography:layer.locked')}
              className={styles['lock'] ?? ''}
            />
          )}
        </Group>
        <Text size="xs" c="dimmed" className="figures">
          {t('geography:shapeCount', { count: layer.shape_count, shown: formatInteger(layer.shape_count) })} ·{' '}
          {t(`geography:type.${layer.geometry_type}`)}
        </Text>
        <Text size="xs" c="dimmed">
          {t('geography:layer.changedBy', {
            name: by,
            moment: formatDateTime(layer.modified_time, timezone),
          })}
        </Text>
        {level ? (
          <Badge mt={4} size="sm" variant="light">
            {level}
          </Badge>
        ) : null}
      </UnstyledButton>
      {cubes ? <CubesLine cubes={cubes} /> : null}
    </li>
  )
}

function CubesLine({ cubes }: { cubes: LayerCubes }) {
  const { t } = useTranslation()
  if (cubes.status === 'none' || cubes.status === 'ready') return null
  const share = cubes.total_hours > 0 ? cubes.done_hours / cubes.total_hours : 0
  const text = t(`geography:cubes.${cubes.status}`, {
    share: formatPercent(share),
    problem: cubes.problem ?? '',
  })
  return (
    <div className={styles['cubes']}>
      <Text size="xs" c={cubes.status === 'failed' ? 'var(--red)' : 'dimmed'}>
        {text}
      </Text>
      {cubes.status === 'running' ? (
        <Progress size="xs" value={100 * share} aria-label={t('geography:cubes.label')} />
      ) : null}
    </div>
  )
}
