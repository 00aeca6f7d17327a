import { Autocomplete, Select } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { DateOrder, TripMapping } from '#contract/imports.ts'
import { VehicleType } from '#contract/mobility.ts'
import { vehicleTypeName } from '#web/filters/vehicle-type-name.ts'
import { useOperators } from '#web/filters/use-operators.ts'
import { useRegion } from '#web/shell/region.tsx'
import { OrderSelect } from './order-select.tsx'
import { toSlug } from './slug.ts'
import styles from './imports.module.css'

interface Props {
  mapping: TripMapping
  /** The date orders in which the file's dates can be read, if there are several. */
  orders: readonly DateOrder[]
  onChange: (mapping: TripMapping) => void
}

const distanceUnits = ['m', 'km', 'mi', 'ft'] as const
const durationUnits = ['s', 'min', 'h', 'h:mm:ss'] as const

/** Fields for units, the order of dates, and operator and vehicle type if the file has no column for them. */
export function MappingUnits({ mapping, orders, onChange }: Props) {
  const { t } = useTranslation()
  const { regionId } = useRegion()
  const firstField = useRef<HTMLInputElement>(null)
  // Move the focus from the close button to the first field: the fields appear only after the file is read.
  useEffect(() => firstField.current?.focus(), [])
  const operators = useOperators(regionId)
  const vehicleTypes = VehicleType.options.map((value) => ({ value, label: vehicleTypeName(value) }))
  return (
    <fieldset className={styles['group']}>
      <legend>{t('imports:group.units')}</legend>
      <div className={styles['grid']}>
        <Select
          label={t('imports:units.distance')}
          ref={firstField}
          data={[...distanceUnits]}
          allowDeselect={false}
          value={mapping.distance_unit}
          onChange={(value) =>
            value && onChange({ ...mapping, distance_unit: value as (typeof distanceUnits)[number] })
          }
        />
        <Select
          label={t('imports:units.duration')}
          data={[...durationUnits]}
          allowDeselect={false}
          value={mapping.duration_unit}
          onChange={(value) =>
            value && onChange({ ...mapping, duration_unit: value as (typeof durationUnits)[number] })
          }
        />
        {orders.length > 0 ? (
          <OrderSelect
            orders={orders}
            value={mapping.date_order}
            onChange={(date_order) => onChange({ ...mapping, date_order })}
          />
        ) : null}
        {mapping.columns.operator ? null : (
          <Autocomplete
            label={t('imports:units.operator')}
            error={operators.error?.message}
            data={operators.data?.items.map((operator) => operator.slug) ?? []}
            value={mapping.operator ?? ''}
            onChange={(value) => onChange({ ...mapping, operator: toSlug(value) || null })}
          />
        )}
        {mapping.columns.vehicle_type ? null : (
          <Select
            label={t('imports:units.vehicleType')}
            clearable
            data={vehicleTypes}
            value={mapping.vehicle_type}
            onChange={(value) => onChange({ ...mapping, vehicle_type: value as VehicleType | null })}
            clearButtonProps={{
              'aria-label': t('imports:mapping.clear', { column: t('imports:units.vehicleType') }),
            }}
          />
        )}
      </div>
    </fieldset>
  )
}
