import { Button, Text, TextInput, Title } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listShapes, type Layer } from '#contract/geography.ts'
import { usePages } from '#web/data/pages.ts'
import { Loaded } from '#web/kit/loaded.tsx'
import { ShapeRow } from './shape-row.tsx'
import styles from './geography.module.css'

interface Props {
  layer: Layer
  mayEdit: boolean
}

/** The shapes of a layer, by name, fifty at a time. */
export function ShapeList({ layer, mayEdit }: Props) {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const [searched] = useDebouncedValue(text, 300)
  const pages = usePages(listShapes, { params: { region_id: layer.region_id }, query: { shape_layer_uuid: layer.shape_layer_uuid, ...(searched ? { text: searched } : {}) } })
  return (
    <section>
      <Title order={2}>{t('geography:shapes')}</Title>
      <TextInput my="sm" aria-label={t('geography:shape.search')} placeholder={t('geography:shape.search')} leftSection={<IconSearch size={16} />} value={text} onChange={(event) => setText(event.currentTarget.value)} />
      <Loaded
        of={{ data: pages.items, error: pages.error, isFetching: false, refetch: pages.refetch }}
        isEmpty={(items) => items.length === 0} empty={<Text c="dimmed" size="sm">{t(searched ? 'geography:shape.noneFound' : 'geography:shape.none')}</Text>}
      >
        {(items) => (
          <ul className={styles['list']}>
            {items.map((shape) => <ShapeRow key={shape.shape_uuid} shape={shape} regionId={layer.region_id} mayEdit={mayEdit} />)}
          </ul>
        )}
      </Loaded>
      {pages.items && pages.items.length < pages.total ? <Button mt="sm" variant="default" size="xs" loading={pages.isFetching} onClick={pages.more}>{t('geography:shape.more')}</Button> : null}
    </section>
  )
}
