import { Select, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { rowOutcomes, type RowOutcome } from '#contract/curb-pricing.ts'
import type { PricingSearch } from './pricing-search.ts'

interface Props {
  search: Pick<PricingSearch, 'search' | 'outcome'>
  push: (changes: Pick<Partial<PricingSearch>, 'search' | 'outcome' | 'page'>) => void
}

/** Filters of rows by text and outcome. */
export function RowFilters({ search, push }: Props) {
  const { t } = useTranslation()
  return (
    <>
      <TextInput
        label={t('curb:pricing.filter.text')}
        defaultValue={search.search ?? ''}
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.currentTarget.blur()
        }}
        onBlur={(event) => push({ search: event.currentTarget.value || undefined, page: undefined })}
      />
      <Select
        label={t('curb:pricing.filter.outcome')}
        placeholder={t('curb:pricing.filter.all')}
        clearable
        data={rowOutcomes.map((value) => ({ value, label: t(`curb:pricing.outcome.${value}`) }))}
        value={search.outcome ?? null}
        onChange={(value) => push({ outcome: (value as RowOutcome | null) ?? undefined, page: undefined })}
      />
    </>
  )
}
