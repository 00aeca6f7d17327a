import { Checkbox, Input, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Layer } from '#contract/geography.ts'
import { FailedState } from '#web/kit/failed-state.tsx'
import { useShapeRows } from './use-shape-rows.ts'
import styles from './editor.module.css'

interface Props {
  layer: Layer
  selected: readonly string[]
  error: string | null
  onToggle: (shapeId: string) => void
}

const rowHeight = 36

/** The shapes of a layer with checkboxes. Only visible rows are loaded and rendered. */
export function ShapeList({ layer, selected, error, onToggle }: Props) {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const [searchedText] = useDebouncedValue(text.trim(), 300)
  const rows = useShapeRows(layer, searchedText, 'shape_name')
  const box = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: rows.total ?? 0,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    initialRect: { width: 320, height: 220 },
  })
  const visibleItems = virtualizer.getVirtualItems()
  const from = visibleItems[0]?.index ?? 0
  const to = visibleItems.at(-1)?.index ?? 0
  const show = rows.show
  useEffect(() => show(from, to))
  useEffect(() => void box.current?.scrollTo?.({ top: 0 }), [searchedText, layer.shape_layer_uuid])
  return (
    <div>
      <TextInput
        mb={4}
        type="search"
        label={t('policies:where.search')}
        leftSection={<IconSearch size={16} aria-hidden="true" />}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {rows.error ? <FailedState error={rows.error} onRetry={rows.refetch} /> : null}
      {/* A scrolling box must be reachable by keyboard. */}
      <div
        ref={box}
        className={styles['shapes']}
        data-error={error !== null || undefined}
        tabIndex={0}
        role="group"
        aria-label={t('policies:where.list', { layer: layer.layer_name })}
        aria-busy={rows.isFetching || undefined}
      >
        <div
          style={{
            paddingTop: visibleItems[0]?.start ?? 0,
            paddingBottom: virtualizer.getTotalSize() - (visibleItems.at(-1)?.end ?? 0),
          }}
        >
          {visibleItems.map(({ index }) => {
            const row = rows.at(index)
            return (
              <div key={index} className={styles['shape']}>
                {row ? (
                  <Checkbox
                    label={row.shape_name}
                    checked={selected.includes(row.shape_uuid)}
                    onChange={() => onToggle(row.shape_uuid)}
                  />
                ) : (
                  <Text size="sm" c="dimmed">
                    {t('kit:loading')}
                  </Text>
                )}
              </div>
            )
          })}
          {rows.total === 0 ? (
            <Text p="sm" size="sm" c="dimmed">
              {t('policies:where.nothingFound')}
            </Text>
          ) : null}
        </div>
      </div>
      {error ? <Input.Error mt={4}>{error}</Input.Error> : null}
    </div>
  )
}
