import { Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Layer } from '#contract/geography.ts'

interface Props {
  /** Null while loading. */
  options: readonly Layer[] | null
  value: Layer | null
  onChange: (layerId: string) => void
}

export function LayerField({ options, value, onChange }: Props) {
  const { t } = useTranslation()
  return (
    <Select
      label={t('filters:layer.label')}
      allowDeselect={false}
      searchable={(options?.length ?? 0) > 8}
      value={value?.shape_layer_uuid ?? null}
      placeholder={options ? t('filters:layer.none') : ''}
      data={(options ?? []).map((layer) => ({ value: layer.shape_layer_uuid, label: layer.layer_name }))}
      onChange={(selected) => {
        if (selected !== null) onChange(selected)
      }}
    />
  )
}
