import { Button, Group, Stack, Switch, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getShape, getShapeHistory, type Layer, listLayers, listShapes } from '#contract/geography.ts'
import { type LayerAction, listLayerHistory, restoreShape } from '#contract/geography-history.ts'
import { listShapeRows } from '#contract/geography-use.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { Dialog } from '#web/kit/dialog.tsx'
import { FailedState } from '#web/kit/failed-state.tsx'
import { formatDateTime } from '#web/kit/format.ts'
import { Loaded } from '#web/kit/loaded.tsx'
import { useRegion } from '#web/shell/region.tsx'
import { Pager } from '#web/kit/table/pager.tsx'
import styles from './layer-history.module.css'

interface Props {
  layer: Layer
  canEdit: boolean
  onClose: () => void
  /** Called when a shape was selected or restored. */
  onOpen: (shapeUuid: string) => void
}

const pageSize = 20

/** The changes of a layer's shapes, newest first, with their authors. Deleted shapes can be restored. */
export function LayerHistoryDialog({ layer, canEdit, onClose, onOpen }: Props) {
  const { t } = useTranslation()
  const { regionId } = useRegion()
  const [page, setPage] = useState(1)
  const [showsDeletedOnly, setShowsDeletedOnly] = useState(false)
  const [text, setText] = useState('')
  const [searchText] = useDebouncedValue(text.trim(), 300)
  const query = {
    page,
    size: pageSize,
    ...(showsDeletedOnly ? { act: 'deleted' as const } : {}),
    ...(searchText ? { text: searchText } : {}),
  }
  const history = useEndpointQuery(
    listLayerHistory,
    { params: { region_id: regionId, shape_layer_uuid: layer.shape_layer_uuid }, query },
    { staleTime: 0, placeholderData: keepPreviousData },
  )
  const restore = useEndpointMutation(restoreShape, [
    listLayerHistory,
    getShapeHistory,
    getShape,
    listShapes,
    listShapeRows,
    listLayers,
  ])
  const restoreEntry = ({ shape_uuid, version }: LayerAction): void =>
    restore.mutate(
      { params: { region_id: regionId, shape_uuid }, body: { version } },
      { onSuccess: () => onOpen(shape_uuid) },
    )
  return (
    <Dialog title={t('geography:layer.historyOf', { name: layer.layer_name })} size={620} onClose={onClose}>
      <Stack gap="sm">
        <Group gap="md">
          <TextInput
            flex={1}
            miw={180}
            aria-label={t('geography:layer.historySearch')}
            placeholder={t('geography:layer.historySearch')}
            leftSection={<IconSearch size={16} />}
            value={text}
            onChange={(event) => {
              setText(event.currentTarget.value)
              setPage(1)
            }}
          />
          <Switch
            label={t('geography:layer.onlyDeleted')}
            checked={showsDeletedOnly}
            onChange={(event) => {
              setShowsDeletedOnly(event.currentTarget.checked)
              setPage(1)
            }}
          />
        </Group>
        {restore.error ? <FailedState error={restore.error} title={t('geography:history.failed')} /> : null}
        <Loaded
          query={history}
          isEmpty={({ total }) => total === 0}
          empty={
            <Text size="sm" c="dimmed">
              {t(showsDeletedOnly ? 'geography:layer.nothingDeleted' : 'geography:layer.noHistory')}
            </Text>
          }
        >
          {(data) => (
            <>
              <ol
                className={styles['list']}
                aria-label={t('geography:layer.historyOf', { name: layer.layer_name })}
              >
                {data.items.map((entry) => (
                  <HistoryEntry
                    key={`${entry.shape_uuid} ${entry.version}`}
                    entry={entry}
                    isRestoring={
                      restore.isPending && restore.variables.params.shape_uuid === entry.shape_uuid
                    }
                    onOpen={() => onOpen(entry.shape_uuid)}
                    onRestore={
                      entry.is_deleted && entry.act === 'deleted' && canEdit && layer.editable
                        ? () => restoreEntry(entry)
                        : null
                    }
                  />
                ))}
              </ol>
              <Pager page={page} size={pageSize} total={data.total} onPage={setPage} />
            </>
          )}
        </Loaded>
      </Stack>
    </Dialog>
  )
}

interface HistoryEntryProps {
  entry: LayerAction
  isRestoring: boolean
  onOpen: () => void
  /** Null unless the shape can be restored. */
  onRestore: (() => void) | null
}

/** A change of one shape, with its author and actions. */
function HistoryEntry({ entry, isRestoring, onOpen, onRestore }: HistoryEntryProps) {
  const { t } = useTranslation()
  const { timezone } = useRegion()
  const { act, changes } = entry
  const changeText =
    act === 'changed' && changes.length > 0
      ? changes.map((part) => t(`geography:part.${part}`)).join(', ')
      : t(`geography:act.${act}`)
  return (
    <li className={styles['act']}>
      <div>
        <Text size="sm">
          <Text span fw={600}>
            {entry.shape_name}
          </Text>{' '}
          · {changeText}
        </Text>
        <Text size="xs" c="dimmed">
          {formatDateTime(entry.changed_time, timezone)} · {entry.changed_by ?? t('geography:byServer')}
        </Text>
      </div>
      {!entry.is_deleted ? (
        <Button
          size="compact-sm"
          variant="subtle"
          aria-label={t('geography:layer.openShape', { name: entry.shape_name })}
          onClick={onOpen}
        >
          {t('geography:layer.open')}
        </Button>
      ) : null}
      {onRestore ? (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={t('geography:layer.bringBackShape', { name: entry.shape_name })}
          loading={isRestoring}
          onClick={onRestore}
        >
          {t('geography:layer.bringBack')}
        </Button>
      ) : null}
    </li>
  )
}
