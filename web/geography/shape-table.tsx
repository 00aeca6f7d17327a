import { Group, Text, TextInput, UnstyledButton } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconArrowDown, IconArrowUp, IconSearch } from '@tabler/icons-react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Layer } from '#contract/geography.ts'
import { FailedState } from '#web/kit/failed-state.tsx'
import { formatDateTime, formatInteger } from '#web/kit/format.ts'
import { useRegion } from '#web/shell/region.tsx'
import styles from './shape-table.module.css'
import { useShapeRows, type ShapeOrder } from './use-shape-rows.ts'

interface Props {
  layer: Layer
  height: number
  selected: string | undefined
  onSelect: (shapeUuid: string) => void
}

const rowHeight = 40
const columns = ['shape_name', 'shape_id', 'modified_time'] as const

/** All shapes of a layer, sorted and searched by the server; rows exist and are fetched only while they are in sight. */
export function ShapeTable({ layer, height, selected, onSelect }: Props) {
  const { t } = useTranslation()
  const { timezone } = useRegion()
  const [text, setText] = useState('')
  const [searched] = useDebouncedValue(text.trim(), 300)
  const [order, setOrder] = useState<ShapeOrder>('shape_name')
  const rows = useShapeRows(layer, searched, order)
  const total = rows.total ?? 0

  const box = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: total,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    initialRect: { width: 800, height: 400 },
  })
  const seen = virtual.getVirtualItems()
  const [from, to] = [seen[0]?.index ?? 0, seen.at(-1)?.index ?? 0]
  const show = rows.show
  useEffect(() => show(from, to))
  useEffect(() => void box.current?.scrollTo?.({ top: 0 }), [searched, order, layer.shape_layer_uuid])
  const above = seen[0]?.start ?? 0
  const below = virtual.getTotalSize() - (seen.at(-1)?.end ?? 0)
  const label = t('geography:table.label', { name: layer.layer_name })

  return (
    <div className={styles['frame']} style={{ height }}>
      <Group gap="sm" py={4} wrap="nowrap">
        <TextInput
          className={styles['search'] ?? ''}
          size="xs"
          aria-label={t('geography:shape.search')}
          placeholder={t('geography:shape.search')}
          leftSection={<IconSearch size={16} />}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Text size="sm" c="dimmed" role="status" className="figures">
          {rows.total === null
            ? ''
            : t('geography:shapeCount', { count: total, shown: formatInteger(total) })}
        </Text>
      </Group>
      {rows.error ? <FailedState error={rows.error} onRetry={rows.refetch} /> : null}
      {/* A box that scrolls must be reachable by keyboard. */}
      <div
        ref={box}
        className={styles['box']}
        tabIndex={0}
        role="region"
        aria-label={label}
        aria-busy={rows.isFetching || undefined}
      >
        <table className={styles['table']} aria-label={label} aria-rowcount={total + 1}>
          <thead>
            <tr aria-rowindex={1}>
              {columns.map((column) => {
                const isOn = order === column || order === `-${column}`
                const isDown = order === `-${column}`
                const Arrow = isDown ? IconArrowDown : IconArrowUp
                const title = t(`geography:table.${column}`)
                return (
                  <th
                    key={column}
                    scope="col"
                    aria-sort={isOn ? (isDown ? 'descending' : 'ascending') : undefined}
                  >
                    <UnstyledButton
                      className={styles['sort'] ?? ''}
                      title={t('kit:sortBy', { column: title })}
                      onClick={() => setOrder(order === column ? `-${column}` : column)}
                    >
                      {title}
                      <Arrow
                        size={14}
                        aria-hidden="true"
                        className={styles['arrow'] ?? ''}
                        data-on={isOn || undefined}
                      />
                    </UnstyledButton>
                  </th>
                )
              })}
              <th scope="col">{t('geography:table.modified_by')}</th>
            </tr>
          </thead>
          <tbody>
            {above > 0 ? <tr aria-hidden="true" style={{ height: above }} /> : null}
            {seen.map((item) => {
              const row = rows.at(item.index)
              return (
                <tr
                  key={item.index}
                  aria-rowindex={item.index + 2}
                  style={{ height: rowHeight }}
                  data-selected={(row !== undefined && row.shape_uuid === selected) || undefined}
                >
                  {row ? (
                    <>
                      <td title={row.shape_name}>
                        <UnstyledButton
                          className={styles['link'] ?? ''}
                          aria-pressed={row.shape_uuid === selected}
                          onClick={() => onSelect(row.shape_uuid)}
                        >
                          {row.shape_name}
                        </UnstyledButton>
                      </td>
                      <td>{row.shape_id}</td>
                      <td>{formatDateTime(row.modified_time, timezone)}</td>
                      <td>{row.modified_by ?? t('geography:byServer')}</td>
                    </>
                  ) : (
                    <td colSpan={4}>
                      <span className={styles['waiting']} />
                      <span className="only-read">{t('kit:loading')}</span>
                    </td>
                  )}
                </tr>
              )
            })}
            {below > 0 ? <tr aria-hidden="true" style={{ height: below }} /> : null}
            {rows.total === 0 ? (
              <tr>
                <td colSpan={4} className={styles['none']}>
                  {t(searched ? 'geography:shape.noneFound' : 'geography:shape.none')}
                </td>
              </tr>
            ) : null}
          </tbody>
        </table>
      </div>
    </div>
  )
}
