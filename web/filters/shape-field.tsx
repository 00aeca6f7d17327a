import { Select } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Shape } from '#contract/geography.ts'

interface Props {
  shapes: readonly Shape[]
  value: string | undefined
  onChange: (value: string | undefined) => void
}

/** Options for shapes; those with the same name are distinguished by ID. */
function getOptions(shapes: readonly Shape[]): { value: string; label: string }[] {
  const names = new Map<string, number>()
  for (const { shape_name } of shapes) names.set(shape_name, (names.get(shape_name) ?? 0) + 1)
  return shapes.map(({ shape_uuid, shape_name, shape_id }) => ({
    value: shape_uuid,
    label: (names.get(shape_name) ?? 0) > 1 ? `${shape_name} (${shape_id})` : shape_name,
  }))
}

/** A shape of the layer, found by its name. */
export function ShapeField({ shapes, value, onChange }: Props) {
  const { t } = useTranslation()
  const options = useMemo(() => getOptions(shapes), [shapes])
  return (
    <Select
      label={t('filters:shape.label')}
      placeholder={t('filters:shape.any')}
      data={options}
      value={value ?? null}
      searchable
      clearable
      limit={100}
      nothingFoundMessage={t('filters:shape.none')}
      clearButtonProps={{ 'aria-label': t('filters:shape.clear') }}
      onChange={(selected) => onChange(selected ?? undefined)}
    />
  )
}
