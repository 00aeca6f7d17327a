import { Button } from '@mantine/core'
import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { VehicleType, vehicleTypeTexts } from '#contract/mobility.ts'
import { listOperators } from '#contract/operators.ts'
import { PolicyStatus } from '#contract/policy.ts'
import { policyTypes } from '#contract/policy-types/list.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { MultiDropdown } from '#web/kit/multi-dropdown.tsx'
import { SearchField } from '#web/kit/search-field.tsx'
import { filterCount, type PoliciesSearch } from './policies-search.ts'
import styles from './policies.module.css'
import { typeText } from './type-text.ts'

interface Props {
  regionId: string
  search: PoliciesSearch
  isSmall: boolean
  /** The text is typed: it makes no steps that Back undoes. */
  onText: (text: string) => void
  onChange: (part: PoliciesSearch) => void
}

/** What the library is searched and filtered by; on a phone the filters are behind a button. */
export function PoliciesFilters({ regionId, search, isSmall, onText, onChange }: Props) {
  const { t } = useTranslation()
  const [areOpen, setOpen] = useState(false)
  const operators =
    useEndpointQuery(listOperators, { query: { region_id: regionId, size: 300 } }).data?.items ?? []
  const count = filterCount(search)
  const types = policyTypes.map(({ name }) => ({ value: name, text: typeText(t, name) }))
  const statuses = PolicyStatus.options.map((value) => ({ value, text: t(`policies:status.${value}`) }))
  const slugs = [
    ...operators.map(({ slug, name }) => ({ value: slug, text: name })),
    ...(search.operators ?? [])
      .filter((slug) => !operators.some((each) => each.slug === slug))
      .map((slug) => ({ value: slug, text: slug })),
  ]
  const vehicleTypes = VehicleType.options.map((value) => ({ value, text: vehicleTypeTexts[value] }))
  return (
    <div className={styles['tools']}>
      <SearchField label={t('policies:search')} value={search.search ?? ''} onSearch={onText} />
      {isSmall ? (
        <Button
          variant="default"
          leftSection={<IconAdjustmentsHorizontal size={18} />}
          aria-expanded={areOpen}
          onClick={() => setOpen(!areOpen)}
        >
          {count ? t('policies:filtersSet', { count }) : t('policies:filters')}
        </Button>
      ) : null}
      {isSmall && !areOpen ? null : (
        <>
          <MultiDropdown
            label={t('policies:filter.types')}
            placeholder={t('policies:all.types')}
            options={types}
            value={search.types ?? []}
            onChange={(value) => onChange({ types: value })}
          />
          <MultiDropdown
            label={t('policies:filter.statuses')}
            placeholder={t('policies:all.statuses')}
            options={statuses}
            value={search.statuses ?? []}
            onChange={(value) => onChange({ statuses: value })}
          />
          <MultiDropdown
            label={t('policies:filter.operators')}
            placeholder={t('policies:all.operators')}
            options={slugs}
            value={search.operators ?? []}
            onChange={(value) => onChange({ operators: value })}
          />
          <MultiDropdown
            label={t('policies:filter.vehicleTypes')}
            placeholder={t('policies:all.vehicleTypes')}
            options={vehicleTypes}
            value={search.vehicle_types ?? []}
            onChange={(value) => onChange({ vehicle_types: value })}
          />
        </>
      )}
    </div>
  )
}
