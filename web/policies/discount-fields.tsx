import { NumberInput, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Layer } from '#contract/geography.ts'
import type { FeeOptions } from '#contract/policy.ts'
import { Dropdown } from '#web/kit/dropdown.tsx'
import { parseTypedNumber } from '#web/kit/typed-number.ts'
import { ShapeList } from './shape-list.tsx'

interface Props {
  options: FeeOptions
  layers: readonly Layer[]
  onChange: (changes: Partial<FeeOptions>) => void
}

/** Equity discount: the reduction for trips that start in, and vehicles that park in, selected shapes. */
export function DiscountFields({ options, layers, onChange }: Props) {
  const { t } = useTranslation()
  const { discount_percent: percent, discount_layer_uuid: layerId, discount_shape_uuids: shapes } = options
  const layer = layers.find(({ shape_layer_uuid: id }) => id === layerId)
  return (
    <div role="group" aria-label={t('billing:options.discount')}>
      <NumberInput
        label={t('billing:options.discount')}
        description={t('billing:options.discountHint')}
        min={0}
        max={100}
        decimalScale={4}
        suffix=" %"
        value={percent || ''}
        onChange={(value) => onChange({ discount_percent: parseTypedNumber(value) ?? 0 })}
      />
      <Dropdown
        label={t('billing:options.discountLayer')}
        options={layers.map(({ shape_layer_uuid: value, layer_name: text }) => ({ value, text }))}
        value={layerId}
        onChange={(value) => onChange({ discount_layer_uuid: value, discount_shape_uuids: [] })}
      />
      {layer ? (
        <>
          <Text size="sm" c="dimmed" role="status">
            {t('billing:options.discountShapes', { count: shapes.length })}
          </Text>
          <ShapeList
            key={layer.shape_layer_uuid}
            layer={layer}
            selected={shapes}
            error={null}
            onToggle={(id) =>
              onChange({
                discount_shape_uuids: shapes.includes(id)
                  ? shapes.filter((shape) => shape !== id)
                  : [...shapes, id],
              })
            }
          />
        </>
      ) : null}
    </div>
  )
}
