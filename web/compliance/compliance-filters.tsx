import { Button, Switch } from '@mantine/core'
import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { complianceStatuses } from '#contract/compliance.ts'
import { policyTypes } from '#contract/policy-types/list.ts'
import { MultiDropdown } from '#web/kit/multi-dropdown.tsx'
import { typeText } from '#web/policies/type-text.ts'
import { SearchField } from '#web/kit/search-field.tsx'
import styles from './compliance.module.css'
import type { ComplianceSearch } from './compliance-search.ts'

interface Props {
  search: ComplianceSearch
  operators: readonly { slug: string; name: string }[]
  isSmall: boolean
  /** The text is typed: it makes no steps that Back undoes. */
  onText: (text: string) => void
  onChange: (part: Partial<ComplianceSearch>) => void
}

/** What the summary is searched and filtered by; on a phone the filters are behind a button. */
export function ComplianceFilters({ search, operators, isSmall, onText, onChange }: Props) {
  const { t } = useTranslation()
  const [areOpen, setOpen] = useState(false)
  const count = [search.types, search.operators, search.statuses].filter((each) => each !== undefined).length
  const types = [...policyTypes.filter(({ isFee }) => !isFee).map(({ name }) => name), 'unknown'].map(
    (name) => ({ value: name, text: typeText(t, name) }),
  )
  const slugs = [
    ...operators.map(({ slug, name }) => ({ value: slug, text: name })),
    ...(search.operators ?? [])
      .filter((slug) => !operators.some((each) => each.slug === slug))
      .map((slug) => ({ value: slug, text: slug })),
  ]
  const statuses = complianceStatuses.map((value) => ({ value, text: t(`compliance:status.${value}`) }))
  return (
    <>
      <div className={styles['tools']}>
        <SearchField label={t('compliance:search')} value={search.search ?? ''} onSearch={onText} />
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
              label={t('policies:filter.operators')}
              placeholder={t('policies:all.operators')}
              options={slugs}
              value={search.operators ?? []}
              onChange={(value) => onChange({ operators: value })}
            />
            <MultiDropdown
              label={t('compliance:table.status')}
              placeholder={t('compliance:allStatuses')}
              options={statuses}
              value={search.statuses ?? []}
              onChange={(value) => onChange({ statuses: value })}
            />
          </>
        )}
      </div>
      <Switch
        mb="md"
        label={t('compliance:compare')}
        checked={search.compare ?? false}
        onChange={(event) => onChange({ compare: event.currentTarget.checked ? true : undefined })}
      />
    </>
  )
}
