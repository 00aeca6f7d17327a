import { useTranslation } from 'react-i18next'
import { VehicleType } from '#contract/mobility.ts'
import { propulsionTypes } from '#contract/policy.ts'
import { vehicleTypeName } from '#web/filters/vehicle-type-name.ts'
import { useOperators } from '#web/filters/use-operators.ts'
import { Dropdown } from '#web/kit/dropdown.tsx'
import { MultiDropdown } from '#web/kit/multi-dropdown.tsx'
import type { FieldProps } from './field-props.ts'
import { groupOfStates, stateGroups, statesOfGroup } from './who-text.ts'

interface Props extends FieldProps {
  regionId: string
  operatorName: (slug: string) => string
}

/** The fields of operators and vehicles; an empty selection means all. */
export function WhoFields({ draft, change, errorFor, offers, regionId, operatorName }: Props) {
  const { t } = useTranslation()
  const operators = useOperators(regionId)
  const slugs = [...new Set([...(operators.data?.items ?? []).map(({ slug }) => slug), ...draft.operators])]
  const group = groupOfStates(draft.vehicle_states)
  // States of an imported policy that match no group remain until another group is selected.
  const groups = [...stateGroups, ...(group === null ? ['other' as const] : [])]
  return (
    <>
      <MultiDropdown
        label={t('policies:field.operators')}
        placeholder={t('policies:all.operators')}
        options={slugs.map((slug) => ({ value: slug, text: operatorName(slug) }))}
        value={draft.operators}
        error={errorFor('operators') ?? operators.error?.message}
        onChange={(slugsOfPolicy) => change({ operators: slugsOfPolicy })}
      />
      <MultiDropdown
        label={t('policies:field.vehicle_types')}
        placeholder={t('policies:all.vehicleTypes')}
        options={VehicleType.options.map((value) => ({ value, text: vehicleTypeName(value) }))}
        value={draft.vehicle_types}
        onChange={(types) => change({ vehicle_types: types })}
      />
      <MultiDropdown
        label={t('policies:field.propulsion_types')}
        placeholder={t('policies:all.propulsion')}
        options={propulsionTypes.map((value) => ({ value, text: t(`policies:propulsion.${value}`) }))}
        value={draft.propulsion_types}
        onChange={(types) => change({ propulsion_types: types })}
      />
      {offers('vehicle_states') ? (
        <Dropdown
          label={t('policies:states.label')}
          options={groups.map((value) => ({ value, text: t(`policies:states.${value}`) }))}
          value={group ?? 'other'}
          onChange={(selected) => {
            if (selected !== null && selected !== 'other') change({ vehicle_states: statesOfGroup(selected) })
          }}
        />
      ) : null}
    </>
  )
}
